"""Imports the events of iCalendar files, each once however often the import is repeated."""

from uuid import UUID

from calendar_app.accounts.policy import Caller
from calendar_app.calendar.bulk.calendar_editor import CalendarEditor
from calendar_app.calendar.bulk.calendar_events import CalendarEvent
from calendar_app.calendar.bulk.records import Outcome
from calendar_app.feeds.feed import event_uid
from calendar_app.imports.ics.reading import ParsedCalendar, uid_of
from calendar_app.imports.tec.importer import Progress
from calendar_app.imports.tec.report import Report
from calendar_app.kinds import EVENT

# Records of earlier imports that are read at once.
_BATCH = 100
# The version of the UUIDs in feeds of this program.
_NAMED = 5


def import_calendar(
    calendar: ParsedCalendar, editor: CalendarEditor, caller: Caller, progress: Progress
) -> Report:
    """Write all events of a calendar, and report the outcome of each.

    Events that come from a feed of this calendar stay as they are.
    """
    report = Report()
    for label, reason in calendar.refused:
        report.refuse(EVENT.name, label, reason)
    for label, words in calendar.left_out:
        report.omit(label, words)
    own = _own_uids(calendar, editor)
    events = [event for event in calendar.events if uid_of(event) not in own]
    for _ in range(len(calendar.events) - len(events)):
        report.note(EVENT.name, Outcome.UNCHANGED)
    report.recognize(len(calendar.events) - len(events))
    for first in range(0, len(events), _BATCH):
        batch = events[first : first + _BATCH]
        _take(batch, editor, caller, report)
        progress(EVENT.name, len(batch), len(events))
    return report


def _take(
    events: list[CalendarEvent], editor: CalendarEditor, caller: Caller, report: Report
) -> None:
    stored = editor.find_imported([event.source for event in events])
    for event in events:
        imported = editor.take(event, stored.get(event.source), caller)
        if imported.result.outcome is Outcome.REFUSED:
            report.refuse(EVENT.name, event.label, imported.result.reason)
        else:
            report.note(EVENT.name, imported.result.outcome)
        for label, reason in imported.refused_dates:
            report.refuse(EVENT.name, label, reason)
        if imported.dates_from:
            report.shorten(event.label, imported.dates_from)


def _own_uids(calendar: ParsedCalendar, editor: CalendarEditor) -> set[str]:
    """Return the UIDs under which feeds of this calendar have its events."""
    identity = editor.identity()
    if not identity or not any(map(_is_named_uuid, map(uid_of, calendar.events))):
        return set()
    return {str(event_uid(UUID(identity), number)) for number in editor.event_ids()}


def _is_named_uuid(uid: str) -> bool:
    try:
        return UUID(uid).version == _NAMED
    except ValueError:
        return False
