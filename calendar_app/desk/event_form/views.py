"""The addresses of the pages on which events are written."""

from flask import Response, jsonify

from calendar_app.accounts.policy import Right
from calendar_app.desk.event_form import opening, removing, sending
from calendar_app.desk.event_form.form import EventForm
from calendar_app.desk.event_form.linking import suggest
from calendar_app.desk.event_form.opening import content_language, notation, show
from calendar_app.desk.event_form.readings import reading_of
from calendar_app.desk.event_form.stored import StoredEvent
from calendar_app.desk.event_form.values import sent_values
from calendar_app.desk.rendering import render, see
from calendar_app.desk.routing import page
from calendar_app.domain.kind import Kind
from calendar_app.http.request import current
from calendar_app.kinds import EVENT, SERIES

_BOTH = ("GET", "POST")


@page("/events/new", needs=Right.EDIT, methods=_BOTH)
def new_event() -> Response:
    """Show the form for a new event, or create the event."""
    if current.request().method == "POST":
        return sending.send_new()
    language = content_language()
    return show(EventForm(opening.new_values(language), language))


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
    return removing.trash(StoredEvent.find(EVENT, record_id, content_language()))


@page("/events/<digits:record_id>/take-back", needs=Right.EDIT, methods=("POST",))
def restore_event(record_id: int) -> Response:
    """Take an event out of the trash, as a draft or as it was."""
    return removing.take_back(StoredEvent.find(EVENT, record_id, content_language()))


@page("/series/<digits:record_id>/trash", needs=Right.EDIT, methods=("POST",))
def trash_series(record_id: int) -> Response:
    """Move a series and all its events to the trash."""
    return removing.trash(StoredEvent.find(SERIES, record_id, content_language()))


@page("/series/<digits:record_id>/take-back", needs=Right.EDIT, methods=("POST",))
def restore_series(record_id: int) -> Response:
    """Take a series out of the trash with the events that went there with it."""
    return removing.take_back(StoredEvent.find(SERIES, record_id, content_language()))


@page("/events/<digits:record_id>/cancel", needs=Right.EDIT, methods=("POST",))
def cancel_event(record_id: int) -> Response:
    """Call one event off, with a reason."""
    return removing.call_off(StoredEvent.find(EVENT, record_id, content_language()))


@page("/events/reading", needs=Right.EDIT, methods=("POST",))
def read_form() -> Response:
    """Show how dates and price of a form are read."""
    reading = reading_of(sent_values(current.request().form), notation())
    return render("event_reading.html", reading=reading)


@page("/events/suggestions", needs=Right.EDIT)
def suggestions() -> Response:
    """Return venues or organizers that match a text by name or place."""
    sent = current.request().args
    name = "organizer" if sent.get("kind") == "organizer" else "venue"
    found = suggest(name, sent.get("text", "")[:100])
    return jsonify([{"id": each.id, "label": each.label} for each in found])


def _edit(kind: Kind, record_id: int) -> Response:
    event = StoredEvent.find(kind, record_id, content_language())
    if current.request().method == "POST":
        return sending.send_change(event)
    return show(EventForm.of(event, event.values(notation())))
