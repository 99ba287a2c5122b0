"""One page of a list, and its total: what was asked for, as far as the caller may see it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from calendar_app.access.caller import Caller
from calendar_app.access.policy import visible_to
from calendar_app.catalogue.reading.text_order import TextOrders
from calendar_app.catalogue.search.searching import Found, Searching
from calendar_app.domain.kind import Kind, Record
from calendar_app.query.cells import CELL, by_cells
from calendar_app.query.clauses import EVERYTHING, Clause, all_of, one_of
from calendar_app.query.distances import by_distance, by_numbers, counted_within, narrowed, shares
from calendar_app.query.ongoing import by_lengths
from calendar_app.query.quarters import by_quarters
from calendar_app.query.stages import (
    Stages,
    as_listed,
    counted,
    ids_far_behind,
)
from calendar_app.query.texts import noted_in, written_in
from calendar_app.query.together import counted_together
from calendar_app.query.vocabulary import as_shown, counted_in_all, sorted_in_all
from calendar_app.query.window import AsListed, ByDistance, ByText, Listing, Order, Page, Slice
from calendar_app.storage.store import Store

# So many ids stand in one question.
_MOST_IDS = 100_000
# So many records are passed over without asking whether there are as many.
_FAR = 1000
# So many are passed over while MongoDB tries each index; to name them first is one question more.
_FARTHER = 2000
# Among so many matches for each that is wanted a page is soon found.
_PLENTY = 8


class Lists:
    """Finds what lists hold."""

    def __init__(self, store: Store, orders: TextOrders, searching: Searching) -> None:
        self._store = store
        self._searching = searching
        self._orders = orders

    def page(self, kind: Kind, listing: Listing, caller: Caller) -> Page:
        """Return one page, and the total."""
        window, found = listing.window, self.found(kind, listing, caller)
        ids = self._orders.ids(kind, found.clause, listing.order)
        if ids is not None:
            some = self._these(kind, ids[window.skip : window.skip + window.size])
            return Page(some, window, lambda: len(ids))
        if isinstance(listing.order, ByDistance):
            likely = self._store.of(kind).last_count(self.clause(kind, listing, caller))
            found = replace(found, likely=likely)
        if self._store.moment() is None and (window.skip >= _FAR or found.walked):
            # Totals are known by the moment, which the least of all reads tells.
            self._store.told_moment()
        if window.skip >= _FAR:
            total = self._counting(kind, found, listing, caller)()
            return self._far_page(kind, found, listing, total)
        if found.walked:
            # Where few are found, those that show each word are fewer than a walk would meet.
            total = self._counting(kind, found, listing, caller)()
            plenty = total >= _PLENTY * (window.skip + window.size)
            found = replace(found, few=found.few and not plenty)
        items = self._items(kind, found, listing, Slice(window.skip, window.size))
        # Often the page tells the total.
        if 0 < len(items) < window.size or (not items and window.number == 1):
            return Page(items, window, lambda: window.skip + len(items))
        return Page(items, window, self._counting(kind, found, listing, caller))

    def clause(self, kind: Kind, listing: Listing, caller: Caller) -> Clause:
        """Return the clause of all pages, which holds at any moment."""
        listed = _listed(kind, listing, caller, written_in)
        if listing.sought is None:
            return listed
        return all_of([listed, self._searching.by_texts(kind, listing.sought, caller)])

    def found(self, kind: Kind, listing: Listing, caller: Caller) -> Found:
        """Return how to find what ``clause`` matches, as of this moment."""
        noted = listing.written is not None and self._searching.is_noted(kind)
        listed = _listed(kind, listing, caller, noted_in if noted else written_in)
        if listing.sought is None:
            are_more = partial(self._searching.are_more, kind, listed, listing.circle)
            self._orders.require_few(kind, listing, are_more)
            if self._orders.tells_written(kind, listing):
                faster = _listed(kind, replace(listing, written=None), caller, written_in)
                return Found(faster, counted=listed)
            return Found(self._faster(kind, listed, listing), counted=listed)
        found = self._searching.found(kind, listing.sought, listed, caller, listing.circle)
        if not isinstance(listing.order, ByText):
            return found
        # Where texts are compared as people do, an index of words does not serve.
        ids = self._ids(kind, found)
        self._orders.require_few(kind, listing, lambda most: ids is None or len(ids) > most)
        return Found(self.clause(kind, listing, caller) if ids is None else one_of("_id", ids))

    def _faster(self, kind: Kind, listed: Clause, listing: Listing) -> Clause:
        """Return a clause that says the same of records as they are, for indexes that know more."""
        if kind.is_indexed(CELL):
            near = by_cells(listed, listing.order)
            if near is not listed:
                return by_numbers(near, listing.circle) if listing.circle else near
        by_quarter = by_quarters(listed, listing.order)
        if by_quarter is not listed and self._searching.is_noted(kind):
            return by_quarter
        return by_lengths(listed, listing.order)

    def _far_page(self, kind: Kind, found: Found, listing: Listing, total: int) -> Page:
        """Return a page that may lie behind the end, or nearer to it than to the beginning."""
        window = listing.window
        size = min(window.size, total - window.skip)
        if size <= 0:
            return Page([], window, lambda: total)
        behind = total - window.skip - size
        if behind >= window.skip or not isinstance(listing.order, list | ByText):
            items = self._items(kind, found, listing, Slice(window.skip, size))
            return Page(items, window, lambda: total)
        back = replace(listing, order=_backwards(listing.order))
        items = self._items(kind, found, back, Slice(behind, size))
        return Page(items[::-1], window, lambda: total)

    def _items(self, kind: Kind, found: Found, listing: Listing, part: Slice) -> list[Record]:
        collection, clause = self._store.of(kind), found.clause
        match listing.order:
            case ByText() as order:
                return self._by_text(kind, clause, order, part, listing.written)
            case AsListed() as order:
                stages = as_listed(clause, order, part)
            case ByDistance() as order:
                return self._by_distance(kind, found, order, part)
            case order if found.few:
                stages = sorted_in_all(kind.name, found.each, found.left, order, part)
            case order if part.skip >= _FARTHER:
                return self._far(kind, ids_far_behind(clause, order, part))
            case order:
                return collection.find(
                    clause, order=order, skip=part.skip, limit=part.size, fields=as_shown()
                )
        return collection.aggregate([*stages, {"$project": as_shown()}])

    def _by_text(
        self, kind: Kind, clause: Clause, order: ByText, part: Slice, written: str | None
    ) -> list[Record]:
        sorting = self._orders.sorting(order)
        stages = self._orders.stages(kind, clause, order, part, written)
        if part.skip >= _FAR:
            # Of an index with a locale MongoDB reads the document of all that is not skipped there.
            return self._far(kind, [*stages, {"$project": {"_id": 1}}], **sorting)
        return self._store.of(kind).aggregate([*stages, {"$project": as_shown()}], **sorting)

    def _these(self, kind: Kind, ids: Sequence[int]) -> list[Record]:
        """Return the records with these ids, in this order."""
        records = self._store.of(kind).find(one_of("_id", ids), fields=as_shown())
        return sorted(records, key=lambda record: ids.index(record["_id"]))

    def _far(self, kind: Kind, ids: Stages, **options: Any) -> list[Record]:
        """Read those records alone whose ids the stages give, however many lie before them."""
        found = self._store.of(kind).aggregate(ids, **options)
        return self._these(kind, [record["_id"] for record in found])

    def _by_distance(
        self, kind: Kind, found: Found, order: ByDistance, part: Slice
    ) -> list[Record]:
        """Look near the point first: to work out the way to all takes long."""
        some: list[Record] = []
        for share in shares(order, part, found.likely):
            nearer, circle = narrowed(found.clause, order, share)
            stages = by_distance(kind.name, nearer, circle, part)
            some = self._store.of(kind).aggregate([*stages, {"$project": as_shown()}])
            if len(some) == part.size:
                break
        return some

    def _ids(self, kind: Kind, found: Found) -> list[int] | None:
        """Return the ids of all that is found; ``None`` where they are too many to name."""
        some = self._store.of(kind).find(found.clause, limit=_MOST_IDS + 1, fields=["_id"])
        return [record["_id"] for record in some] if len(some) <= _MOST_IDS else None

    def _counting(
        self, kind: Kind, found: Found, listing: Listing, caller: Caller
    ) -> Callable[[], int]:
        """Return what tells the total, and may ask for it along with what the page links to."""
        if listing.circle:
            stages = counted_within(found.counted or found.clause, listing.circle)
        elif found.each:
            stages = counted_in_all(kind.name, found.each, found.left)
        else:
            stages = counted(found.counted or found.clause, {})
        wanted = self.clause(kind, listing, caller)
        if not found.together:
            return self._store.of(kind).counting(wanted, stages)
        sooner = counted_together(kind.name, found.together, self._searching.most_together)
        return self._store.of(kind).counting(wanted, sooner, stages)


def _listed(
    kind: Kind, listing: Listing, caller: Caller, written: Callable[[str], Clause]
) -> Clause:
    only = written(listing.written) if listing.written else EVERYTHING
    return all_of([_visible(kind, caller, listing.statuses), listing.clause, only])


def _visible(kind: Kind, caller: Caller, statuses: Collection[str]) -> Clause:
    if not kind.has_status:
        return EVERYTHING
    visible = visible_to(caller, statuses)
    return all_of([one_of("status", statuses), visible]) if statuses else visible


def _backwards(order: Order | ByText) -> Order | ByText:
    if isinstance(order, ByText):
        return replace(order, direction=-order.direction)
    return [(field, -direction) for field, direction in order]
