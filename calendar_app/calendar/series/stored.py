"""Reads series and their occurrences, inside the transaction that runs."""

from calendar_app.calendar.series.occurrences import RECURRENCE_ID
from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import TRASH
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import all_of, before, differs, equals, identified


class StoredSeries:
    """The series and occurrences of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def series_of(self, event: Record) -> Record | None:
        """Return the series of an event; ``None`` for a single event."""
        if "series" not in event:
            return None
        return self._store["series"].first(identified(event["series"]))

    def occurrences(self, series: Record) -> list[Record]:
        """Return all occurrences of a series by date, trashed ones included."""
        clause = equals("series", series["_id"])
        return self._store["events"].find(clause, order=[(RECURRENCE_ID, 1)])

    def is_first(self, series: Record, occurrence: Record) -> bool:
        """Return whether no earlier occurrence is left outside the trash."""
        earlier = [
            equals("series", series["_id"]),
            before(RECURRENCE_ID, occurrence[RECURRENCE_ID]),
            differs("status", TRASH),
        ]
        return self._store["events"].first(all_of(earlier), ["_id"]) is None
