"""The changes of a followed list in one page of the outbox, for its reader."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from calendar_app.accounts.policy import readable_by
from calendar_app.calendar.reading.links import LINKED, TAXONOMIES
from calendar_app.calendar.reading.provenance import SOURCES, shown_sources
from calendar_app.calendar.reading.reader import Reader, unlocked
from calendar_app.changes.followed import (
    Followed,
    LinkFilter,
    linked_now,
    readable_ids,
    with_descendants,
)
from calendar_app.domain.kind import Record
from calendar_app.domain.provenance import SOURCE_OF_NOTES
from calendar_app.domain.statuses import TRASH
from calendar_app.storage.mongo.outbox import ClusterTime, Outbox, OutboxEntry, OutboxPage, Position
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import EVERYTHING, Clause, all_of, any_of, differs, one_of
from calendar_app.storage.query.list_query import Listing
from calendar_app.storage.query.words import as_shown

_TERMS = frozenset(TAXONOMIES)
# Kinds that are shown to whoever sees what shows them.
_OPEN = frozenset({*TAXONOMIES, "media"})
_SHOWING_PICTURES = (*LINKED, "series")
# The field of an event that it is a part of.
_PARENT = "parent"


@dataclass(frozen=True, slots=True)
class Changed:
    """A change of one record: the ``record`` as it is, or ``None`` for a removed one.

    Of what has gone, ``was`` is how it was without its texts.
    """

    id: int
    at: datetime
    record: Record | None
    was: Record | None = None


@dataclass(slots=True)
class LastWrite:
    """When a record was written last; ``lacks_before`` where nobody has kept how it was.

    Where it was not written by itself, ``by_links`` alone it may be another one.
    """

    at: ClusterTime
    lacks_before: bool = False
    by_links: bool = True


Writes = dict[int, LastWrite]
_Ids = dict[int, ClusterTime]


@dataclass(slots=True)
class PageReader:
    """Finds the changes for one reader in one page of the outbox."""

    store: Store
    reader: Reader
    outbox: Outbox
    followed: Followed
    position: Position
    page: OutboxPage
    visible_keys: set[tuple[str, int]] = field(default_factory=set)

    def writes(self) -> Writes:
        """Return the written records, and the records that show them."""
        self.visible_keys = self._visible_records()
        writes: Writes = {}
        linked: dict[str, _Ids] = {}
        name = self.followed.kind.name
        parents = self._parents()
        for entry in self.page.entries:
            if not self._is_seen(entry):
                continue
            for kind in entry.written:
                for number in entry.ids(kind):
                    if kind == name:
                        by_links = (kind, number) not in entry.changed
                        _add_write(
                            writes, number, entry.at, lacks_before=by_links, by_links=by_links
                        )
                        if number in parents and (kind, number) in self.visible_keys:
                            linked.setdefault(_PARENT, {})[number] = entry.at
                    elif self._is_shown(entry, kind, number):
                        linked.setdefault(kind, {})[number] = entry.at
        if linked and self.followed.kind.has_links:
            self._follow_links(linked, writes)
        return writes

    def _parents(self) -> frozenset[int]:
        """Return the ids that a filter by parents names, which may be hidden and shown again."""
        parent_ids = [each.ids for each in self.followed.link_filters if each.field == _PARENT]
        return frozenset(number for ids in parent_ids for number in ids)

    def changes(self, writes: Mapping[int, LastWrite]) -> dict[int, Changed]:
        """Return the visible changes of these records, by id."""
        caller, password = self.followed.caller, self.followed.password

        def shows(record: Record) -> bool:
            # A locked event shows nothing of what it links to.
            by_links = writes[record["_id"]].by_links
            return not by_links or unlocked(record, caller, password)

        listing = _within(self.followed.listing, linked_now(self.reader, self.followed))
        matching = self._matching(listing, [*writes])
        present = {each["_id"]: each for each in matching}
        absent = {number: write for number, write in writes.items() if number not in present}
        present = {each: record for each, record in present.items() if shows(record)}
        removed = self._removed(absent) if absent else {}
        return {
            number: Changed(number, write.at.utc, present.get(number), removed.get(number))
            for number, write in writes.items()
            if number in present or number in removed
        }

    def _removed(self, absent: Mapping[int, LastWrite]) -> dict[int, Record]:
        """Return the records that have left the list, as far as the history knows them."""
        before = _within(self.followed.listing, self._linked_before())
        unknown = [number for number, write in absent.items() if write.lacks_before]
        same = [number for number, write in absent.items() if write.by_links]
        removed: dict[int, Record] = {}
        if unknown:
            matching = self._matching(self.followed.without_links, unknown)
            removed |= {each["_id"]: each for each in matching}
            removed |= self._before(self.followed.without_links, unknown)
        if same:
            removed |= {each["_id"]: each for each in self._matching(before, same)}
        return removed | self._before(before, [*absent])

    def _linked_before(self) -> Clause:
        """Match the records that link to those of the filters at any time in this page."""
        return all_of(
            one_of(each.field, self._named_before(each)) for each in self.followed.link_filters
        )

    def _named_before(self, link_filter: LinkFilter) -> set[int]:
        """Return the ids that a filter meant in this page, to whom it may concern.

        A category meant those that were below it, wherever they are now.
        """
        kind = link_filter.kind
        visible_ids = {
            number for number in link_filter.ids if (kind.name, number) in self.visible_keys
        }
        linked_ids = readable_ids(self.reader, link_filter, self.followed) | visible_ids
        if not (linked_ids and kind.is_hierarchical):
            return linked_ids
        changed = self.outbox.before(self.position, self.page.next, {kind.name: EVERYTHING})
        below = {
            term["_id"] for _, term in changed if linked_ids.intersection(term.get("ancestors", ()))
        }
        return linked_ids | below | {*with_descendants(self.reader, kind, linked_ids)}

    def _matching(self, listing: Listing, ids: Sequence[int]) -> list[Record]:
        kind, caller = self.followed.kind, self.followed.caller
        clause = all_of([one_of("_id", ids), self.reader.clause(kind, listing, caller)])
        return self.store.of(kind).find(clause, fields=as_shown())

    def _before(self, listing: Listing, ids: Sequence[int]) -> dict[int, Record]:
        """Return records as they were when they matched, as far as that is known.

        Of their words nothing is kept: what was not found by a search may be said to have gone.
        """
        kind, caller = self.followed.kind, self.followed.caller
        clause = self.reader.clause(kind, replace(listing, search_query=None), caller)
        before = self.outbox.before(self.position, self.page.next, {kind.name: clause}, ids)
        return {record["_id"]: record for _, record in before}

    def _visible_records(self) -> set[tuple[str, int]]:
        """Return which of the records that were changed the reader sees, or saw."""
        changed: dict[str, set[int]] = {}
        for entry in self.page.entries:
            for kind, number in entry.changed:
                changed.setdefault(kind, set()).add(number)
            for kind in (*LINKED, "series"):
                changed.setdefault(kind, set()).update(entry.written.get(kind) or ())
        closed = {kind: ids for kind, ids in changed.items() if kind not in _OPEN and ids}
        clauses = {kind: self._readable(kind) for kind in closed}
        visible_keys = {
            (kind, number) for kind in changed.keys() & _OPEN for number in changed[kind]
        }
        for kind, ids in closed.items():
            page_of_list = self.store[kind].find(
                all_of([one_of("_id", ids), clauses[kind]]), fields=["_id"]
            )
            visible_keys |= {(kind, record["_id"]) for record in page_of_list}
        if clauses:
            before = self.outbox.before(self.position, self.page.next, clauses)
            visible_keys |= {(kind, record["_id"]) for kind, record in before}
        return visible_keys

    def _readable(self, kind: str) -> Clause:
        if kind == SOURCES:
            return shown_sources(self.followed.caller)
        readable = readable_by(self.followed.caller)
        return all_of([readable, differs("status", TRASH)]) if kind in LINKED else readable

    def _is_seen(self, entry: OutboxEntry) -> bool:
        """Say whether the reader sees, or saw, any record that brought an entry about."""
        return not entry.changed or not self.visible_keys.isdisjoint(entry.changed)

    def _is_shown(self, entry: OutboxEntry, kind: str, number: int) -> bool:
        """Say whether events show the reader a record, and that it has changed.

        The number of its events is none of a term's changes, and a date that the reader does not
        see is none of a series.
        """
        if kind in _TERMS:
            return (kind, number) in entry.changed
        if kind == "series" and (kind, number) not in entry.changed - entry.by_dates:
            return any(each in self.visible_keys for each in entry.changed if each[0] == "events")
        return kind == "media" or (kind, number) in self.visible_keys

    def _follow_links(self, linked: dict[str, _Ids], writes: Writes) -> None:
        """Add the events that show any of these records."""
        self._follow_pictures(linked)
        self._follow_sources(linked)
        if categories := linked.get("categories"):
            below = self.store["categories"].find(
                one_of("ancestors", categories), fields=["ancestors"]
            )
            for term in below:
                times = [categories[each] for each in term["ancestors"] if each in categories]
                categories = {**categories, term["_id"]: max(times)}
            linked["categories"] = categories
        fields = {
            _FIELDS.get(name, name): ids for name, ids in linked.items() if name in _LINKED_KINDS
        }
        showing_any = any_of(one_of(name, ids) for name, ids in fields.items())
        clause = all_of([showing_any, readable_by(self.followed.caller)])
        for event in self.store.of(self.followed.kind).find(clause, fields=[*fields]):
            for name, ids in fields.items():
                for number in _values(event, name):
                    if number in ids:
                        _add_write(writes, event["_id"], ids[number], lacks_before=False)

    def _follow_pictures(self, linked: dict[str, _Ids]) -> None:
        """Add the records that show any of these pictures."""
        if pictures := linked.get("media"):
            for name in _SHOWING_PICTURES:
                showing = all_of([one_of("image", pictures), self._readable(name)])
                for record in self.store[name].find(showing, fields=["image"]):
                    linked.setdefault(name, {}).setdefault(record["_id"], pictures[record["image"]])

    def _follow_sources(self, linked: dict[str, _Ids]) -> None:
        """Add the series that come from any of these sources."""
        if sources := linked.get(SOURCES):
            coming = all_of([one_of(SOURCE_OF_NOTES, sources), self._readable("series")])
            for series in self.store["series"].find(coming, fields=[SOURCE_OF_NOTES]):
                times = [sources[n] for n in _values(series, SOURCE_OF_NOTES) if n in sources]
                linked.setdefault("series", {}).setdefault(series["_id"], max(times))


# What events show of other kinds, and where another name stands for it.
_LINKED_KINDS = frozenset({*LINKED, *TAXONOMIES, "media", "series", SOURCES, _PARENT})
_FIELDS = {"media": "image", SOURCES: SOURCE_OF_NOTES}


def _values(record: Record, path: str) -> list[Any]:
    """Return the values of a field, or of a field of its members."""
    name, _, member = path.partition(".")
    value = record.get(name)
    values = value if isinstance(value, list) else [value]
    return [each[member] for each in values if each] if member else values


def _within(listing: Listing, clause: Clause) -> Listing:
    """Return the records of a list that match a clause too."""
    return replace(listing, clause=all_of([listing.clause, clause]))


def _add_write(
    writes: Writes, number: int, at: ClusterTime, *, lacks_before: bool, by_links: bool = True
) -> None:
    write = writes.setdefault(number, LastWrite(at))
    write.at = max(write.at, at)
    write.lacks_before |= lacks_before
    write.by_links &= by_links
