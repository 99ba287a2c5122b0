"""Imports the dates of recurring events, each event as one series."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from calendar_app.accounts.policy import Caller
from calendar_app.calendar.bulk.calendar_editor import CalendarEditor, Stored
from calendar_app.calendar.bulk.editor import BulkEditor
from calendar_app.calendar.bulk.records import Outcome
from calendar_app.domain.kind import Record
from calendar_app.imports.tec.joining import JoinPlan
from calendar_app.imports.tec.occurrences import DatesOfSeries, ImportedDate
from calendar_app.imports.tec.reading import ParsedRecord
from calendar_app.imports.tec.report import Report
from calendar_app.kinds import EVENT

# Series of earlier imports that are read at once.
_BATCH = 100


@dataclass(slots=True)
class SeriesImporter:
    """Collects dates of series from all pages of a site, and writes them in the end.

    ``editor`` writes series, ``events`` knows the pictures of the import.
    """

    editor: CalendarEditor
    events: BulkEditor
    report: Report
    plan: JoinPlan
    caller: Caller
    language: str
    zone: str
    _series: dict[str, dict[str, ImportedDate]] = field(default_factory=dict)

    def add(self, record: ParsedRecord, links: Record) -> None:
        """Hold a date until all of its series are known."""
        changes = {"all_day": False, **record.changes, **links}
        changes["timezone"] = changes.get("timezone") or self.zone
        if changes.get("image") in self.events.pictures:
            changes["image"] = self.events.pictures[changes["image"]]
        date = ImportedDate(record, changes)
        self._series.setdefault(date.source, {})[record.source] = date

    def run(self) -> list[ParsedRecord]:
        """Write all series; return the dates of a second language that no series here has."""
        sources = list(self._series)
        rest: list[ParsedRecord] = []
        for first in range(0, len(sources), _BATCH):
            batch = sources[first : first + _BATCH]
            stored = self.editor.find_imported(batch)
            for source in batch:
                dates = list(self._series[source].values())
                rest += self._import(dates, stored.get(source))
        return rest

    def _import(
        self, dates: Sequence[ImportedDate], known: Stored | None
    ) -> Iterator[ParsedRecord]:
        stored = known or self._joined(dates)
        if self.plan.second and stored is None and not self.plan.create_missing:
            yield from (date.record for date in dates)
            return
        series = DatesOfSeries(dates, self.language)
        joins = self.plan.second and stored is not None
        event = series.texts_for(stored.record) if stored and joins else series.event()
        imported = self.editor.take(event, stored, self.caller)
        if imported.result.outcome is Outcome.REFUSED:
            self.report.refuse(EVENT.name, event.label, imported.result.reason)
            return
        for date in dates:
            self._note(date.record, imported.result.outcome, is_new=known is None)
        for label, reason in imported.refused_dates:
            self.report.refuse(EVENT.name, label, reason)

    def _joined(self, dates: Sequence[ImportedDate]) -> Stored | None:
        """Return the series that the dates of a second language translate."""
        ids = [self.plan.ids[d.record.source] for d in dates if d.record.source in self.plan.ids]
        return self.editor.series_among(ids) if ids else None

    def _note(self, record: ParsedRecord, outcome: Outcome, *, is_new: bool) -> None:
        self.report.note(EVENT.name, outcome)
        self.report.drop(record.label, record.invalid_addresses)
        if is_new and record.source in self.plan.methods:
            self.report.join(EVENT.name, self.plan.methods[record.source])
