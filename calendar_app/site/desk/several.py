"""Actions on several records of a table at once, and their undo."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from flask import Response, request

from calendar_app.accounts.callers import Caller, Right
from calendar_app.accounts.policy import may_read, require_role, restored_status
from calendar_app.api.http.request import current
from calendar_app.calendar.several import MOST_AT_ONCE, BulkEditOutcome, RecordWrite
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import BY_NAME, EVENT, ORGANIZER, VENUE
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.statuses import CANCELED, DRAFT, PUBLISH, TRASH
from calendar_app.errors import CalendarError, Message, NotFound, PreconditionFailed
from calendar_app.readmodel.records import local_text
from calendar_app.site.desk.event_form.saving import change_values
from calendar_app.site.desk.event_form.showing import content_language, notation
from calendar_app.site.desk.event_form.stored_event import StoredEvent
from calendar_app.site.desk.event_form.views import taken_back
from calendar_app.site.desk.events_table import matching_events
from calendar_app.site.desk.history import reason_of
from calendar_app.site.desk.rendering import Undo, gettext, message_text, notify, see
from calendar_app.site.desk.routing import page
from calendar_app.site.pages.forms import ControlValues

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
    if action == "add_category":
        return _adding("categories", values.get("category", "").strip())
    if action == "add_tag":
        # It is typed, so that even "1291" is a name.
        tag = values.get("tag", "").strip()
        return _adding("tags", {"name": tag} if tag else "")
    changed = {
        "publish": {"status": PUBLISH},
        "draft": {"status": DRAFT},
        "call_off": {"event_status": CANCELED},
    }
    if action in changed:
        return of_event(lambda _: changed[action])
    return {"trash": to_trash(EVENT), "restore": _restore_event}.get(action)


def _adding(name: str, term: str | Mapping[str, str]) -> RecordWrite | None:
    """Return the write that adds a term beside the others; ``None`` without one."""
    return of_event(lambda event: {name: [*event.record[name], term]}) if term else None


def of_event(values_of: Callable[[StoredEvent], ControlValues]) -> RecordWrite:
    def write(event_id: int) -> Record:
        event = readable(event_id)
        return change_values(event, values_of(event), notation(event))

    return write


def _restore_event(event_id: int) -> Record:
    return taken_back(readable(event_id))


def readable(event_id: int) -> StoredEvent:
    _require_readable(EVENT, event_id)
    return StoredEvent.find(EVENT, event_id, content_language())


def _require_readable(kind: Kind, record_id: int) -> Record:
    """Return a record; raise ``NotFound`` for users who may not read it."""
    context = current.context()
    record = context.reader.find(kind, record_id)
    if record is None or not may_read(context.caller, record):
        raise NotFound(kind.singular, record_id)
    return record


def to_trash(kind: Kind) -> RecordWrite:
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
        "trash": to_trash(kind),
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
        notify_outcome(chosen, outcome, path, remaining)
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
        return matching_events(query, MOST_AT_ONCE)
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


def notify_outcome(
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
        reason = refusal_in_words(error)
        reasons.setdefault(reason, []).append(names.get(record_id, str(record_id)))
    for reason, titles in reasons.items():
        listed = ", ".join(titles[:_MOST_NAMED])
        if len(titles) > _MOST_NAMED:
            listed += gettext(" and {number} more").format(number=len(titles) - _MOST_NAMED)
        notify(Message("Not changed: {titles}. {reason}", titles=listed, reason=reason), "problem")


def refusal_in_words(error: CalendarError) -> str:
    """Return in the user's language why a record was not changed."""
    if isinstance(error, NotFound):
        return message_text(_NOT_THERE)
    return message_text(_SINCE if isinstance(error, PreconditionFailed) else reason_of(error))


def _names(kind: Kind, ids: Sequence[int]) -> dict[int, str]:
    """Return the names of records that the user may read."""
    context = current.context()
    records = context.reader.records_of({kind.name: set(ids)}) if ids else {}
    return {
        record["_id"]: local_text(record, kind.label, context.chain).text
        for record in records.values()
        if record and may_read(context.caller, record)
    }
