"""Events into the trash and out of it, and dates called off."""

from collections.abc import Callable

from flask import Response

from calendar_app.accounts.policy import restored_status
from calendar_app.calendar.series.request import SCOPES, THIS
from calendar_app.desk.event_form.opening import notation
from calendar_app.desk.event_form.saving import change_values
from calendar_app.desk.event_form.stored import StoredEvent
from calendar_app.desk.notices import notify
from calendar_app.desk.rendering import see
from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import CANCELED, TRASH
from calendar_app.errors import CalendarError, Message
from calendar_app.http.errors.refusals import refusal_of
from calendar_app.http.request import current
from calendar_app.kinds import SERIES

_TRASHED = Message("The event is in the trash. It can be taken back here.")
_TAKEN_BACK = Message("The event is back.")
_SERIES_TRASHED = Message("The series and all its events are in the trash.")
_CALLED_OFF = Message("This date is called off.")


def trash(event: StoredEvent) -> Response:
    """Move an event or a series to the trash; an event of one as far as the form says."""
    sent = current.request().form.get("scope", THIS)
    editor, caller = current.editor(), current.caller()
    try:
        editor.remove(
            event.kind, event.record["_id"], caller, scope=sent if sent in SCOPES else THIS
        )
    except CalendarError as error:
        notify(refusal_of(error).message, "problem")
    else:
        notify(_SERIES_TRASHED if event.kind is SERIES else _TRASHED)
    return _back(event)


def take_back(event: StoredEvent) -> Response:
    """Restore an event or a series with its state before, as far as the user may give it."""
    if event.record["status"] == TRASH:
        _notify_of(lambda: taken_back(event), _TAKEN_BACK)
    return _back(event)


def taken_back(event: StoredEvent) -> Record:
    """Return the event as it is out of the trash; one that is not there stays as it is."""
    if event.record["status"] != TRASH:
        return event.record
    status = restored_status(current.caller(), event.record)
    return change_values(event, {"status": status}, notation())


def call_off(event: StoredEvent) -> Response:
    """Call one date off, with the reason of the form."""
    reason = current.request().form.get("status_reason", "").strip()
    values = {"event_status": CANCELED, "status_reason": reason}
    _notify_of(lambda: change_values(event, values, notation()), _CALLED_OFF)
    return see(f"/series/{event.series_id}") if event.series_id else _back(event)


def _notify_of(write: Callable[[], Record], done: Message) -> None:
    """Write, and say that it is done or why it is refused."""
    try:
        write()
    except CalendarError as error:
        notify(refusal_of(error).message, "problem")
    else:
        notify(done)


def _back(event: StoredEvent) -> Response:
    return see(f"/{event.kind.name}/{event.record['_id']}")
