"""The changes of a list for one reader: new, changed and removed records.

The outbox lists which records were written, and a reader gets those that they see as they are
now. Of the others the outbox has how they were: what the reader saw then has gone for them, and of
the rest they hear nothing. A record that an event shows, and that the reader sees, is a part of
it: its changes are changes of the event. See ``docs/explanation/how-changes-are-followed.md``.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from typing import Self

import orjson

from calendar_app.accounts.sealing import Seal
from calendar_app.calendar.reading.reader import Reader
from calendar_app.changes.followed import Followed, linked_now
from calendar_app.changes.written_records import Changed, PageReader
from calendar_app.domain.kind import Kind, Record
from calendar_app.storage.mongo.outbox import Outbox, OutboxPage, Position
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import after, all_of
from calendar_app.storage.query.list_query import Window

_KEY = "changes"


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
        """Return the cursor as text; it reveals how much is written, so seal it for readers."""
        until = self.until and self.until.text
        return orjson.dumps([self.position.text, self.listed, until, self.place]).decode()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the cursor of a ``text``; raise ``ValueError`` where it is none."""
        position, listed, until, place = orjson.loads(text)
        later = None if until is None else Position.parse(until)
        return cls(Position.parse(position), listed, later, tuple(place))


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """Some changes in the order of commits, and the cursor behind them."""

    changes: Sequence[Changed]
    next: Cursor
    more: bool


class Changes:
    """Reports the changes of a list to its followers."""

    def __init__(self, store: Store, reader: Reader, outbox: Outbox) -> None:
        self._store = store
        self._reader = reader
        self._outbox = outbox
        self._seal = Seal(store, _KEY)
        self.forget = outbox.forget

    def token(self, cursor: Cursor) -> str:
        """Return a cursor as an opaque token, which differs at each call."""
        return self._seal.close(cursor.text)

    def cursor(self, token: str) -> Cursor:
        """Return the cursor of a token; raise ``ValueError`` where this site has not made it."""
        return Cursor.parse(self._seal.open(token))

    def former_terms(self, token: str, kind: Kind, entries: Collection[str]) -> list[int]:
        """Return the ids of terms that had these slugs or names, and were changed since a token."""
        position = self.cursor(token).position
        clause = self._reader.terms.clause(entries)
        before = self._outbox.before(position, self._outbox.now(), {kind.name: clause})
        return [term["_id"] for _, term in before]

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
        linked = linked_now(self._reader, followed)
        clause = all_of([followed.listing.clause, linked, after("_id", last)])
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
        page_reader = PageReader(
            self._store, self._reader, self._outbox, followed, cursor.position, page
        )
        writes = page_reader.writes()
        places = sorted((*write.at, number) for number, write in writes.items())
        behind = [place for place in places if place > cursor.place]
        for start in range(0, len(behind), size + 1):
            part = behind[start : start + size + 1]
            changes = page_reader.changes({number: writes[number] for _, _, number in part})
            yield from ((place, changes[place[2]]) for place in part if place[2] in changes)
