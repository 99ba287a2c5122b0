"""Linked records of events, and facts about series; cached until the next write."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import hidden_from, may_edit, may_read, visible_to
from calendar_app.domain.kind import Record
from calendar_app.domain.moments import Now
from calendar_app.domain.provenance import INHERITED, NOTES
from calendar_app.domain.recurrence.changing import concealing
from calendar_app.domain.recurrence.rules import Recurrence, recurrence_of, span_of
from calendar_app.domain.statuses import TRASH
from calendar_app.storage.mongo.editions import CachedValues, DocumentKey
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    NOTHING,
    Clause,
    all_of,
    at_least,
    differs,
    equals,
    one_of,
)
from calendar_app.storage.query.stages import Stages

# By kind and id; ``None`` for a missing record.
CachedRecords = CachedValues
Linked = Mapping[str, Mapping[int, Record]]
# The fields of an event that hold ids, each also the name of the kind that they are of.
LINKED = ("venues", "organizers")
TAXONOMIES = ("categories", "tags")
LINKS = (*LINKED, *TAXONOMIES)


class Links:
    """Reads linked records through the cache."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def visible(
        self, events: Sequence[Record], caller: Caller, cached: CachedRecords | None = None
    ) -> dict[str, Mapping[int, Record]]:
        """Return the linked records that the caller may read, and all pictures."""
        linked = self._of(events, self._store.cached_values() if cached is None else cached)
        for name in LINKED:
            linked[name] = {
                key: record for key, record in linked[name].items() if is_shown(caller, record)
            }
        visible = [*events, *linked["venues"].values(), *linked["organizers"].values()]
        return {**linked, **self.pictures(visible)}

    def pictures(self, records: Iterable[Record]) -> Linked:
        """Return the pictures of the records; those at other sites have no record."""
        ids = {record["image"] for record in records if isinstance(record.get("image"), int)}
        return {"media": self._by_ids("media", ids)}

    def records(self, link_ids: Mapping[str, Collection[int]]) -> CachedRecords:
        """Return the records with these ids."""
        return self.records_beside(link_ids, ())[0]

    def records_beside(
        self, link_ids: Mapping[str, Collection[int]], others: Sequence[tuple[str, Stages]]
    ) -> tuple[CachedRecords, list[list[Record]]]:
        """Return the records with these ids, and the results of ``others``, in one query."""
        missing = {name: sorted(ids) for name, ids in link_ids.items() if ids}
        own = [(name, [{"$match": one_of("_id", ids)}]) for name, ids in missing.items()]
        results = self._store.aggregate_each([*own, *others])
        records = _with({}, missing, dict(zip(missing, results, strict=False)))
        return records, results[len(own) :]

    def _of(self, events: Sequence[Record], cached: CachedRecords) -> dict[str, dict[int, Record]]:
        link_ids = {name: {link for event in events for link in event[name]} for name in LINKS}
        missing = {
            name: sorted(i for i in ids if (name, i) not in cached)
            for name, ids in link_ids.items()
        }
        missing = {name: ids for name, ids in missing.items() if ids}
        if missing:
            cached = _with(cached, missing, self._store.find_by_ids(missing))
        return {
            name: {i: cached[name, i] for i in sorted(ids) if cached[name, i]}
            for name, ids in link_ids.items()
        }

    def _by_ids(self, name: str, ids: Collection[int]) -> dict[int, Record]:
        if not ids:
            return {}
        cached = self._store.cached_values()
        missing = {name: sorted(i for i in ids if (name, i) not in cached)}
        if missing[name]:
            cached = _with(cached, missing, self._store.find_by_ids(missing))
        return {i: cached[name, i] for i in sorted(ids) if cached[name, i]}


def readable_overrides(event: Record, series: Record, linked: Linked) -> list[str]:
    """Return the paths that an event overrides, venues and organizers as far as ``linked``."""
    return [
        path
        for path in event["overrides"]
        if path not in LINKED or _readable(event, path, linked) != _readable(series, path, linked)
    ]


