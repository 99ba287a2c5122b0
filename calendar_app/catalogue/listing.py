"""One page of a list, and its total: what was asked for, as far as the caller may see it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from calendar_app.access.caller import Caller
from calendar_app.access.policy import visible_to
from calendar_app.catalogue.searching import Found, Searching
from calendar_app.catalogue.text_order import TextOrders
from calendar_app.domain.kind import Kind, Record
from calendar_app.query.cells import CELL, by_cells
from calendar_app.query.clauses import EVERYTHING, Clause, all_of, one_of
from calendar_app.query.distances import by_distance, by_numbers, counted_within, narrowed, shares
from calendar_app.query.ongoing import by_lengths
from calendar_app.query.quarters import by_quarters
from calendar_app.query.stages import (
    Stages,
    as_listed,
    by_text,
    collation,
    counted,
    ids_far_behind,
    in_order,
)
from calendar_app.query.texts import called, noted_in, written_in
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
    """Finds what lists hold; ``collations`` has the locale of each language of the site."""

    def __init__(self, store: Store, collations: Mapping[str, str], searching: Searching) -> None:
        self._store = store
        self._collations = collations
        self._searching = searching
        self._orders = TextOrders(store)

    def page(self, kind: Kind, listing: Listing, caller: Caller) -> Page:
        """Return one page, and the total."""
        window, found = listing.window, self.found(kind, listing, caller)

        def total() -> int:
            return self._counted(kind, found, listing, caller)

        if isinstance(listing.order, ByDistance):
            likely = self._store.of(kind).last_count(self.clause(kind, listing, caller))
            found = replace(found, likely=likely)
        if self._store.moment() is None and (window.skip >= _FAR or found.walked):
            # Totals are known by the moment, which the least of all reads tells.
            self._store.told_moment()
        if window.skip >= _FAR:
            return self._far_page(kind, found, listing, total())
        if found.walked:
            # Where few are found, those that show each word are fewer than a walk would meet.
            plenty = total() >= _PLENTY * (window.skip + window.size)
            found = replace(found, few=found.few and not plenty)
        items = self._items(kind, found, listing, Slice(window.skip, window.size))
        # Often the page tells the total.
        told = 0 < len(items) < window.size or (not items and window.number == 1)
        return Page(items, window.skip + len(items) if told else total(), window)

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
            return Found(self._faster(kind, listed, listing), counted=listed)
        found = self._searching.found(kind, listing.sought, listed, caller, listing.circle)
        if not isinstance(listing.order, ByText):
            return found
        # Where texts are compared as people do, an index of words does not serve.
        ids = self._ids(kind, found)
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
            return Page([], total, window)
        behind = total - window.skip - size
        if behind >= window.skip or not isinstance(listing.order, list | ByText):
            return Page(self._items(kind, found, listing, Slice(window.skip, size)), total, window)
        back = replace(listing, order=_backwards(listing.order))
        items = self._items(kind, found, back, Slice(behind, size))
        return Page(items[::-1], total, window)

    def _items(self, kind: Kind, found: Found, listing: Listing, part: Slice) -> list[Record]:
        collection, clause = self._store.of(kind), found.clause
        match listing.order:
            case ByText() as order:
                return self._by_text(kind, clause, order, part)
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

    def _by_text(self, kind: Kind, clause: Clause, order: ByText, part: Slice) -> list[Record]:
        """Sort by an index, where one has what that chain shows."""
        sorting = {"collation": collation(self._collations[order.chain[0]])}
        names = [(called(order.chain[0]), order.direction), ("_id", order.direction)]
        ids = self._orders.ids(kind, clause, order, sorting)
        if ids is not None:
            return self._these(kind, ids[part.skip : part.skip + part.size])
        if order.field != kind.label or not self._searching.is_called(kind, order.chain):
            stages = by_text(clause, order, part)
        elif part.skip >= _FAR:
            # Of an index with a locale MongoDB reads the document of all that is not skipped there.
            passing = [*in_order(clause, names, part), {"$project": {"_id": 1}}]
            return self._far(kind, passing, **sorting)
        else:
            stages = in_order(clause, names, part)
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

    def _counted(self, kind: Kind, found: Found, listing: Listing, caller: Caller) -> int:
        if listing.circle:
            stages = counted_within(found.counted or found.clause, listing.circle)
        elif found.each:
            stages = counted_in_all(kind.name, found.each, found.left)
        else:
            stages = counted(found.counted or found.clause, {})
        return self._store.of(kind).count(self.clause(kind, listing, caller), stages)


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
