"""One page of a list, and its total: what was asked for, as far as the caller may see it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cache, partial

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
from calendar_app.query.stages import as_listed, counted
from calendar_app.query.texts import noted_in, written_in
from calendar_app.query.vocabulary import as_shown, counted_in_all, sorted_in_all
from calendar_app.query.window import AsListed, ByDistance, ByText, Listing, Page, Slice
from calendar_app.storage.store import Store

# So many ids stand in one question.
_MOST_IDS = 100_000
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
        total_of = cache(partial(self._total, kind, found, listing, caller))
        if found.walked:
            # Where few are found, those that show each word are fewer than a walk would meet.
            total = total_of()
            plenty = total >= _PLENTY * (window.skip + window.size)
            found = replace(found, few=found.few and not plenty)
        items = self._items(kind, found, listing, Slice(window.skip, window.size))
        # Often the page tells the total.
        if 0 < len(items) < window.size or (not items and window.number == 1):
            return Page(items, window, lambda: window.skip + len(items))
        return Page(items, window, total_of)

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

    def _items(self, kind: Kind, found: Found, listing: Listing, part: Slice) -> list[Record]:
        collection, clause = self._store.of(kind), found.clause
        match listing.order:
            case ByText() as order:
                return self._by_text(kind, clause, order, part, listing.written)
            case AsListed() as order:
                stages = as_listed(clause, order, part)
            case ByDistance() as order:
                return self._by_distance(kind, found.clause, order, part)
            case order if found.few:
                stages = sorted_in_all(kind.name, found.each, found.left, order, part)
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
        return self._store.of(kind).aggregate([*stages, {"$project": as_shown()}], **sorting)

    def _these(self, kind: Kind, ids: Sequence[int]) -> list[Record]:
        """Return the records with these ids, in this order."""
        records = self._store.of(kind).find(one_of("_id", ids), fields=as_shown())
        return sorted(records, key=lambda record: ids.index(record["_id"]))

    def _by_distance(
        self, kind: Kind, clause: Clause, order: ByDistance, part: Slice
    ) -> list[Record]:
        """Look near the point first: to work out the way to all takes long."""
        some: list[Record] = []
        for share in shares(order):
            nearer, circle = narrowed(clause, order, share)
            stages = by_distance(kind.name, nearer, circle, part)
            some = self._store.of(kind).aggregate([*stages, {"$project": as_shown()}])
            if len(some) == part.size:
                break
        return some

    def _ids(self, kind: Kind, found: Found) -> list[int] | None:
        """Return the ids of all that is found; ``None`` where they are too many to name."""
        some = self._store.of(kind).find(found.clause, limit=_MOST_IDS + 1, fields=["_id"])
        return [record["_id"] for record in some] if len(some) <= _MOST_IDS else None

    def _total(self, kind: Kind, found: Found, listing: Listing, caller: Caller) -> int:
        if listing.circle:
            stages = counted_within(found.counted or found.clause, listing.circle)
        elif found.each:
            stages = counted_in_all(kind.name, found.each, found.left)
        else:
            stages = counted(found.counted or found.clause, {})
        return self._store.total(kind, self.clause(kind, listing, caller), stages)


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
