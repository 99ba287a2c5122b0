"""Shows the form, with its values and its choices."""

from datetime import date, timedelta
from typing import Any

from flask import Response

from calendar_app.accounts.policy import Right, may_delete
from calendar_app.desk.event_form import choices
from calendar_app.desk.event_form.form import LABELS, EventForm, control_id
from calendar_app.desk.event_form.linking import names_of, suggest
from calendar_app.desk.event_form.notation import Notation
from calendar_app.desk.event_form.occurrences import occurrences_of
from calendar_app.desk.event_form.readings import reading_of
from calendar_app.desk.event_form.stored import StoredEvent
from calendar_app.desk.event_form.values import Values, empty_values
from calendar_app.desk.languages import language
from calendar_app.desk.library import sent_library
from calendar_app.desk.maps import known_area
from calendar_app.desk.rendering import render
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.richtext import decoded
from calendar_app.http.request import current
from calendar_app.http.request.negotiation import named_language
from calendar_app.http.views import records
from calendar_app.kinds import EVENT, MEDIA
from calendar_app.pages import wording
from calendar_app.presentation.media import present_media as present_picture

# Any week will do, from a Monday on.
_WEEK = [date(2024, 1, 1) + timedelta(number) for number in range(7)]
_NOT_COPIED = ("slug", "status", "date", "date_time", "password")


def content_language() -> str:
    """Return the language whose texts are edited: that of the address, else the user's own."""
    settings = current.settings()
    sent = current.request().args.get(settings.translation_parameter, "")
    return named_language(sent, settings.languages) or current.chain()[0]


def notation() -> Notation:
    """Return how the user writes dates."""
    own, today = language(), current.site_now().date()
    languages = current.settings().languages
    return Notation(own, today, languages, current.writes_american(own))


def new_values(edited: str) -> Values:
    """Return the values of a new event, or of the copy of one."""
    values = empty_values(current.settings().timezone)
    sent = current.request().args
    if sent.get("date"):
        values["start_date"] = _day(sent["date"])
    number = parse_digits(sent.get("copy", ""))
    if current.request().method == "POST" or number is None:
        return values
    copied = StoredEvent.find(EVENT, number, edited).values(notation())
    return values | {
        name: value
        for name, value in copied.items()
        if name not in _NOT_COPIED and not name.startswith("repeat")
    }


def show(form: EventForm, status: int = 200) -> Response:
    """Return the page of a form."""
    # The lists of choices have parameters of their own.
    with current.acting_on({current.settings().translation_parameter: current.language()}):
        return _show(form, status)


def _show(form: EventForm, status: int) -> Response:
    values, caller = form.values, current.caller()
    picture = _picture(values["image"])
    context: dict[str, Any] = {
        "form": form,
        "values": values,
        "labels": LABELS,
        "control_id": control_id,
        "reading": reading_of(values, notation()),
        "statuses": choices.statuses(caller),
        "attendance": choices.ATTENDANCE,
        "categories": choices.categories(),
        "tags": choices.tags(),
        "chosen_tags": choices.chosen_tags(values["tags"]),
        "timezones": choices.timezones(),
        "venues": names_of("venue", values["venue"]),
        "organizers": names_of("organizer", values["organizer"]),
        "known_venues": suggest("venue"),
        "known_organizers": suggest("organizer"),
        "picture": picture,
        "library": sent_library(),
        "area": known_area(),
        "alternative_texts": form.alternative_texts or (picture["alt"] if picture else {}),
        "weekday_names": [wording.weekday(day, language(), short=True) for day in _WEEK],
        "may_publish": caller.may(Right.PUBLISH),
        "may_upload": caller.may(Right.UPLOAD),
        "may_sign": caller.may(Right.EDIT_OTHERS),
    }
    return render("event_form.html", status, **context, **_of_event(form))


def _of_event(form: EventForm) -> dict[str, Any]:
    """Return the part of the page about a stored event."""
    event = form.event
    if event is None:
        return {
            "event": None,
            "heading": "",
            "translations": {},
            "occurrences": (),
            "may_trash": False,
        }
    return {
        "event": event,
        "heading": decoded(event.presented["title"]),
        "translations": event.presented["translations"],
        "occurrences": occurrences_of(event),
        "may_trash": may_delete(current.caller(), event.record),
    }


def _picture(image: str) -> dict[str, Any] | None:
    """Return the chosen picture: its address, and its alternative texts by language."""
    number = parse_digits(image)
    if number is None:
        return {"url": image, "id": "", "alt": {}} if image else None
    record = current.services().shown_pictures.find(number, current.caller())
    if record is None:
        return None
    shown = present_picture(record, records.view_of(MEDIA, [record]))
    sizes = shown.get("sizes") or {}
    alt = {tag: texts.get("alt_text", "") for tag, texts in record["variants"].items()}
    return {"url": (sizes.get("medium") or shown)["url"], "id": image, "alt": alt}


def _day(text: str) -> str:
    try:
        return notation().day(date.fromisoformat(text))
    except ValueError:
        return ""
