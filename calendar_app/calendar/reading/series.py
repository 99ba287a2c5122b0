"""Facts about series that their occurrences show: recurrence, next date, number of events."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from calendar_app.accounts.policy import Caller, hidden_from, may_edit, may_read, visible_to
from calendar_app.calendar.reading.links import LINKS
from calendar_app.domain.kind import Record
from calendar_app.domain.moments import Now
from calendar_app.domain.recurrence.documents import recurrence_of, span_of
from calendar_app.domain.recurrence.exceptions import concealing
from calendar_app.domain.recurrence.model import Recurrence
from calendar_app.domain.statuses import TRASH
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import NOTHING, Clause, all_of, at_least, differs, equals, one_of

_FIELDS = (
    *(
        "recurrence",
        "dates_from",
        "status",
        "status_before_trash",
        "author",
        "password",
        "continues",
    ),
    *(*LINKS, "image", "parent"),
    *("start", "end", "start_local", "end_local", "timezone", "all_day"),
)

# Behind all dates.
_NEVER = datetime(9999, 12, 31)  # noqa: DTZ001  # a wall clock


@dataclass(frozen=True, slots=True)
class SeriesFacts:
    """A series that the caller may read, with its ``next`` visible start in wall clock.

    From ``dates_from`` on all its dates have events; none means from the first one on.
    In ``recurrence`` hidden dates look like deleted ones, but not to editors of the series.
    """

    record: Record
    recurrence: Recurrence
    next: datetime | None
    count: int

    @property
    def dates_from(self) -> datetime | None:
        dates_from: datetime | None = self.record.get("dates_from")
        return dates_from


class SeriesReader:
    """Reads the facts about series that occurrences show; ``now`` is naive UTC."""

    def __init__(self, store: Store, now: Now) -> None:
        self._store = store
        self._now = now

    def facts(self, records: Iterable[Record], caller: Caller) -> Mapping[int, SeriesFacts]:
        """Return the facts about the series of records, by id; two queries for all of them."""
        ids = {record["series"] for record in records if "series" in record}
        ids |= {record["_id"] for record in records if "recurrence" in record}
        now = self._now().replace(second=0, microsecond=0)

        def look_up(keys: Collection[int]) -> dict[int, SeriesFacts | None]:
            return self._facts(keys, caller, now)

        name = f"series for {caller.role} {caller.id} at {now}"
        facts = self._store.cached_lookup(name, sorted(ids), look_up) if ids else {}
        return {number: fact for number, fact in facts.items() if fact is not None}

    def next_occurrence(self, keys: Collection[str], readable: Clause) -> Record | None:
        """Return the next event of the series with one of these slugs, else the last.

        Both the series and the event are ``readable``.
        """
        series = self._store["series"].first(all_of([one_of("slugs", keys), readable]), ["_id"])
        if series is None:
            return None
        own = all_of([equals("series", series["_id"]), differs("status", TRASH), readable])
        coming = all_of([own, at_least("start", self._now())])
        events = self._store["events"]
        occurrences = events.find(coming, order=[("start_local", 1), ("_id", 1)], limit=1)
        occurrences = occurrences or events.find(
            own, order=[("start_local", -1), ("_id", -1)], limit=1
        )
        return occurrences[0] if occurrences else None

    def hidden_dates(
        self, ids: Collection[int], caller: Caller
    ) -> Mapping[int, Collection[datetime]]:
        """Return the dates of series on which the caller sees no event, by the id of the series."""
        hidden = hidden_from(caller)
        if hidden == NOTHING:
            return {}
        clause = all_of([one_of("series", ids), hidden])
        dates: dict[int, list[datetime]] = {}
        for event in self._store["events"].find(clause, fields=["series", "recurrence_id"]):
            dates.setdefault(event["series"], []).append(event["recurrence_id"])
        return dates

    def _facts(
        self, ids: Collection[int], caller: Caller, now: datetime
    ) -> dict[int, SeriesFacts | None]:
        records = self._store["series"].find(one_of("_id", ids), fields=_FIELDS)
        records = [record for record in records if may_read(caller, record)]
        hidden = self.hidden_dates(ids, caller)
        coming = {"$cond": [{"$gte": ["$start", now]}, "$start_local", _NEVER]}
        counted = {"_id": "$series", "count": {"$sum": 1}, "next": {"$min": coming}}
        visible = all_of([one_of("series", ids), visible_to(caller)])
        stages = [{"$match": visible}, {"$group": counted}]
        groups = {group["_id"]: group for group in self._store["events"].aggregate(stages)}
        facts: dict[int, SeriesFacts | None] = dict.fromkeys(ids)
        for record in records:
            group = groups.get(record["_id"], {"count": 0, "next": None})
            start = group["next"]
            coming_start = None if start == _NEVER else start
            recurrence = _shown(record, hidden.get(record["_id"], ()), caller)
            facts[record["_id"]] = SeriesFacts(record, recurrence, coming_start, group["count"])
        return facts


def _shown(series: Record, hidden: Collection[datetime], caller: Caller) -> Recurrence:
    recurrence = recurrence_of(series)
    if may_edit(caller, series):
        return recurrence
    return concealing(recurrence, span_of(series), hidden)
