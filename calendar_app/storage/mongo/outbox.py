"""Reads the outbox: what was written since a position, each transaction once, none left out.

    position = outbox.now()
    while True:
        page = outbox.read(position)          # raises ChangesGone: begin again
        for entry in page.entries:            # in the order of commits
            ...                               # entry.written, entry.changed
        store(page.next.text)                 # Position.parse(text) goes on there
        position = page.next
        if not page.more:
            outbox.wait(position, seconds=30)

A position counts the entries of each writer that are behind it. So a transaction that commits late
is not behind the positions that were read before, whatever its entries were numbered or when they
were made. An entry tells ids, not contents: who reads it then reads the records as they are now.
Whoever keeps ``next`` after the work is done gets each change at least once.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, Self

import orjson
from bson import Timestamp

from calendar_app.domain.kind import Record
from calendar_app.errors import ChangesGone
from calendar_app.storage.mongo.marks import ENTRY_KEY, LAST, OUTBOX, WRITERS, Marks, counted, since
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    EVERYTHING,
    Clause,
    all_of,
    any_of,
    equals,
    given,
    within,
)

_PAGE = 500  # entries
_PAUSE = 0.5  # seconds
# Where an entry keeps a record as it was.
_RECORD = "before.record"
_HINT = dict.fromkeys(ENTRY_KEY, 1)


@dataclass(frozen=True, slots=True)
class Position:
    """A position in the outbox; ``time`` is that of its last entry, in seconds of UTC."""

    marks: Marks
    time: int

    @property
    def text(self) -> str:
        """Return the position in letters and digits; it reveals how much is written."""
        numbers = sorted((each - self._last, n) for each, n in self.marks.items() if each != LAST)
        return orjson.dumps([self.time, self._last, numbers]).decode()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the position of a ``text``; raise ``ValueError`` where it is none."""
        moment, last, numbers = orjson.loads(text)
        return cls({LAST: last, **{last + own: number for own, number in numbers}}, moment)

    @property
    def _last(self) -> int:
        return self.marks.get(LAST, LAST)


class ClusterTime(NamedTuple):
    """The cluster time of an entry: seconds of UTC, and a number among those of one second."""

    seconds: int
    number: int

    @property
    def utc(self) -> datetime:
        return datetime.fromtimestamp(self.seconds, UTC)


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """The ids that a transaction, or a part of a large one, has written.

    ``written`` has the ids by collection, ``None`` where they are unknown. ``changed`` names those
    of them, by kind and id, that the writer of the calendar changed: it is kept how they were.
    ``by_dates`` are series of which nothing but dates is written.
    """

    at: ClusterTime
    written: Mapping[str, Sequence[Any] | None]
    changed: frozenset[tuple[str, int]]
    by_dates: frozenset[tuple[str, int]] = frozenset()

    def ids(self, kind: str) -> Sequence[Any]:
        """Return the written ids of a kind, or the changed ones where not all are known."""
        ids = self.written.get(kind, ())
        return [number for name, number in self.changed if name == kind] if ids is None else ids


@dataclass(frozen=True, slots=True)
class OutboxPage:
    """Some entries, the position behind them, and whether there are ``more`` behind that."""

    entries: Sequence[OutboxEntry]
    next: Position
    more: bool = False


