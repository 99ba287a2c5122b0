"""How many events each filter beside a list would leave, in one aggregation."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calendar_app.calendar.reading.kept_lists import KeptLists
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, TAG
from calendar_app.domain.ledger import MARKS
from calendar_app.storage.cache_memory import size_of
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.totals import Counting, TotalCounts
from calendar_app.storage.query.clauses import EVERYTHING, Clause
from calendar_app.storage.query.stages import Stages

_EVENTS = "events"
_TERMS = (CATEGORY, TAG)
_MOST_TERMS = 1000
# No index has all that is counted, so each event is read: 20,000 take about 100 ms.
_MOST_EVENTS = 20_000
# Fewer are read in the time that it takes to ask what changed.
_FEW = 200
# So many tell which values are frequent where there are too many to count.
_SAMPLE = 1000
# Finds the clause by which events are read soonest, and how many match.
Find = Callable[[], tuple[Clause, int]]
_Groups = Mapping[str, list[tuple[Any, int]]]
_TermsById = Mapping[str, Mapping[int, Record]]
_TERM_FIELDS = {"variants": 1, MARKS: 1, "ancestors": 1, "parent": 1, "count": 1}


@dataclass(frozen=True, slots=True)
class Facet:
    """A count of each value of ``field``, or of all matches.

    With ``by_series`` a series counts once, with the values of all its matches. The values of a
    list count together, as a tuple, or each by itself where they are ``apart``. With ``of_series``
    dates have the id of their series as their value.
    """

    clause: Clause
    field: str = ""
    by_series: bool = False
    apart: bool = False
    of_series: bool = False

    @property
    def stages(self) -> Stages:
        key: Any = f"${self.field}" if self.field else None
        if self.of_series:
            key = {"$ifNull": ["$series", key]}
        grouped = self._grouped_by_series if self.by_series else []
        return [
            {"$match": self.clause},
            *grouped,
            *([{"$unwind": key}] if self.apart else []),
            {"$group": {"_id": key, "number": {"$sum": 1}}},
        ]

    @property
    def _grouped_by_series(self) -> Stages:
        series = {"$ifNull": ["$series", "$_id"]}
        if self.of_series:
            names = ("series", self.field.partition(".")[0])
            firsts = {name: {"$first": f"${name}"} for name in names}
            return [{"$group": {"_id": series, **firsts}}]
        if not self.field:
            return [{"$group": {"_id": series}}]
        path = f"${self.field}"
        return [
            {"$unwind": {"path": path, "preserveNullAndEmptyArrays": True}},
            {"$group": {"_id": series, self.field: {"$addToSet": path}}},
        ]


@dataclass(slots=True)
class FacetCounts:
    """The groups of each facet, and the terms of the calendar by kind and id.

    ``key`` differs between different questions. Counts of too many events are not ``exact``:
    they tell frequent values, and no numbers. It is not frozen, so that nothing of it is measured
    where it is kept: groups and terms are kept by themselves.
    """

    key: Hashable
    exact: bool
    groups: _Groups
    terms: _TermsById


class Facets:
    """Counts events by facets; the counts are kept until something is written."""

    def __init__(self, store: Store, most_events: int = _MOST_EVENTS) -> None:
        self._store = store
        self._most_events = most_events
        self._kept_terms = KeptLists(store)
        self._kept_groups = store.cache_memory.cache("filters")

    def count(self, clause: Clause, facets: Mapping[str, Facet], find: Find) -> FacetCounts:
        """Count the events that match ``clause``, by each facet; ``find`` says how to read them."""
        cache, key = self._store.cached_values(), ("facets", repr((clause, facets)))
        counts: FacetCounts | None = cache.get(key)
        if counts is None:
            is_exact, numbers = self._count(clause, facets, find)
            terms = {kind.name: self._terms(kind) for kind in _TERMS}
            groups = self._groups(key, numbers, facets)
            counts = cache[key] = FacetCounts(key, is_exact, groups, terms)
        return counts

    def _groups(self, key: Hashable, numbers: TotalCounts, facets: Mapping[str, Facet]) -> _Groups:
        """Return the numbers by facet; those of before where no write has changed one."""
        groups: _Groups
        former, groups = self._kept_groups.get(key) or (None, {})
        if former is not numbers:
            groups = _grouped(numbers, facets)
            self._kept_groups.keep(key, (numbers, groups), size_of((key, groups)))
        return groups

    def _count(
        self, clause: Clause, facets: Mapping[str, Facet], find: Find
    ) -> tuple[bool, TotalCounts]:
        """Return the numbers, and whether they are those of all events."""
        source, total = find()
        is_exact = total <= self._most_events
        if is_exact and not any(facet.by_series for facet in facets.values()):
            among = _among(facets)
            counting = Counting(_EVENTS, clause, among, _numbers, repr(facets), _FEW * len(facets))
            numbers = self._store.numbers(counting, counting.among(source))
        else:
            limit = self._most_events if is_exact else _SAMPLE
            numbers = _numbers(self._store[_EVENTS].aggregate(_among(facets)(source, limit)))
        return is_exact, numbers

    def _terms(self, kind: Kind) -> Mapping[int, Record]:
        """Return the most frequent terms by id; read anew where one of them was written."""
        cache, key = self._store.cached_values(), ("terms", kind.name)

        def read() -> tuple[Collection[int] | None, Mapping[int, Record]]:
            terms = {term["_id"]: term for term in self._store.of(kind).aggregate(_terms())}
            return terms.keys() if len(terms) < _MOST_TERMS else None, terms

        # Where there are more, nothing lasts but in the edition.
        if key not in cache:
            cache[key] = self._kept_terms.of(kind, EVERYTHING, "terms", read)
        terms: Mapping[int, Record] = cache[key]
        return terms


def _among(facets: Mapping[str, Facet]) -> Callable[..., Stages]:
    def stages(clause: Clause, limit: int = 0) -> Stages:
        """Return the stages that count the first matches, or all."""
        return [
            {"$match": clause},
            *([{"$limit": limit}] if limit else []),
            {"$facet": {name: facet.stages for name, facet in facets.items()}},
        ]

    return stages


def _numbers(documents: Sequence[Record]) -> TotalCounts:
    (groups,) = documents
    return Counter(
        {
            (name, _key(group["_id"])): group["number"]
            for name, own in groups.items()
            for group in own
        }
    )


def _grouped(numbers: TotalCounts, facets: Mapping[str, Facet]) -> _Groups:
    groups: dict[str, list[tuple[Any, int]]] = {name: [] for name in facets}
    for (name, value), number in numbers.items():
        groups[name].append((value, number))
    return groups


def _terms() -> Stages:
    return [
        {"$sort": {"count": -1, "_id": 1}},
        {"$limit": _MOST_TERMS},
        {"$project": _TERM_FIELDS},
    ]


def _key(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
