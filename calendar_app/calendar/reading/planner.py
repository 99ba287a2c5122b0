"""Plan a list: the pipelines that give its page and its total, each served by an index."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from calendar_app.accounts.policy import Caller, visible_to
from calendar_app.calendar.reading.text_order import TextOrders
from calendar_app.domain.kind import Kind
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import (
    EVERYTHING,
    Clause,
    all_of,
    any_of,
    narrow_by_duration,
    not_after,
    one_of,
    titled_in,
    written_in,
)
from calendar_app.query.geo import CELL, narrow_by_geo_cell
from calendar_app.query.list_query import AsListed, ByDistance, ByText, Listing, SearchQuery, Slice
from calendar_app.query.stages import (
    Stages,
    as_listed,
    by_distance,
    by_numbers,
    counted,
    counted_within,
    first_in_series,
    in_order,
    narrowed,
    shares,
)
from calendar_app.query.words import counted_in_all, sorted_in_all
from calendar_app.search.sources import SearchPlanner, Source

# Ids that one clause may name.
_MOST_IDS = 100_000


@dataclass(frozen=True, slots=True)
class Plan:
    """How MongoDB answers one list.

    ``pages`` are pipelines to try in turn until one gives a full page; the last one gives the whole
    answer. ``total`` makes a document with the ``total`` of ``matches``, the clause of all pages.
    ``options`` go with each pipeline of a page.
    """

    pages: Sequence[Stages]
    total: Stages
    matches: Clause
    options: Mapping[str, Any] = field(default_factory=dict)


class ListPlanner:
    """Chooses the pipelines of lists."""

    def __init__(self, store: Store, orders: TextOrders, searching: SearchPlanner) -> None:
        self._store = store
        self._orders = orders
        self._searching = searching

    def plan(self, kind: Kind, listing: Listing, caller: Caller) -> Plan:
        """Return how to find the page of a list, and to count all of it.

        Raises ``InvalidParameters`` where more texts would have to be read, or sorted, than
        ``text_limit`` allows.
        """
        source = self.source(kind, listing, caller)
        part = Slice(listing.window.skip, listing.window.size)
        order = listing.order
        return Plan(
            self._pages(kind, source, listing, part),
            self._total(kind, source, listing),
            self.matches(kind, listing, caller),
            self._orders.sorting(order) if isinstance(order, ByText) else {},
        )

    def matches(self, kind: Kind, listing: Listing, caller: Caller) -> Clause:
        """Return the clause of all pages, which says the same at any cluster time.

        With ``first_in_series`` it holds the ids of first events, which a write may change.
        """
        listing = self._with_first_events(kind, listing, caller)
        listed = _listed(kind, listing, caller, written_in)
        if listing.search_query is None:
            return listed
        return all_of([listed, self._searching.by_texts(kind, listing.search_query, caller)])

    def source(self, kind: Kind, listing: Listing, caller: Caller) -> Source:
        """Return clauses for indexes, equal to ``matches`` at this cluster time."""
        listing = self._with_first_events(kind, listing, caller)
        has_index_fields = (
            bool(listing.written) and kind.found_by_words and self._searching.has_index_fields(kind)
        )
        listed = _listed(kind, listing, caller, titled_in if has_index_fields else written_in)
        if listing.search_query is not None:
            return self._search(kind, listing, listing.search_query, listed, caller)
        matches_more_than = partial(self._searching.matches_more_than, kind, listed, listing.circle)
        self._orders.require_few(kind, listing, matches_more_than)
        if self._orders.tells_written(kind, listing):
            in_any_language = replace(listing, written=None)
            return Source(_listed(kind, in_any_language, caller, written_in), counted=listed)
        return Source(_for_index(kind, listed, listing), counted=listed)

    def _with_first_events(self, kind: Kind, listing: Listing, caller: Caller) -> Listing:
        """Narrow a list to single events and the first one of each series, if it is asked for."""
        if not listing.first_in_series:
            return listing
        listing = replace(listing, first_in_series=False)
        clause = self.source(kind, listing, caller).clause

        def look_up(keys: Collection[str]) -> dict[str, list[int]]:
            firsts = self._store.of(kind).aggregate(first_in_series(clause))
            return dict.fromkeys(keys, sorted(group["first"] for group in firsts))

        key = repr(clause)
        ids = self._store.cached_lookup("first in series", [key], look_up)[key]
        first = any_of([not_after("series", 0), one_of("_id", ids)])
        return replace(listing, clause=all_of([listing.clause, first]))

    def _search(
        self, kind: Kind, listing: Listing, query: SearchQuery, listed: Clause, caller: Caller
    ) -> Source:
        source = self._searching.source(kind, query, listed, caller, listing.circle)
        if not isinstance(listing.order, ByText):
            return source
        # The index of words has no titles: the matches are named by their ids, and then sorted.
        ids = self._ids(kind, source.clause)
        self._orders.require_few(kind, listing, lambda most: ids is None or len(ids) > most)
        return Source(self.matches(kind, listing, caller) if ids is None else one_of("_id", ids))

    def _pages(self, kind: Kind, source: Source, listing: Listing, part: Slice) -> list[Stages]:
        clause = source.clause
        match listing.order:
            case ByText() as order:
                return [self._orders.stages(kind, clause, order, part, listing.written)]
            case AsListed() as order:
                return [as_listed(clause, order, part)]
            case ByDistance() as order:
                circles = (narrowed(clause, order, share) for share in shares(order))
                return [by_distance(kind.name, near, circle, part) for near, circle in circles]
            case order if source.is_selective:
                residual = source.residual
                return [sorted_in_all(kind.name, source.indexed, residual, order, part)]
            case order:
                return [in_order(clause, order, part)]

    def _total(self, kind: Kind, source: Source, listing: Listing) -> Stages:
        if listing.circle:
            return counted_within(source.counted or source.clause, listing.circle)
        if source.indexed:
            return counted_in_all(kind.name, source.indexed, source.residual)
        return counted(source.counted or source.clause, {})

    def _ids(self, kind: Kind, clause: Clause) -> list[int] | None:
        """Return the ids of all matches; ``None`` where they are too many to name."""
        records = self._store.of(kind).find(clause, limit=_MOST_IDS + 1, fields=["_id"])
        return [record["_id"] for record in records] if len(records) <= _MOST_IDS else None


def _for_index(kind: Kind, listed: Clause, listing: Listing) -> Clause:
    """Return an equal clause that names the cells or the durations by which indexes narrow it."""
    if kind.is_indexed(CELL):
        near = narrow_by_geo_cell(listed, listing.order)
        if near is not listed:
            return by_numbers(near, listing.circle) if listing.circle else near
    return narrow_by_duration(listed, listing.order)


def _listed(
    kind: Kind, listing: Listing, caller: Caller, written: Callable[[str, str], Clause]
) -> Clause:
    only = written(listing.written, kind.label) if listing.written else EVERYTHING
    return all_of([_visible(kind, caller, listing.statuses), listing.clause, only])


def _visible(kind: Kind, caller: Caller, statuses: Collection[str]) -> Clause:
    if not kind.has_status:
        return EVERYTHING
    visible = visible_to(caller, statuses)
    return all_of([one_of("status", statuses), visible]) if statuses else visible
