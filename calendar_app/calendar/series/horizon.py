"""Adds the occurrences of series as time passes."""

from functools import partial

from calendar_app.calendar.auditing import note_change
from calendar_app.calendar.series.schedule import Schedule
from calendar_app.calendar.series.writer import SeriesWriter
from calendar_app.calendar.writing.retrying import retry_conflicts
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import TRASH
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import Clause, all_of, before, differs, one_of

_BATCH = 20  # series of a transaction


class Horizon:
    """Extends series up to the horizon of today."""

    def __init__(
        self, store: Store, series: Kind, writer: SeriesWriter, schedule: Schedule
    ) -> None:
        self._store = store
        self._series = series
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
            ids = one_of("_id", [each["_id"] for each in series])
            total += retry_conflicts(self._store, partial(self._extend, all_of([due, ids])))
        return total

    def _extend(self, due: Clause) -> int:
        """Extend the series that another process has not extended meanwhile."""
        series: list[Record] = self._store.of(self._series).find(due)
        return sum(map(self._extend_one, series))

    def _extend_one(self, series: Record) -> int:
        number = self._writer.extend(series)
        if number:
            note_change("extend", self._series, series["_id"])
        return number