def _readable(record: Record, name: str, linked: Linked) -> list[int]:
    return [number for number in record[name] if number in linked[name]]


def is_shown(caller: Caller, record: Record) -> bool:
    """Return whether events show a linked venue or organizer to the caller."""
    return record["status"] != TRASH and may_read(caller, record)


def _with(
    cached: CachedRecords, ids_by_kind: Mapping[str, Sequence[int]], linked: Mapping[str, Any]
) -> CachedRecords:
    """Cache the linked records, and ``None`` for missing ones."""
    for name, ids in ids_by_kind.items():
        there = {record["_id"]: record for record in linked.get(name, ())}
        cached.update({DocumentKey(name, i): there.get(i) for i in ids})
    return cached


# Facts about series that their occurrences show: recurrence, next date, number of events.

_FIELDS = (
    *(
        "recurrence",
        "dates_from",
        "status",
        "status_before_trash",
        "author",
        "password",
        "continues",
        NOTES,
        INHERITED,
        "lineage",
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
        """Return the facts about the series of records, by id; one query for all of them."""
        ids = {record["series"] for record in records if "series" in record}
        ids |= {record["_id"] for record in records if "recurrence" in record}
        if not ids:
            return {}
        now = self._now().replace(second=0, microsecond=0)

        def look_up(keys: Collection[int]) -> dict[int, SeriesFacts | None]:
            return self._facts(keys, caller, now)

        name = f"series for {caller} at {now}"
        facts = self._store.cached_lookup(name, sorted(ids), look_up)
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

    def _facts(
        self, ids: Collection[int], caller: Caller, now: datetime
    ) -> dict[int, SeriesFacts | None]:
        coming = {"$cond": [{"$gte": ["$start", now]}, "$start_local", _NEVER]}
        counted = {"_id": "$series", "count": {"$sum": 1}, "next": {"$min": coming}}
        visible = all_of([one_of("series", ids), visible_to(caller)])
        own = [{"$match": one_of("_id", ids)}, {"$project": dict.fromkeys(_FIELDS, 1)}]
        asked: list[tuple[str, Stages]] = [
            ("series", own),
            ("events", [{"$match": visible}, {"$group": counted}]),
        ]
        if concealed := _hidden(ids, caller):
            asked.append(("events", concealed))
        records, groups, *hidden_events = self._store.aggregate_each(asked)
        hidden = _dates(chain.from_iterable(hidden_events))
        group_of = {group["_id"]: group for group in groups}
        facts: dict[int, SeriesFacts | None] = dict.fromkeys(ids)
        for record in records:
            if not may_read(caller, record):
                continue
            group = group_of.get(record["_id"], {"count": 0, "next": None})
            start = group["next"]
            coming_start = None if start == _NEVER else start
            recurrence = _shown_recurrence(record, hidden.get(record["_id"], ()), caller)
            facts[record["_id"]] = SeriesFacts(record, recurrence, coming_start, group["count"])
        return facts


def _hidden(ids: Collection[int], caller: Caller) -> list[Record]:
    """Return stages that find the events of series that a caller does not see, if there are any."""
    hidden = hidden_from(caller)
    if hidden == NOTHING:
        return []
    clause = all_of([one_of("series", ids), hidden])
    return [{"$match": clause}, {"$project": dict.fromkeys(("series", "recurrence_id"), 1)}]


def _dates(events: Iterable[Record]) -> dict[int, list[datetime]]:
    """Return the dates of events by their series."""
    dates: dict[int, list[datetime]] = {}
    for event in events:
        dates.setdefault(event["series"], []).append(event["recurrence_id"])
    return dates


def _shown_recurrence(series: Record, hidden: Collection[datetime], caller: Caller) -> Recurrence:
    recurrence = recurrence_of(series)
    if may_edit(caller, series):
        return recurrence
    return concealing(recurrence, span_of(series), hidden)
