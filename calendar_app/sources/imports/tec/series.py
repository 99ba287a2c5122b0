"""Imports the dates of recurring events of a site, each event as one series."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from calendar_app.calendar.series.members import StoredSeries
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import SERIES
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.imports.tec.counterparts import Counterparts
from calendar_app.sources.imports.tec.dates import DatesOfSeries, ImportedDate
from calendar_app.sources.imports.tec.joining import JoinPlan
from calendar_app.sources.imports.tec.reading import ParsedRecord
from calendar_app.sources.notes import Stored
from calendar_app.sources.planning import EventKey
from calendar_app.sources.pushing import Pusher
from calendar_app.sources.results import Outcome, Result
from calendar_app.sources.source import Source

# Series that are read at once.
_BATCH = 100


@dataclass(slots=True)
class SeriesImporter:
    """Collects dates of series from all pages of a site; ``pusher`` writes them in the end."""

    pusher: Pusher
    here: Counterparts
    members: StoredSeries
    plan: JoinPlan
    source: Source
    zone: str
    _series: dict[str, dict[str, ImportedDate]] = field(default_factory=dict)

    def add(self, record: ParsedRecord, links: Record) -> None:
        """Hold a date until all of its series are known."""
        changes = self.here.with_picture({"all_day": False, **record.changes, **links})
        changes["timezone"] = changes.get("timezone") or self.zone
        date = ImportedDate(record, changes)
        self._series.setdefault(date.source, {})[record.source] = date

    def run(self, now: datetime) -> Iterator[Result | ParsedRecord]:
        """Write all series; yield their results, and dates of a second language without a series.

        These are to be imported as events.
        """
        series = [list(dates.values()) for dates in self._series.values()]
        for first in range(0, len(series), _BATCH):
            batch = series[first : first + _BATCH]
            uids = [dates[0].source for dates in batch]
            stored_by_name = self.pusher.known.named(uids)
            stored_series: dict[EventKey, tuple[Kind, Record]] = {
                EventKey(uid): stored for uid, stored in stored_by_name.items()
            }
            stored_series |= self.pusher.known.records(self.source.id, uids)
            yield from self._import(batch, stored_series, now)

    def _import(
        self,
        batch: Sequence[Sequence[ImportedDate]],
        stored_series: Mapping[EventKey, tuple[Kind, Record]],
        now: datetime,
    ) -> Iterator[Result | ParsedRecord]:
        joined: dict[EventKey, Stored] = {}
        events: list[tuple[Sequence[ImportedDate], CalendarEvent]] = []
        for dates in batch:
            key = EventKey(dates[0].source)
            stored = Stored(*stored_series[key]) if key in stored_series else self._joined(dates)
            if stored is not None:
                joined[key] = stored
            elif self.plan.second and not self.plan.create_missing:
                yield from (date.record for date in dates)
                continue
            try:
                events.append((dates, self._event(dates, stored)))
            except ValueError as error:  # A date that there is not, for example.
                yield Result(Outcome.REFUSED, dates[0].record.label, key.uid, reason=str(error))
        results = self.pusher.write([event for _, event in events], now, {}, joined)
        for (dates, event), result in zip(events, results, strict=True):
            self._note(dates, result, is_new=EventKey(event.uid) not in stored_series)
            yield result

    def _event(self, dates: Sequence[ImportedDate], stored: Stored | None) -> CalendarEvent:
        series = DatesOfSeries(dates, self.source.language)
        joins = self.plan.second and stored is not None
        return series.texts_for(stored.record) if stored and joins else series.event()

    def _joined(self, dates: Sequence[ImportedDate]) -> Stored | None:
        """Return the series that the dates of a second language translate."""
        ids = [self.plan.ids[d.record.source] for d in dates if d.record.source in self.plan.ids]
        series = self.members.series_among(ids) if ids else None
        return Stored(SERIES, series) if series else None

    def _note(self, dates: Sequence[ImportedDate], result: Result, *, is_new: bool) -> None:
        result.records = len(dates)
        if result.outcome is Outcome.REFUSED:
            return
        for record in (date.record for date in dates):
            result.dropped += record.dropped
            if is_new and record.source in self.plan.methods:
                result.joins.append(self.plan.methods[record.source])
