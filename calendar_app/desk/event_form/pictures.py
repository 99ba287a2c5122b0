"""The picture of a form: taken in at once, so that it stays whatever else is refused."""

from flask import request

from calendar_app.desk.event_form.form import EventForm
from calendar_app.desk.notices import notify
from calendar_app.desk.uploads import received_image
from calendar_app.domain.numbers import parse_digits
from calendar_app.errors import CalendarError
from calendar_app.http.errors.refusals import refusal_of
from calendar_app.http.request import current
from calendar_app.kinds import MEDIA


def receive_picture(form: EventForm) -> dict[str, str]:
    """Let the form name the picture that was sent; return its problem, if any."""
    texts = {tag: {"alt_text": text} for tag, text in form.alternative_texts.items()}
    image, problem = received_image(form.values["image"], form.language, {"variants": texts})
    form.values["image"] = image
    return {"image": problem} if problem else {}


def save_alternative_texts(form: EventForm) -> None:
    """Change the alternative texts of the picture that a saved form names."""
    image, caller = form.values["image"], current.caller()
    number = parse_digits(image)
    if number is None or not _sends_alternative_texts():
        return
    picture = current.services().shown_pictures.find(number, caller)
    if picture is None:
        return
    sent, stored = form.alternative_texts, picture["variants"]
    changed = {
        tag: {"alt_text": sent.get(tag, "")}
        for tag in current.settings().languages
        if sent.get(tag, "") != stored.get(tag, {}).get("alt_text", "")
    }
    if not changed:
        return
    try:
        current.editor().change(MEDIA, number, {"variants": changed}, caller, form.language)
    except CalendarError as error:
        notify(refusal_of(error).message, "warning")


def _sends_alternative_texts() -> bool:
    return any(name.startswith("image_alt[") for name in request.form)


def sent_alternative_texts() -> dict[str, str]:
    """Return the alternative texts of the form, by language."""
    form, languages = request.form, current.settings().languages
    texts = {language: form.get(f"image_alt[{language}]", "").strip() for language in languages}
    return {language: text for language, text in texts.items() if text}
