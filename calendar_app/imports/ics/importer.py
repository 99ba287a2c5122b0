"""Imports the events of iCalendar files, each once however often the import is repeated."""

from calendar_app.accounts.policy import Caller
from calendar_app.calendar.bulk.calendar_editor import CalendarEditor
from calendar_app.calendar.bulk.records import Outcome
from calendar_app.imports.ics.reading import ParsedCalendar
from calendar_app.imports.tec.importer import Progress
from calendar_app.imports.tec.report import Report
from calendar_app.kinds import EVENT

# Records of earlier imports that are read at once.
_BATCH = 100


def import_calendar(
    calendar: ParsedCalendar, editor: CalendarEditor, caller: Caller, progress: Progress
) -> Report:
    """Write all events of a calendar, and report the outcome of each."""
    report = Report()
    for label, reason in calendar.refused:
        report.refuse(EVENT.name, label, reason)
    for first in range(0, len(calendar.events), _BATCH):
        events = calendar.events[first : first + _BATCH]
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
        progress(EVENT.name, len(events), len(calendar.events))
    return report
