"""Selections of feeds that are kept over a write: only what was written is looked at again.

A calendar of some thousand events is written to all day, an event at a time, and its subscribers
ask for all of them. The events that the marks of writers name are read anew, and take their places
among those that are kept. Where it is unclear what else has changed, all are read.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from calendar_app.calendar.reading.feed_series import Item, Selection, Survey, summed_up
from calendar_app.domain.statuses import LinkVersion, LinkVersions
from calendar_app.storage.cache_memory import size_of
from calendar_app.storage.mongo.editions import Edition
from calendar_app.storage.query.list_query import AnyOrder, Listing, Order

_MOST_WRITTEN = 100  # events; where more were written all are read
_EVENTS = "events"
_SAMPLE = 20  # rows that are measured for all


class Row(NamedTuple):
    """An item of a feed, with its values of the fields of the order, its zone and its year."""

    key: tuple[Any, ...]
    zone: str
    year: int
    item: Item


@dataclass(frozen=True, slots=True)
class KeptSelection:
    """A selection as of an edition: its rows, and the ``versions`` of all that they link to.

    It holds ``room`` rows at most, and ``is_first`` unless it is a later page. ``lasting`` are the
    bytes of what no write changes while it is kept: its clause and its series.
    """

    edition: Edition
    selection: Selection
    rows: Sequence[Row]
    order: Order
    room: int
    is_first: bool
    linked: dict[str, set[int]]
    versions: dict[str, Mapping[int, LinkVersion]]
    lasting: int = 0

    @property
    def size(self) -> int:
        """The bytes of all that it holds, those of the rows reckoned from some of them."""
        sample = self.rows[:: max(1, len(self.rows) // _SAMPLE)]
        rows = size_of(sample) * len(self.rows) // max(1, len(sample))
        return rows + size_of((self.linked, self.versions)) + self.lasting

    def written_ids(
        self, edition: Edition, versions_of: Callable[[Mapping[str, set[int]]], LinkVersions]
    ) -> Collection[int] | None:
        """Return the events written up to a later edition; ``None`` where others count too.

        ``versions_of`` returns the present versions of linked records.
        """
        written_ids = edition.written_since(self.edition)
        if written_ids is None or not self.order:
            return None
        links: dict[str, set[int]] = {}
        for name, ids in written_ids.items():
            if ids is None or (name != _EVENTS and name not in self.linked):
                return None
            if name == _EVENTS:
                continue
            links[name] = self.linked[name].intersection(ids)
            # A series tells what its dates override, and not of a hidden record of those that the
            # feed lacks.
            if self.selection.series and len(links[name]) < len(ids):
                return None
        if any(links.values()) and not self._has(links, versions_of(links)):
            return None
        ids = written_ids.get(_EVENTS) or ()
        return ids if len(ids) <= _MOST_WRITTEN else None

    def _has(self, ids: Mapping[str, set[int]], present: LinkVersions) -> bool:
        """Return whether records are of the versions that the rows show."""
        return all(
            self.versions.get(name, {}).get(number) == present.get(name, {}).get(number)
            for name, numbers in ids.items()
            for number in numbers
        )

    def after(
        self,
        ids: Collection[int],
        rows: Sequence[Row],
        linked: Mapping[str, set[int]],
        versions: LinkVersions,
        edition: Edition,
    ) -> "KeptSelection | None":
        """Return the selection after events with these ids were written.

        ``rows`` are those of them that match now, ``linked`` and ``versions`` what they link to.
        ``None`` where it is unclear which others have come in or gone out, behind the last row or
        before the first one.
        """
        merged = self._rows_after(ids, rows)
        if merged is None:
            return None
        more = self.selection.more or len(merged) > self.room
        merged = merged[: self.room]
        selection = summed_up(
            replace(self.selection, items=[row.item for row in merged], more=more),
            ((row.zone, row.year) for row in merged),
        )
        return replace(
            self,
            edition=edition,
            selection=selection,
            rows=merged,
            linked=self.linked
            | {name: {*self.linked.get(name, ()), *numbers} for name, numbers in linked.items()},
            versions=self.versions
            | {name: {**self.versions.get(name, {}), **own} for name, own in versions.items()},
        )

    def _rows_after(self, ids: Collection[int], rows: Sequence[Row]) -> list[Row] | None:
        """Return the rows with those of the written events, perhaps more than there is room for.

        ``None`` as of ``after``.
        """
        former = {row.item.id: row for row in self.rows if row.item.id in ids}
        is_full_of_off = self.selection.more and (not self.rows or self.rows[-1].item.off)
        if is_full_of_off or any(row.item.off for row in former.values()):
            return None
        if any(None in row.key for row in rows):
            return None
        stay = len(rows) == len(former) == len(ids) and all(
            row.item.id in former and former[row.item.id].key == row.key for row in rows
        )
        if stay or (self.is_first and not self.selection.more):
            return self._merged(former.keys(), rows)
        if not self.is_first:
            return None
        end = self.rows[-1].key if self.rows else ()
        within = [row for row in rows if self._is_before(row.key, end)]
        merged = self._merged(former.keys(), within)
        has_further = len(merged) > self.room or len(former) == len(ids) or within != rows
        return merged if len(merged) >= self.room and has_further else None

    def _merged(self, left_out: Collection[int], rows: Sequence[Row]) -> list[Row]:
        """Return the rows but those left out, and further ones, in order behind what is off."""
        remaining = [row for row in self.rows if row.item.id not in left_out]
        live = [*(row for row in remaining if not row.item.off), *rows]
        live.sort(key=lambda row: row.key, reverse=self.order[0][1] < 0)
        return [*(row for row in remaining if row.item.off), *live]

    def _is_before(self, key: tuple[Any, ...], end: tuple[Any, ...]) -> bool:
        return key > end if self.order[0][1] < 0 else key < end


def keep(
    edition: Edition,
    survey: Survey,
    selection: Selection,
    listing: Listing,
    versions: LinkVersions,
) -> KeptSelection:
    """Return the survey of a listing as a cached selection."""
    order = _by_fields(listing.order)
    rows = rows_of(survey, selection, order)
    if any(None in row.key for row in rows if not row.item.off):
        order = ()
    window = listing.window
    return KeptSelection(
        edition,
        selection,
        rows,
        order,
        window.size,
        window.skip == 0,
        survey.linked,
        dict(versions),
        size_of((selection.clause, selection.series)),
    )


def rows_of(survey: Survey, selection: Selection, order: Order) -> list[Row]:
    """Return a row for each item of a selection."""
    return [
        Row(
            tuple(event.get(name) for name, _ in order),
            event["timezone"],
            event["start"].year,
            item,
        )
        for event, item in zip(survey.events, selection.items, strict=True)
    ]


def _by_fields(order: AnyOrder) -> Order:
    """Return an order in which Python sorts as MongoDB does; empty for any other."""
    if not isinstance(order, Sequence) or order[-1][0] != "_id":
        return ()
    return order if len({direction for _, direction in order}) == 1 else ()
