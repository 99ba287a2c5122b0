"""Adds the occurrences of series as time passes, and missing ones."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from calendar_app.calendar.auditing import note_change
from calendar_app.calendar.series.members import OccurrencePlanner
from calendar_app.calendar.series.occurrences import RECURRENCE_ID
from calendar_app.calendar.series.schedule import Schedule
from calendar_app.calendar.writing.attempts import retry_conflicts
from calendar_app.calendar.writing.changes import Change, difference
from calendar_app.calendar.writing.writer import Writer
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import TRASH
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    Clause,
    after,
    all_of,
    before,
    differs,
    identified,
    one_of,
)

_BATCH = 20  # series of a transaction


@dataclass(frozen=True, slots=True)
class Deviation:
    """The dates at which the stored occurrences of a series are not those of its rule.

    ``surplus`` are those outside the trash that the rule does not give.
    """

    series: int
    missing: Sequence[datetime]
    surplus: Sequence[datetime]


class Horizon:
    """Extends series up to the horizon of today."""

    def __init__(
        self,
        store: Store,
        kinds: tuple[Kind, Kind],
        occurrences: OccurrencePlanner,
        writer: Writer,
        schedule: Schedule,
    ) -> None:
        self._store = store
        self._events, self._series = kinds
        self._occurrences = occurrences
        self._writer = writer
        self._schedule = schedule

    def extend(self) -> int:
        """Add the occurrences of all series that are due, and return their number.

        Safe in several processes at once: each occurrence is added by one of them.
        """
        due = all_of([before("expanded_until", self._schedule.horizon()), differs("status", TRASH)])
        total = 0
        records = self._store.of(self._series)
        while series := records.find(due, limit=_BATCH, fields=["_id"]):
            total += self._extend_all(due, [each["_id"] for each in series], whole=False)
        return total

    def complete(self, series: int) -> int:
        """Add the occurrences that a series lacks, and return their number."""
        return self._extend_all(differs("status", TRASH), [series], whole=True)

    def deviations(self) -> Iterator[Deviation]:
        """Yield the series with deviating occurrences; dates before the listed ones do not count.

        Dates that ``extend`` is about to add are not missing yet.
        """
        last = 0
        untrashed = differs("status", TRASH)
        while True:
            own = all_of([after("_id", last), untrashed])
            batch = self._store.in_snapshot(partial(self._with_dates, own))
            if not batch:
                return
            for series, dates in batch:
                deviation = self._deviation(series, dates)
                if deviation.missing or deviation.surplus:
                    yield deviation
            last = batch[-1][0]["_id"]

    def _with_dates(self, clause: Clause) -> list[tuple[Record, dict[datetime, bool]]]:
        """Return the next series, each with its stored dates, and whether these are trashed."""
        records = self._store.of(self._series).find(clause, order=[("_id", 1)], limit=_BATCH)
        dates: dict[int, dict[datetime, bool]] = {series["_id"]: {} for series in records}
        fields = ("series", RECURRENCE_ID, "status")
        for event in self._store["events"].find(one_of("series", dates), fields=fields):
            dates[event["series"]][event[RECURRENCE_ID]] = event["status"] == TRASH
        return [(series, dates[series["_id"]]) for series in records]

    def _deviation(self, series: Record, stored: dict[datetime, bool]) -> Deviation:
        is_due = series["expanded_until"] < self._schedule.horizon()
        dates, _ = self._schedule.expansion(series, stored)
        missing: Collection[datetime] = () if is_due else dates.keys() - stored.keys()
        surplus = {start for start, is_trashed in stored.items() if not is_trashed} - dates.keys()
        return Deviation(series["_id"], sorted(missing), sorted(surplus))

    def _extend_all(self, due: Clause, ids: Sequence[int], *, whole: bool) -> int:
        clause = all_of([due, one_of("_id", ids)])
        return retry_conflicts(self._store, partial(self._extend, clause, whole=whole))

    def _extend(self, due: Clause, *, whole: bool) -> int:
        """Store missing occurrences, unless another process has added them meanwhile.

        That they were extended is no change of them.
        """
        all_series: list[Record] = self._store.of(self._series).find(due)
        extensions = self._occurrences.extensions(all_series, whole=whole)
        occurrences = [record for new, _ in extensions for record in new]
        self._writer.apply(
            [Change(self._events, {}, record, "", in_history=False) for record in occurrences]
        )
        updates = []
        for series, (new, fields) in zip(all_series, extensions, strict=True):
            own = {name: value for name, value in series.items() if name != "dates_from"}
            if update := difference(series, own | fields):
                updates.append((identified(series["_id"]), update))
            if new:
                note_change("extend", self._series, series["_id"])
        if updates:
            self._store.of(self._series).change_each(updates)
        return len(occurrences)
