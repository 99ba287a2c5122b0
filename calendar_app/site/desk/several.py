"""Actions on several records of a table at once, and their undo."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from urllib.parse import parse_qsl

from flask import Response, request

from calendar_app.accounts.policy import Caller, Right, may_read, require_role, restored_status
from calendar_app.api.http.request import current
from calendar_app.calendar.several import BulkEditOutcome, RecordWrite
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import BY_NAME, EVENT, ORGANIZER, VENUE
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.statuses import CANCELED, DRAFT, PUBLISH, SCHEDULED, TRASH
from calendar_app.domain.texts.written_dates import is_clock
from calendar_app.errors import CalendarError, Message, NotFound, PreconditionFailed
from calendar_app.readmodel.records import local_text
from calendar_app.site.desk.event_form.dates import CALL_OFF, LEAVE_OUT, MOVE, PUT_BACK, with_length
from calendar_app.site.desk.event_form.fields import StoredEvent
from calendar_app.site.desk.event_form.occurrences import date_controls, moved_texts, named
from calendar_app.site.desk.event_form.saving import MOVED, change_values
from calendar_app.site.desk.event_form.showing import content_language, notation
from calendar_app.site.desk.event_form.views import taken_back
from calendar_app.site.desk.events_table import matching_events
from calendar_app.site.desk.history import reason_of
from calendar_app.site.desk.rendering import Undo, gettext, message_text, notify, see
from calendar_app.site.desk.routing import page
from calendar_app.site.pages.forms import ControlValues

MOST_AT_ONCE = 1000
_UNITE, _PAIR = "unite", 2
_MOST_NAMED = 5
_NOT_THERE = Message("It does not exist any more.")
_CHANGED = Message("Changed: {number}.")
_BACK = Message("As before: {number}.")
_TOO_LATE = Message("This is too long ago to be taken back.")
_SINCE = Message("Somebody has changed it since.")
_MORE = Message("{number} more match. Do it again for them.")


# Actions, by the kind of the records.


def _events_action(action: str, values: Mapping[str, str]) -> RecordWrite | None:
    """Return the action on each event; ``None`` for an unknown action or a missing term."""
    added = {"add_category": ("categories", "category"), "add_tag": ("tags", "tag")}
    if action in added:
        name, control = added[action]
        term = values.get(control, "").strip()
        return _of_event(lambda event: {name: [*event.record[name], term]}) if term else None
    changed = {
        "publish": {"status": PUBLISH},
        "draft": {"status": DRAFT},
        "call_off": {"event_status": CANCELED},
    }
    if action in changed:
        return _of_event(lambda _: changed[action])
    return {"trash": _to_trash(EVENT), "restore": _restore_event}.get(action)


def _of_event(values_of: Callable[[StoredEvent], ControlValues]) -> RecordWrite:
    def write(event_id: int) -> Record:
        event = _readable(event_id)
        return change_values(event, values_of(event), notation(event))

    return write


def _restore_event(event_id: int) -> Record:
    return taken_back(_readable(event_id))


def _readable(event_id: int) -> StoredEvent:
    _require_readable(EVENT, event_id)
    return StoredEvent.find(EVENT, event_id, content_language())


def _require_readable(kind: Kind, record_id: int) -> Record:
    """Return a record; raise ``NotFound`` for users who may not read it."""
    context = current.context()
    record = context.reader.find(kind, record_id)
    if record is None or not may_read(context.caller, record):
        raise NotFound(kind.singular, record_id)
    return record


def _to_trash(kind: Kind) -> RecordWrite:
    context = current.context()

    def write(record_id: int) -> Record:
        _require_readable(kind, record_id)
        return context.services.editor.remove(kind, record_id, context.caller)

    return write


def _records_action(kind: Kind, action: str) -> RecordWrite | None:
    """Return the action on each venue or organizer."""
    context = current.context()
    editor, caller = context.services.editor, context.caller

    def set_status(status_of: Callable[[Record], str]) -> RecordWrite:
        def write(record_id: int) -> Record:
            status = {"status": status_of(_require_readable(kind, record_id))}
            return editor.change(kind, record_id, status, caller, context.language)

        return write

    return {
        "publish": set_status(lambda _: PUBLISH),
        "draft": set_status(lambda _: DRAFT),
        "trash": _to_trash(kind),
        "restore": set_status(lambda record: _status_before(caller, record)),
    }.get(action)


def _status_before(caller: Caller, record: Record) -> str:
    is_trashed = record["status"] == TRASH
    return restored_status(caller, record) if is_trashed else str(record["status"])


# The pages.

_SEVERAL: Mapping[str, Kind] = MappingProxyType(
    {kind.name: kind for kind in (EVENT, VENUE, ORGANIZER)}
)


@page("/<any(events,venues,organizers):kind>/several", methods=["POST"])
def change_several(kind: str) -> Response:
    """Apply one action to the chosen records, and lead back to the table."""
    context, form = current.context(), request.form
    chosen = _SEVERAL[kind]
    require_role(context.caller, "edit", chosen.singular)
    query = form.get("query", "")
    path = f"/{kind}/?{query}" if query else f"/{kind}/"
    action, is_event = form.get("action", ""), chosen is EVENT
    write = _events_action(action, form) if is_event else _records_action(chosen, action)
    ids, remaining = _chosen_ids(query, is_event=is_event)
    if action == _UNITE and not is_event:
        return _to_union(kind, ids, path)
    if not ids:
        notify(Message("Nothing is chosen."), "warning")
    elif write is None:
        notify(Message("Choose what to do with them."), "warning")
    else:
        outcome = context.services.several.change(chosen, ids, write, context.caller)
        _notify_outcome(chosen, outcome, path, remaining)
    return see(path)


def _to_union(kind: str, ids: Sequence[int], path: str) -> Response:
    """Lead to the page that shows two records side by side."""
    if len(set(ids)) != _PAIR:
        notify(Message("Choose two to merge."), "warning")
        return see(path)
    return see(f"/{kind}/{ids[0]}/unite?with={ids[1]}")


def _chosen_ids(query: str, *, is_event: bool) -> tuple[Sequence[int], int]:
    """Return the chosen records, or all that match; and how many more match."""
    if is_event and request.form.get("all"):
        return matching_events(dict(parse_qsl(query)), MOST_AT_ONCE)
    numbers = map(parse_digits, request.form.getlist("id"))
    return [number for number in numbers if number is not None][:MOST_AT_ONCE], 0


@page("/undo", methods=["POST"], needs=Right.EDIT)
def undo_changes() -> Response:
    """Undo an action on several records, as far as nobody has changed them since."""
    context, form = current.context(), request.form
    path = form.get("back", "")
    several, caller = context.services.several, context.caller
    outcome = several.undo(form.get("key", ""), caller, context.language)
    if outcome is None:
        notify(_TOO_LATE, "warning")
    else:
        kind = BY_NAME.get(form.get("kind", ""), EVENT)
        if outcome.changed:
            notify(Message(_BACK.pattern, number=outcome.changed))
        _notify_refused(kind, outcome)
    is_own = path.startswith("/") and not path.startswith(("//", "/\\"))
    return see(path if is_own else "/events/")


@page("/events/<digits:record_id>/date", methods=["POST"], needs=Right.EDIT)
def change_date(record_id: int) -> Response:
    """Leave out, move or call off one date of a series, or let it take place after all."""
    context, form = current.context(), request.form
    event = _readable(record_id)
    path = f"/series/{event.series_id}" if event.series_id else f"/events/{record_id}"
    writes: Mapping[str, tuple[RecordWrite, Message]] = {
        LEAVE_OUT: (_to_trash(EVENT), Message("Left out: {date}.")),
        PUT_BACK: (_put_back, Message("It takes place: {date}.")),
        CALL_OFF: (_of_event(lambda _: _called_off(form)), Message("Called off: {date}.")),
        MOVE: (_of_event(lambda event: _moved(form, event)), MOVED),
    }
    if form.get("button") in writes:
        write, success = writes[form["button"]]
        outcome = context.services.several.change(EVENT, [record_id], write, context.caller)
        after = _readable(record_id).record
        is_moved = form["button"] == MOVE
        dates = moved_texts(event.record, after) if is_moved else {"date": named(event.record)}
        _notify_outcome(EVENT, outcome, path, success=Message(success.pattern, **dates))
    return see(path)


def _put_back(event_id: int) -> Record:
    event = _readable(event_id)
    if event.record["status"] == TRASH:
        return taken_back(event)
    values = {"event_status": SCHEDULED, "status_reason": ""}
    return change_values(event, values, notation())


def _called_off(form: Mapping[str, str]) -> ControlValues:
    return {"event_status": CANCELED, "status_reason": form.get("status_reason", "").strip()}


def _moved(form: Mapping[str, str], event: StoredEvent) -> ControlValues:
    """Return the times that stand beside a date; an end may have its own day."""
    day, end = form.get("move_day", "").strip(), form.get("move_until", "").strip()
    start = {"start_date": day, "start_time": form.get("move_from", "").strip()}
    how = notation(event)
    before = date_controls(event.record, how)
    is_moved_with_its_end = " " in end and end == before.end and day != before.day
    if not end or is_moved_with_its_end:
        return with_length(start, event.record, how)
    words = end.split()
    places = (place for place in range(len(words)) if is_clock(" ".join(words[place:])))
    place = next(places, len(words))
    return {
        **start,
        "end_date": " ".join(words[:place]),
        "end_time": " ".join(words[place:]),
    }


def _notify_outcome(
    kind: Kind, outcome: BulkEditOutcome, path: str, remaining: int = 0, success: Message = _CHANGED
) -> None:
    if outcome.changed:
        undo = Undo("/undo", {"key": outcome.key, "kind": kind.name, "back": path})
        notify(Message(success.pattern, **success.gaps, number=outcome.changed), undo=undo)
    elif not outcome.refused:
        notify(Message("Nothing had to be changed."))
    _notify_refused(kind, outcome)
    if remaining:
        notify(Message(_MORE.pattern, number=remaining), "warning")


def _notify_refused(kind: Kind, outcome: BulkEditOutcome) -> None:
    """Name the unchanged records, by the reason."""
    reasons: dict[str, list[str]] = {}
    names = _names(kind, [record_id for record_id, _ in outcome.refused])
    for record_id, error in outcome.refused:
        reason = message_text(_reason(error))
        reasons.setdefault(reason, []).append(names.get(record_id, str(record_id)))
    for reason, titles in reasons.items():
        listed = ", ".join(titles[:_MOST_NAMED])
        if len(titles) > _MOST_NAMED:
            listed += gettext(" and {number} more").format(number=len(titles) - _MOST_NAMED)
        notify(Message("Not changed: {titles}. {reason}", titles=listed, reason=reason), "problem")


def _reason(error: CalendarError) -> str:
    if isinstance(error, NotFound):
        return _NOT_THERE
    return _SINCE if isinstance(error, PreconditionFailed) else reason_of(error)


def _names(kind: Kind, ids: Sequence[int]) -> dict[int, str]:
    """Return the names of records that the user may read."""
    context = current.context()
    records = context.reader.records_of({kind.name: set(ids)}) if ids else {}
    return {
        record["_id"]: local_text(record, kind.label, context.chain).text
        for record in records.values()
        if record and may_read(context.caller, record)
    }
