"""Change marks and the outbox: they tell which documents changed between two snapshots.

A transaction that writes documents of answers ends with its entries in the outbox, and with a
mark: the number of its writer becomes that of its last entry. A snapshot that has the same marks as
another one shows the same, whatever the clock of MongoDB says. An entry that a snapshot shows and
that the marks of another one do not count was committed in between, however long it took.

A writer belongs to one transaction at a time, so that no two meet at its mark. It is registered
under a number that is higher than those of all writers before it, in the order in which snapshots
see them. So marks tell a writer that came later from one that has gone, and whose mark is removed;
and marks that were seen once are never seen again after a change, not even where a database was
restored or emptied.
"""

import os
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from bson import Timestamp
from pymongo import ReturnDocument
from pymongo.client_session import ClientSession
from pymongo.database import Database

from calendar_app.domain.kind import Record
from calendar_app.storage.mongo.error_translation import before_any_write, translate_errors
from calendar_app.storage.mongo.formats import MARK, MARKS, follow_mark
from calendar_app.storage.mongo.last_write import last_write
from calendar_app.storage.mongo.leases import LEASES

WRITERS, OUTBOX = "writers", "outbox"
# Collections that no answer, list or look-up shows that is ever kept. The words of an event stand
# in the vocabulary before the event comes, and find nothing until then.
UNSHOWN = frozenset(
    {
        "attempts",
        "feed_versions",
        "glossary",
        "history",
        "hub",
        "idempotency_keys",
        "import_runs",
        "undo",
        "union_links",
        "invitations",
        "jobs",
        "keys",
        LEASES,
        "machine_jobs",
        "machine_proposals",
        "machine_use",
        MARKS,
        "memory",
        "missed_writes",
        OUTBOX,
        "place_locks",
        "reads",
        "sequences",
        "sessions",
        "source_doubles",
        "source_reading_events",
        "source_readings",
        "source_states",
        "vocabulary",
        "webhook_deliveries",
        "webhooks",
        WRITERS,
    }
)
# In this order, so that the index tells the order of entries without a look at any.
ENTRY_KEY = ("writer", "number", "at")


def is_shown(collection: str) -> bool:
    """Return whether kept answers or values may show documents of a collection."""
    return collection not in UNSHOWN


# By collection the ids that were written; ``None`` where they are unknown.
WrittenIds = MutableMapping[str, set[Any] | None]
# By the number of a writer that of its last entry, and under ``LAST`` that of the last writer.
Marks = Mapping[Any, int]

LAST = 0
# Ids and records of one entry; a document holds sixteen megabytes.
_MOST_IDS, _MOST_RECORDS = 10_000, 500
# By the clock of the database.
_WRITTEN_NOW: Record = {"$currentDate": {"at": True}}
# Of a writer that has written nothing for so many milliseconds the mark is removed.
_IDLE = 60 * 60 * 1000
_IS_IDLE: Record = {
    "_id": {"$ne": LAST},
    "$expr": {"$lt": ["$at", {"$subtract": ["$$NOW", _IDLE]}]},
}
# MongoDB puts its cluster time in this place, higher at each insertion.
_CLUSTER_TIME = Timestamp(0, 0)
_THOUSAND = 1000


@dataclass(frozen=True, slots=True)
class Before:
    """A record before a write; ``record`` is ``None`` for a new one.

    Of a series, ``by_dates`` says that nothing but its dates is written.
    """

    kind: str
    id: int
    record: Record | None
    by_dates: bool = False

    @property
    def document(self) -> Record:
        by_dates = {"by_dates": True} if self.by_dates else {}
        return {"kind": self.kind, "id": self.id, "record": self.record, **by_dates}


@dataclass(slots=True)
class _Writer:
    """Writes one transaction at a time; ``number`` is that of its last entry that was stored."""

    id: int
    number: int = 0


# Those of each database that have nothing to do. The last one comes first, so that few have marks.
_idle_writers: defaultdict[Database[Record], list[_Writer]] = defaultdict(list)
os.register_at_fork(after_in_child=_idle_writers.clear)


class Mark:
    """The mark of one transaction, which may be attempted more than once."""

    def __init__(self, database: Database[Record], writer: _Writer) -> None:
        self._database = database
        self.writer = writer
        self.is_written = False
        self._next = writer

    def write(
        self, written_ids: WrittenIds, before: Sequence[Before], session: ClientSession
    ) -> None:
        """Store the entries and the mark of an attempt, as its last step."""
        self.is_written = True
        if shared := last_write(self._database):
            shared.begin()
        contents = list(_contents(written_ids, before))
        writer = self._marked(self.writer, len(contents), session)
        entries = [
            {"writer": writer.id, "number": number, "at": _CLUSTER_TIME, **content}
            for number, content in enumerate(contents, start=writer.number - len(contents) + 1)
        ]
        self._store(entries, session)
        self._next = writer

    def _store(self, entries: Sequence[Record], session: ClientSession) -> None:
        self._database[OUTBOX].insert_many(entries, session=session)

    def keep(self) -> _Writer:
        """Return the writer with its number after the stored attempt."""
        return self._next

    def _marked(self, writer: _Writer, entries: int, session: ClientSession) -> _Writer:
        """Raise the number of the writer; register another one if its mark was removed."""
        number = writer.number + entries
        marked = self._database[WRITERS].update_one(
            {"_id": writer.id, "n": writer.number},
            {"$set": {"n": number}, **_WRITTEN_NOW},
            session=session,
        )
        if marked.matched_count:
            return _Writer(writer.id, number)
        return _registered(self._database, entries, session)


