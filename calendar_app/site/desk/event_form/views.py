"""The pages on which events are written, moved to the trash, and called off."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date

from flask import Response, jsonify

from calendar_app.accounts.callers import Right
from calendar_app.accounts.policy import restored_status
from calendar_app.api.http.errors.refusals import refusal_of
from calendar_app.api.http.request import current
from calendar_app.calendar.series.changing import ALL, FOLLOWING, SCOPES, THIS
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import EVENT, SERIES
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.statuses import TRASH
from calendar_app.errors import CalendarError, Message
from calendar_app.site.desk.choices import NAMED_KINDS, suggest
from calendar_app.site.desk.event_form.dates import CONTROLS, pressed
from calendar_app.site.desk.event_form.fields import languages_from
from calendar_app.site.desk.event_form.form import EventForm
from calendar_app.site.desk.event_form.occurrences import event_in_words
from calendar_app.site.desk.event_form.saving import change_values, send_change, send_new
from calendar_app.site.desk.event_form.showing import (
    content_language,
    new_values,
    notation,
    reading_of,
    rhythm_parts,
    show,
)
from calendar_app.site.desk.event_form.similar import similar_events
from calendar_app.site.desk.event_form.stored_event import StoredEvent
from calendar_app.site.desk.event_form.values import sent_values
from calendar_app.site.desk.rendering import Undo, notify, render, see
from calendar_app.site.desk.routing import page

_BOTH = ("GET", "POST")
_TRASHED = Message("In the trash: {event}.")
_TAKEN_BACK = Message("Back from the trash: {event}.")
_SERIES_TRASHED = Message("In the trash with all its events: {event}.")


@page("/events/new", needs=Right.EDIT, methods=_BOTH)
def new_event() -> Response:
    """Show the form for a new event, or create the event."""
    if current.context().request.method == "POST":
        return send_new()
    language = content_language()
    return show(EventForm.new(language, new_values(language)))


@page("/events/<digits:record_id>", needs=Right.EDIT, methods=_BOTH)
def edit_event(record_id: int) -> Response:
    """Show the form of an event, or change the event."""
    return _edit(EVENT, record_id)


@page("/series/", needs=Right.EDIT)
def list_series() -> Response:
    """Lead to the table of events, with one event of each series."""
    return see("/events/?recurring=true&first_in_series=true")


@page("/series/new", needs=Right.EDIT)
def new_series() -> Response:
    """Lead to the form for a new event, in which it becomes a series."""
    return see("/events/new")


@page("/series/<digits:record_id>", needs=Right.EDIT, methods=_BOTH)
def edit_series(record_id: int) -> Response:
    """Show the form of a series, or change all its events."""
    return _edit(SERIES, record_id)


@page("/events/<digits:record_id>/trash", needs=Right.EDIT, methods=("POST",))
def trash_event(record_id: int) -> Response:
    """Move an event to the trash, or more of its series."""
    return _trash(StoredEvent.find(EVENT, record_id, content_language()))


@page("/events/<digits:record_id>/take-back", needs=Right.EDIT, methods=("POST",))
def restore_event(record_id: int) -> Response:
    """Take an event out of the trash, as a draft or as it was."""
    return _take_back(StoredEvent.find(EVENT, record_id, content_language()))


@page("/series/<digits:record_id>/trash", needs=Right.EDIT, methods=("POST",))
def trash_series(record_id: int) -> Response:
    """Move a series and all its events to the trash."""
    return _trash(StoredEvent.find(SERIES, record_id, content_language()))


@page("/series/<digits:record_id>/take-back", needs=Right.EDIT, methods=("POST",))
def restore_series(record_id: int) -> Response:
    """Take a series out of the trash with the events that went there with it."""
    return _take_back(StoredEvent.find(SERIES, record_id, content_language()))


@page("/events/reading", needs=Right.EDIT, methods=("POST",))
def read_form() -> Response:
    """Show how dates and price of a form are read, after a press on a date if there was one."""
    sent, how = current.context().request.form, notation()
    with suppress(ValueError):
        how = replace(how, event_day=date.fromisoformat(sent.get("event_day", "")))
    languages = languages_from(content_language())
    values = pressed(sent_values(sent, languages), sent, how)
    series_id = parse_digits(sent.get("series", ""))
    parts = {"reading": reading_of(values, how, series_id), **rhythm_parts(values, how)}
    is_new = not parse_digits(sent.get("revision", ""))
    neighbors = similar_events(values, languages, how) if is_new else []
    parts |= {"values": values, "controls_of_dates": CONTROLS, "neighbors": neighbors}
    return render("event_reading.html", with_moves=series_id is None, **parts)


@page("/events/suggestions", needs=Right.EDIT)
def suggestions() -> Response:
    """Return venues, organizers, terms or events that match a text, best first."""
    sent = current.context().request.args
    name = sent.get("kind", "")
    suggestions = suggest(name if name in NAMED_KINDS else "venue", sent.get("text", "")[:100])
    return jsonify([{"id": each.id, "label": each.label, **each._asdict()} for each in suggestions])


def _edit(kind: Kind, record_id: int) -> Response:
    request = current.context().request
    begins_rhythm = request.args.get("rhythm") == FOLLOWING
    event = StoredEvent.find(kind, record_id, content_language(), begins_rhythm=begins_rhythm)
    if request.method == "POST":
        return send_change(event)
    return show(EventForm.of(event, notation(event)))


# Into the trash and out of it, and dates that are called off.


def _trash(event: StoredEvent) -> Response:
    """Move an event or a series to the trash; an event of one as far as the form says."""
    context = current.context()
    sent = context.request.form.get("scope", THIS)
    scope = sent if sent in SCOPES and event.kind is EVENT else THIS
    try:
        context.services.editor.remove(event.kind, event.record["_id"], context.caller, scope=scope)
    except CalendarError as error:
        notify(refusal_of(error).message, "problem")
    else:
        _notify_trashed(event, scope)
    return _back(event)


def _notify_trashed(event: StoredEvent, scope: str) -> None:
    """Name the trashed event, with an undo unless its series was cut."""
    is_whole = event.kind is SERIES or (scope == ALL and event.series_id is not None)
    path = f"/series/{event.series_id}" if is_whole else _path(event)
    message = Message(
        (_SERIES_TRASHED if is_whole else _TRASHED).pattern, event=event_in_words(event.record)
    )
    notify(message, undo=None if scope == FOLLOWING else Undo(f"{path}/take-back", {}))


def _take_back(event: StoredEvent) -> Response:
    """Restore an event or a series with its state before, as far as the user may give it."""
    if event.record["status"] == TRASH:
        taken = Message(_TAKEN_BACK.pattern, event=event_in_words(event.record))
        _notify_of(lambda: taken_back(event), taken)
    return _back(event)


def taken_back(event: StoredEvent) -> Record:
    """Return the event with its state before the trash."""
    if event.record["status"] != TRASH:
        return event.record
    status = restored_status(current.context().caller, event.record)
    return change_values(event, {"status": status}, notation())


def _notify_of(write: Callable[[], Record], message: Message) -> None:
    """Write, and say that it is done or why it is refused."""
    try:
        write()
    except CalendarError as error:
        notify(refusal_of(error).message, "problem")
    else:
        notify(message)


def _back(event: StoredEvent) -> Response:
    return see(_path(event))


def _path(event: StoredEvent) -> str:
    return f"/{event.kind.name}/{event.record['_id']}"
