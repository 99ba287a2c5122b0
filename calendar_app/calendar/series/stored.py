"""Reads series and their occurrences, inside the transaction that runs."""

from collections.abc import Callable

from calendar_app.accounts.policy import Caller
from calendar_app.calendar.series.occurrences import RECURRENCE_ID
from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import TRASH
from calendar_app.errors import NotAllowed
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import all_of, at_least, before, differs, equals, identified

# ``may_edit`` or ``may_delete``.
MayWrite = Callable[[Caller, Record], bool]
_OWNERSHIP = ("author", "status", "status_before_trash")


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

    def require_rights(
        self, caller: Caller, series: Record, may: MayWrite, *, since: Record, force: bool = False
    ) -> None:
        """Refuse a write of occurrences ``since`` one, or of a whole series, if one is protected.

        ``may`` is ``may_edit`` or ``may_delete``. Trashed occurrences count with ``force`` alone.
        """
        own = [equals("series", series["_id"])]
        if RECURRENCE_ID in since:
            own.append(at_least(RECURRENCE_ID, since[RECURRENCE_ID]))
        if not force:
            own.append(differs("status", TRASH))
        events = self._store["events"].find(all_of(own), fields=_OWNERSHIP)
        if not all(may(caller, event) for event in events):
            raise NotAllowed

    def is_first(self, series: Record, occurrence: Record) -> bool:
        """Return whether no earlier occurrence is left outside the trash."""
        earlier = [
            equals("series", series["_id"]),
            before(RECURRENCE_ID, occurrence[RECURRENCE_ID]),
            differs("status", TRASH),
        ]
        return self._store["events"].first(all_of(earlier), ["_id"]) is None