@contextmanager
def marking(database: Database[Record]) -> Iterator[Mark]:
    """Yield the change mark for a transaction, with a writer that no other transaction uses.

    Where a mark may have been stored or not, nobody knows the number of its writer either, who is
    not used again.
    """
    mark, is_stored = Mark(database, _idle_writer(database)), False
    try:
        yield mark
        is_stored = True
    finally:
        if is_stored or not mark.is_written:
            _idle_writers[database].append(mark.keep() if mark.is_written else mark.writer)
    if mark.is_written and (shared := last_write(database)):
        shared.end()


def _idle_writer(database: Database[Record]) -> _Writer:
    try:
        return _idle_writers[database].pop()
    except IndexError:
        return _register(database)


def _register(database: Database[Record]) -> _Writer:
    """Register a writer before its first transaction: two that register at once meet here."""
    with before_any_write(), database.client.start_session() as session:
        return session.with_transaction(lambda joined: _registered(database, 0, joined))


def _registered(database: Database[Record], number: int, session: ClientSession) -> _Writer:
    """Register a writer of the present data format, and remove the marks of idle ones."""
    writers = database[WRITERS]
    writer = _Writer(_take_number(database, session), number)
    follow_mark(database, session)
    mark = {"$set": {"n": number}, **_WRITTEN_NOW}
    writers.update_one({"_id": writer.id}, mark, upsert=True, session=session)
    writers.delete_many(_IS_IDLE, session=session)
    return writer


def _take_number(database: Database[Record], session: ClientSession) -> int:
    """Return the number of the next writer; transactions that take one conflict."""
    step = {"n": _following(), "first": {"$ifNull": ["$first", _following()]}}
    last = database[WRITERS].find_one_and_update(
        {"_id": LAST},
        [{"$set": step}],
        upsert=True,
        return_document=ReturnDocument.AFTER,
        session=session,
    )
    return int((last or {})["n"])


def change_mark(database: Database[Record], update: Record, session: ClientSession) -> None:
    """Change the mark of the data format; transactions that register a writer conflict."""
    _take_number(database, session)
    database[MARKS].update_one(MARK, update, upsert=True, session=session)


def release_writers(database: Database[Record]) -> None:
    """Let each writer look at the mark of the data format before its next transaction ends.

    Waits for the transactions that have written their marks.
    """
    with translate_errors():
        database[WRITERS].delete_many({"_id": {"$ne": LAST}})


def _following() -> Record:
    """Return the number of the next writer; higher than those of a database that was emptied."""
    present = int(time.time() * _THOUSAND)
    return {"$max": [{"$add": [{"$ifNull": ["$n", 0]}, 1]}, present]}


def mark_everything(database: Database[Record]) -> None:
    """Say that all documents may have changed, by whatever way; nothing before can be told."""
    _idle_writers[database].clear()
    shared = last_write(database)
    if shared:
        shared.begin()
    step: list[Record] = [{"$set": {"n": _following()}}, {"$set": {"first": "$n"}}]
    database[WRITERS].update_one({"_id": LAST}, step, upsert=True)
    if shared:
        shared.end()


def _contents(written_ids: WrittenIds, before: Sequence[Before]) -> Iterator[Record]:
    """Yield the entries of a transaction, several if one would be too large."""
    part: dict[str, list[Any] | None] = {}
    size = 0
    for name, ids in written_ids.items():
        if ids is None:
            part[name] = None
            continue
        for each in ids:
            part.setdefault(name, []).append(each)  # type: ignore[union-attr]  # no ids are unknown
            size += 1
            if size == _MOST_IDS:
                yield {"written": part}
                part, size = {}, 0
    records = [each.document for each in before]
    yield {"written": part, "before": records[:_MOST_RECORDS]}
    for start in range(_MOST_RECORDS, len(records), _MOST_RECORDS):
        yield {"written": {}, "before": records[start : start + _MOST_RECORDS]}


# Reading what was written between two states.


def since(marks: Marks) -> Record:
    """Match the entries that these marks do not count, in whatever snapshot they are read.

    Of writers that came later all entries are new; those of writers that had gone are all counted.
    """
    counted_writers = {writer: number for writer, number in marks.items() if writer != LAST}
    later = {"writer": {"$gt": marks.get(LAST, LAST), "$nin": list(counted_writers)}}
    of_counted = [
        {"writer": writer, "number": {"$gt": number}} for writer, number in counted_writers.items()
    ]
    return {"$or": [later, *of_counted]}


def counted(marks: Marks, entries: Iterable[tuple[int, int]]) -> Marks:
    """Return marks that count these entries too, given as writer and number."""
    after = dict(marks)
    for writer, number in entries:
        after[writer] = max(after.get(writer, 0), number)
    return after