class Outbox:
    """The outbox of one database, of which entries are kept for ``days``."""

    def __init__(self, store: Store, days: int) -> None:
        self._store = store
        self._days = days

    def now(self) -> Position:
        """Return the position behind all that is committed."""
        return self._store.in_snapshot(self._present)[0]

    def read(
        self, position: Position, limit: int = _PAGE, *, until: Position | None = None
    ) -> OutboxPage:
        """Return the first ``limit`` entries behind a position, in the order of commits.

        With ``until``, the ``next`` of an earlier page, they are the entries of that page. Raises
        ``ChangesGone`` where not all of them are kept.
        """
        return self._store.in_snapshot(lambda: self._read(position, limit, until))

    def before(
        self,
        position: Position,
        until: Position,
        clauses: Mapping[str, Clause],
        ids: Sequence[int] | None = None,
    ) -> list[tuple[str, Record]]:
        """Return records as they were before changes between two positions, with their kinds.

        ``clauses`` say by kind what they match, in what lists ask of them, without texts. The
        latest state comes last.
        """
        of_ids = [] if ids is None else [{"before.id": {"$in": ids}}]
        matching = [
            all_of([equals("before.kind", kind), given("before.record"), within(_RECORD, clause)])
            for kind, clause in clauses.items()
        ]
        stages: list[Record] = [
            {"$match": _between(position, until)},
            {"$sort": {"at": 1}},
            {"$project": {"_id": 0, "before": 1}},
            {"$unwind": "$before"},
            {"$match": all_of([*of_ids, any_of(matching)])},
        ]
        records = self._store[OUTBOX].aggregate(stages)
        return [(each["before"]["kind"], each["before"]["record"]) for each in records]

    def require_reach(self, position: Position) -> None:
        """Raise ``ChangesGone`` behind which not all is known, or which was of another database."""
        self._require_reach(position, *self._present())

    def wait(self, position: Position, seconds: float) -> bool:
        """Return whether anything is behind a position, at once or within some seconds."""
        end = time.monotonic() + seconds
        while self.now().marks == position.marks:
            if time.monotonic() >= end:
                return False
            time.sleep(_PAUSE)
        return True

    def forget(self) -> None:
        """Remove the entries that no position reaches any more."""
        oldest = datetime.now(UTC) - timedelta(days=self._days + 1)
        self._store[OUTBOX].remove({"at": {"$lt": Timestamp(oldest, 0)}})

    def _present(self) -> tuple[Position, int]:
        """Return the present position, and the number of the first writer that is known."""
        writers = self._store[WRITERS].find(EVERYTHING, fields=["n", "first"])
        marks = {each["_id"]: each["n"] for each in writers if isinstance(each["_id"], int)}
        first = max((writer.get("first", 0) for writer in writers), default=0)
        return Position(marks, int(time.time())), first

    def _read(self, position: Position, limit: int, until: Position | None) -> OutboxPage:
        present, first = self._present()
        self._require_reach(position, present, first)
        if present.marks == position.marks:
            return OutboxPage([], present)
        if until is not None:
            entries = self._entries(_between(position, until))
            return OutboxPage(entries, until, more=until.marks != present.marks)
        keys = self._store[OUTBOX].aggregate(
            [
                {"$match": since(position.marks)},
                {"$project": {"_id": 0, **_HINT}},
                {"$sort": {"at": 1}},
                {"$limit": limit + 1},
            ],
            hint=_HINT,
        )
        entries = self._entries(_by_keys(keys[:limit]))
        if len(keys) <= limit:
            return OutboxPage(entries, present)
        behind = counted(position.marks, ((key["writer"], key["number"]) for key in keys[:limit]))
        return OutboxPage(entries, Position(behind, entries[-1].at.seconds), more=True)

    def _entries(self, clause: Clause) -> list[OutboxEntry]:
        fields = ["at", "written", "before.kind", "before.id", "before.by_dates"]
        return [
            OutboxEntry(
                ClusterTime(each["at"].time, each["at"].inc),
                each["written"],
                frozenset((record["kind"], record["id"]) for record in each.get("before", ())),
                frozenset(
                    (record["kind"], record["id"])
                    for record in each.get("before", ())
                    if "by_dates" in record
                ),
            )
            for each in self._store[OUTBOX].find(clause, order=[("at", 1)], fields=fields)
        ]

    def _require_reach(self, position: Position, present: Position, first: int) -> None:
        """Raise ``ChangesGone`` behind which not all is known, or which was of another database."""
        last = position.marks.get(LAST, LAST)
        is_known = first <= last <= present.marks.get(LAST, LAST) and all(
            number <= present.marks.get(writer, number) for writer, number in position.marks.items()
        )
        if not is_known or position.time < time.time() - self._days * 86400:
            raise ChangesGone


def _between(position: Position, until: Position) -> Clause:
    """Match the entries behind one position and not behind another."""
    return all_of([since(position.marks), {"$nor": [since(until.marks)]}])


def _by_keys(keys: Sequence[Record]) -> Clause:
    """Match the entries with these keys."""
    numbers: dict[int, list[int]] = {}
    for key in keys:
        numbers.setdefault(key["writer"], []).append(key["number"])
    return any_of({"writer": each, "number": {"$in": own}} for each, own in numbers.items())
