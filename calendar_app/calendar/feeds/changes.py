"""Which records of a list have changed for one reader: those that came or are others, and went.

The outbox lists which records were written, and a reader gets those that they see as they are
now. Of the others the outbox has how they were: what the reader saw then has gone for them, and of
the rest they hear nothing. A record that an event shows, and that the reader sees, is a part of
it: its changes are changes of the event. See ``docs/explanation/how-changes-are-followed.md``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Self

import orjson

from calendar_app.accounts.policy import Caller, readable_by
from calendar_app.accounts.sealing import Seal
from calendar_app.calendar.reading.links import LINKED, TAXONOMIES
from calendar_app.calendar.reading.reader import Reader, unlocked
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import TRASH
from calendar_app.mongo.outbox import Entry, Moment, Outbox, OutboxPage, Position
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import Clause, after, all_of, any_of, differs, one_of
from calendar_app.query.list_query import Listing, Window
from calendar_app.query.words import as_shown

_KEY = "changes"
_TERMS = frozenset(TAXONOMIES)
# Kinds that are shown to whoever sees what shows them.
_OPEN = frozenset({*TAXONOMIES, "media"})
_SHOWING_PICTURES = (*LINKED, "series")


@dataclass(frozen=True, slots=True)
class Followed:
    """A list of records that somebody follows; ``caller`` is who reads it.

    ``without_links`` is the list without the filters by links, and by place: of a record
    that is written with what it links to, these alone may have changed.
    """

    kind: Kind
    listing: Listing
    without_links: Listing
    caller: Caller
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far somebody follows: what lies behind ``position`` is unread.

    Until ``listed`` is ``None``, first all records of higher ids are listed. Of what was written
    ``until`` another position, only what lies behind ``place`` is unread.
    """

    position: Position
    listed: int | None = None
    until: Position | None = None
    place: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """Return the cursor as a text; who must not know how much is written may not see it."""
        until = self.until and self.until.text
        return orjson.dumps([self.position.text, self.listed, until, self.place]).decode()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the cursor of a ``text``; raise ``ValueError`` where it is none."""
        position, listed, until, place = orjson.loads(text)
        later = None if until is None else Position.parse(until)
        return cls(Position.parse(position), listed, later, tuple(place))


@dataclass(frozen=True, slots=True)
class Changed:
    """A change of one record: the ``record`` as it is, or ``None`` where it has gone.

    Of what has gone, ``was`` is how it was without its texts.
    """

    id: int
    at: datetime
    record: Record | None
    was: Record | None = None


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """Some changes in the order of commits, and the cursor behind them."""

    changes: Sequence[Changed]
    next: Cursor
    more: bool


@dataclass(slots=True)
class _Write:
    """When a record was written last; ``lacks_before`` where nobody has kept how it was.

    Where it was not written by itself, ``by_links`` alone it may be another one.
    """

    at: Moment
    lacks_before: bool = False
    by_links: bool = True


_Writes = dict[int, _Write]
_Ids = dict[int, Moment]


class Changes:
    """Reports the changes of a list to its followers."""

    def __init__(self, store: Store, reader: Reader, outbox: Outbox) -> None:
        self._store = store
        self._reader = reader
        self._outbox = outbox
        self._seal = Seal(store, _KEY)
        self.forget = outbox.forget

    def token(self, cursor: Cursor) -> str:
        """Return a cursor as a token, which reveals nothing; the same one is another each time."""
        return self._seal.close(cursor.text)

    def cursor(self, token: str) -> Cursor:
        """Return the cursor of a token; raise ``ValueError`` where this site has not made it."""
        return Cursor.parse(self._seal.open(token))

    def now(self) -> Cursor:
        """Return the cursor of the present."""
        return Cursor(self._outbox.now())

    def start(self) -> Cursor:
        """Return the cursor with which a follower begins, who knows nothing."""
        return Cursor(self._outbox.now(), listed=0)

    def read(self, cursor: Cursor, followed: Followed, limit: int) -> ChangesPage:
        """Return the first changes behind a cursor; no more than ``limit``, but all there are.

        Raises ``ChangesGone`` where not all of them are known any more.
        """
        return self._store.in_snapshot(lambda: self._read(cursor, followed, limit))

    def _read(self, cursor: Cursor, followed: Followed, limit: int) -> ChangesPage:
        listed: list[Changed] = []
        if cursor.listed is not None:
            self._outbox.require_reach(cursor.position)
            records = self._listed(followed, cursor.listed, limit + 1)
            listed = [
                Changed(each["_id"], each["modified"].replace(tzinfo=UTC), each)
                for each in records[:limit]
            ]
            if len(records) > limit:
                return ChangesPage(listed, replace(cursor, listed=listed[-1].id), more=True)
            cursor = Cursor(cursor.position)
        changes = list(listed)
        while True:
            page = self._outbox.read(cursor.position, until=cursor.until)
            last = cursor.place
            for key, changed in self._changed(cursor, page, followed, limit):
                if len(changes) == limit:
                    behind = Cursor(cursor.position, until=page.next, place=last)
                    return ChangesPage(changes, behind, more=True)
                changes.append(changed)
                last = key
            cursor = Cursor(page.next)
            if not page.more:
                return ChangesPage(changes, cursor, more=False)

    def _listed(self, followed: Followed, last: int, limit: int) -> Sequence[Record]:
        """Return the next records of a list by id."""
        clause = all_of([followed.listing.clause, after("_id", last)])
        window, order = Window(1, limit), (("_id", 1),)
        listing = replace(followed.listing, clause=clause, window=window, order=order)
        page_of_list = self._reader.search(
            followed.kind, listing, followed.caller, with_ledger=True
        )
        return page_of_list.items

    def _changed(
        self, cursor: Cursor, page: OutboxPage, followed: Followed, size: int
    ) -> Iterator[tuple[tuple[int, ...], Changed]]:
        """Yield the changes of a page that are unread, each with its place."""
        page_reader = _PageReader(
            self._store, self._reader, self._outbox, followed, cursor.position, page
        )
        writes = page_reader.writes()
        places = sorted((*write.at, number) for number, write in writes.items())
        behind = [place for place in places if place > cursor.place]
        for start in range(0, len(behind), size + 1):
            part = behind[start : start + size + 1]
            changes = page_reader.changes({number: writes[number] for _, _, number in part})
            yield from ((place, changes[place[2]]) for place in part if place[2] in changes)


@dataclass(slots=True)
class _PageReader:
    """Finds the changes for one reader in one page of the outbox."""

    store: Store
    reader: Reader
    outbox: Outbox
    followed: Followed
    position: Position
    page: OutboxPage
    seen: set[tuple[str, int]] = field(default_factory=set)

    def writes(self) -> _Writes:
        """Return the written records, and the records that show them."""
        self.seen = self._visible_records()
        writes: _Writes = {}
        linked: dict[str, _Ids] = {}
        name = self.followed.kind.name
        for entry in self.page.entries:
            if not self._is_seen(entry):
                continue
            for kind, ids in entry.written.items():
                for number in ids or ():
                    if kind == name:
                        by_links = (kind, number) not in entry.changed
                        _add_write(
                            writes, number, entry.at, lacks_before=by_links, by_links=by_links
                        )
                    elif self._is_shown(entry, kind, number):
                        linked.setdefault(kind, {})[number] = entry.at
        if linked and self.followed.kind.has_links:
            self._follow_links(linked, writes)
        return writes

    def changes(self, writes: Mapping[int, _Write]) -> dict[int, Changed]:
        """Return the visible changes of these records, by id."""
        caller, password = self.followed.caller, self.followed.password

        def shows(record: Record) -> bool:
            # A locked event shows nothing of what it links to.
            by_links = writes[record["_id"]].by_links
            return not by_links or unlocked(record, caller, password)

        present = {each["_id"]: each for each in self._matching(self.followed.listing, [*writes])}
        absent = [number for number in writes if number not in present]
        present = {each: record for each, record in present.items() if shows(record)}
        unknown = [number for number in absent if writes[number].lacks_before]
        removed: dict[int, Record] = {}
        if unknown:
            matching = self._matching(self.followed.without_links, unknown)
            removed |= {each["_id"]: each for each in matching}
            removed |= self._before(self.followed.without_links, unknown)
        if absent:
            removed |= self._before(self.followed.listing, absent)
        return {
            number: Changed(number, write.at.utc, present.get(number), removed.get(number))
            for number, write in writes.items()
            if number in present or number in removed
        }

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
        seen = {(kind, number) for kind in changed.keys() & _OPEN for number in changed[kind]}
        for kind, ids in closed.items():
            page_of_list = self.store[kind].find(
                all_of([one_of("_id", ids), clauses[kind]]), fields=["_id"]
            )
            seen |= {(kind, record["_id"]) for record in page_of_list}
        if clauses:
            before = self.outbox.before(self.position, self.page.next, clauses)
            seen |= {(kind, record["_id"]) for kind, record in before}
        return seen

    def _readable(self, kind: str) -> Clause:
        readable = readable_by(self.followed.caller)
        return all_of([readable, differs("status", TRASH)]) if kind in LINKED else readable

    def _is_seen(self, entry: Entry) -> bool:
        """Say whether the reader sees, or saw, any record that brought an entry about."""
        return not entry.changed or not self.seen.isdisjoint(entry.changed)

    def _is_shown(self, entry: Entry, kind: str, number: int) -> bool:
        """Say whether events show the reader a record, and that it has changed.

        The number of its events is none of a term's changes, and a date that the reader does not
        see is none of a series.
        """
        if kind in _TERMS:
            return (kind, number) in entry.changed
        if kind == "series" and (kind, number) not in entry.changed - entry.by_dates:
            return any(each in self.seen for each in entry.changed if each[0] == "events")
        return kind == "media" or (kind, number) in self.seen

    def _follow_links(self, linked: dict[str, _Ids], writes: _Writes) -> None:
        """Add the events that show any of these records."""
        if pictures := linked.get("media"):
            for name in _SHOWING_PICTURES:
                showing = all_of([one_of("image", pictures), self._readable(name)])
                for record in self.store[name].find(showing, fields=["image"]):
                    linked.setdefault(name, {}).setdefault(record["_id"], pictures[record["image"]])
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
                value = event.get(name)
                for number in value if isinstance(value, list) else [value]:
                    if number in ids:
                        lacks_before = name == "categories"
                        _add_write(writes, event["_id"], ids[number], lacks_before=lacks_before)


# What events show of other kinds, and where another name stands for it.
_LINKED_KINDS = frozenset({*LINKED, *TAXONOMIES, "media", "series"})
_FIELDS = {"media": "image"}


def _add_write(
    writes: _Writes, number: int, at: Moment, *, lacks_before: bool, by_links: bool = True
) -> None:
    write = writes.setdefault(number, _Write(at))
    write.at = max(write.at, at)
    write.lacks_before |= lacks_before
    write.by_links &= by_links
