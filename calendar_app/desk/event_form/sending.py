"""Takes a form: checks it, shows it again, previews it, or saves it."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus

from flask import Response

from calendar_app.desk.event_form.carrying import (
    is_unsaved,
    read_others,
    settle_languages,
    show_language,
)
from calendar_app.desk.event_form.form import EventForm, conflict
from calendar_app.desk.event_form.merging import digests_of, merge, take
from calendar_app.desk.event_form.opening import content_language, new_values, notation, show
from calendar_app.desk.event_form.pictures import (
    receive_picture,
    save_alternative_texts,
    sent_alternative_texts,
)
from calendar_app.desk.event_form.previewing import preview
from calendar_app.desk.event_form.saving import change, create, lies_in_past
from calendar_app.desk.event_form.stored import StoredEvent
from calendar_app.desk.event_form.values import CONTROLS, changed_parameters, sent_values
from calendar_app.desk.forms import read_digests
from calendar_app.desk.large_forms import too_long
from calendar_app.desk.library import asks_for_pictures
from calendar_app.desk.notices import notify, notify_other_slug
from calendar_app.desk.rendering import see
from calendar_app.domain.kind import Record
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.statuses import DRAFT, PENDING, PRIVATE, PUBLISH
from calendar_app.errors import CalendarError, InvalidParameters, Message, PreconditionFailed
from calendar_app.http.errors.refusals import refusal_of
from calendar_app.http.request import current
from calendar_app.http.request.negotiation import named_language
from calendar_app.kinds import EVENT

Write = Callable[[], Record]
_IN_PAST = Message("This is in the past. Tick the box below if that is right.")
_MERGED = Message("Somebody else has saved meanwhile. Their changes and yours are both kept.")
_BOTH = Message("Somebody else has saved meanwhile. Choose what counts, then save again.")
_SAVED = Message("The event is saved.")
# Buttons that save in a state of their own.
_STATES = (DRAFT, PENDING, PUBLISH)
_TIMES = {"start_date", "end_date", "all_day", "timezone"}


def send_new() -> Response:
    """Create an event from the form that was sent, or show the form again."""
    form = _sent_form(_typed_language())
    if _asks_for_language():
        return _show_language(form)
    settle_languages(form)
    names = changed_parameters(form.values, new_values(form.language))
    write = partial(create, form.values, names, form.language, notation(), form.problems)
    return _act(form, names | _TIMES, write)


def send_change(event: StoredEvent) -> Response:
    """Change an event by the form that was sent, or show the form again."""
    typed = _typed_language()
    if typed != event.language:
        event = StoredEvent.find(event.kind, event.record["_id"], typed)
    form = _sent_form(typed, event)
    if _asks_for_language():
        return _show_language(form)
    settle_languages(form)
    event = form.event or event
    stored = event.values(notation())
    for parameter in CONTROLS:
        if current.request().form.get(f"keep_{parameter}") == "theirs":
            take(form.values, stored, parameter)
    was_merged = form.revision != event.record["revision"]
    if was_merged:
        form.values, both = merge(form.values, stored, form.base)
        form.revision, form.base = event.record["revision"], digests_of(stored)
        if both:
            form.conflicts = [conflict(each, form.values, stored) for each in both]
            form.problems = {"": _BOTH}
            return show(form, HTTPStatus.CONFLICT)
    names = changed_parameters(form.values, stored)
    scope = form.scope if event.kind is EVENT and event.series_id else ""
    write = partial(change, event, form.values, names, notation(), form.problems, scope=scope)
    return _act(form, names, write, _MERGED if was_merged else _SAVED)


def _typed_language() -> str:
    """Return the language of the texts that were sent: that of the page they were typed on."""
    sent, languages = current.request().form, current.settings().languages
    return named_language(sent.get("form_language", ""), languages) or content_language()


def _asks_for_language() -> bool:
    return current.request().form.get("button") == "language"


def _show_language(form: EventForm) -> Response:
    """Show the texts of another language; all that was typed goes along."""
    show_language(form, content_language())
    form.is_switched, form.is_unsaved = True, is_unsaved(form)
    return show(form)


def _sent_form(language: str, event: StoredEvent | None = None) -> EventForm:
    sent = current.request().form
    form = EventForm(
        sent_values(sent),
        language,
        event,
        revision=parse_digits(sent.get("revision", "")) or 0,
        base=read_digests(sent.get("base", "")),
        scope=sent.get("scope", ""),
        alternative_texts=sent_alternative_texts(),
        others=read_others(sent.get("others", "")),
    )
    # Who publishes what is private lets those see it who see private events.
    is_private = sent.get("button") == PUBLISH and form.values["status"] == PRIVATE
    if sent.get("button") in _STATES and not is_private:
        form.values["status"] = sent["button"]
    long_texts = [(name, form.values[name]) for name in ("description", "excerpt")]
    form.problems |= receive_picture(form) | too_long(long_texts)
    return form


def _act(form: EventForm, names: set[str], write: Write, done: Message = _SAVED) -> Response:
    action = current.request().form.get("button", "")
    if action == "check" or asks_for_pictures():
        return show(form)
    _ask_about_past(form, names)
    try:
        if action == "preview":
            return preview(form, write)
        record = write()
    except PreconditionFailed:
        form.problems[""] = _BOTH
        return show(form, HTTPStatus.CONFLICT)
    except InvalidParameters as error:
        form.refuse(error.reasons)
        return show(form, HTTPStatus.UNPROCESSABLE_ENTITY)
    except CalendarError as error:
        refusal = refusal_of(error)
        form.problems[""] = refusal.message
        return show(form, refusal.status)
    return _saved(form, record, done)


def _ask_about_past(form: EventForm, names: set[str]) -> None:
    if not names & _TIMES or current.request().form.get("confirm_past"):
        return
    if lies_in_past(form.values, notation()):
        form.asks_past = True
        form.problems["start_date"] = _IN_PAST


def _saved(form: EventForm, record: Record, done: Message) -> Response:
    notify(done)
    save_alternative_texts(form)
    slug = record["variants"].get(form.language, {}).get("slug", "")
    if form.values["slug"] and slug and slug != form.values["slug"]:
        notify_other_slug(form.values["slug"], slug)
    parameter = current.settings().translation_parameter
    folder = form.event.kind.name if form.event else EVENT.name
    return see(f"/{folder}/{record['_id']}?{parameter}={form.language}")
