"""Tells whether anything that answers show was written, and by whom.

Each transaction that writes such documents ends with a mark: the number of its writer becomes one
higher. A snapshot that has the same marks as another one shows the same, whatever the clock of
MongoDB says. All these snapshots are one edition of the calendar, of which values are kept.

A writer belongs to one transaction at a time, so that no two meet at its mark; and to one run of
one process, so that its numbers never come again. Marks are seldom removed, and only together with
the first mark of a new writer. So marks that were seen once are never seen again after a change,
not even where a database was restored or emptied.
"""

import os
import time
from collections.abc import (
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    Sequence,
)
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from threading import Lock
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import uuid4

from bson import Timestamp
from pymongo.client_session import ClientSession
from pymongo.database import Database

from calendar_app.domain.kind import Record

WRITERS = "writers"
# Collections that no answer, list or look-up shows that is ever kept. The words of an event stand
# in the vocabulary before the event comes, and find nothing until then.
UNSHOWN = frozenset(
    {
        "attempts",
        "glossary",
        "history",
        "idempotency_keys",
        "import_runs",
        "undo",
        "invitations",
        "jobs",
        "keys",
        "leases",
        "machine_jobs",
        "machine_proposals",
        "machine_use",
        "memory",
        "place_locks",
        "reads",
        "sequences",
        "sessions",
        "source_doubles",
        "source_reading_events",
        "source_readings",
        "source_states",
        "vocabulary",
        WRITERS,
    }
)


def is_shown(collection: str) -> bool:
    """Return whether kept answers or values may show documents of a collection."""
    return collection not in UNSHOWN


# By collection the ids that were written; ``None`` where they are unknown or too many.
Written = MutableMapping[str, set[Any] | None]
# By writer the number of its last transaction.
Marks = Mapping[str, int]
# By writer what its last transactions have written, the latest one at the end.
Recent = Mapping[str, Sequence[Mapping[str, Any]]]

_MOST_IDS = 100
# So many transactions of a writer tell which ids they wrote.
_MOST_RECENT = 12
# Of a writer that has written nothing for so long the mark is removed.
_IDLE = timedelta(hours=1)


@dataclass(slots=True)
class _Writer:
    """Writes one transaction at a time; ``number`` is that of the last one that was stored."""

    id: str = field(default_factory=lambda: uuid4().hex)
    number: int = 0


# Those that have nothing to do. The last one comes first, so that few writers have marks.
_idle_writers: list[_Writer] = []
os.register_at_fork(after_in_child=_idle_writers.clear)


class Mark:
    """The mark of one transaction, which may be attempted more than once."""

    def __init__(self, database: Database[Record], writer: _Writer) -> None:
        self._marks = database[WRITERS]
        self._writer = writer
        self.is_written = False

    def write(self, written: Written, session: ClientSession) -> None:
        """Mark what an attempt has written, as its last step."""
        self.is_written = True
        now = datetime.now(UTC)
        entry: dict[str, Any] = {"at": now, "written": _listed(written)}
        if not self._writer.number:
            former = self._marks.delete_many({"at": {"$lt": now - _IDLE}}, session=session)
            # Nobody can tell any longer what those had written.
            entry["all"] = former.deleted_count > 0
        self._marks.update_one(
            {"_id": self._writer.id},
            {
                "$set": {"n": self._writer.number + 1, "at": now},
                "$push": {"recent": {"$each": [entry], "$slice": -_MOST_RECENT}},
            },
            upsert=True,
            session=session,
        )


@contextmanager
def marking(database: Database[Record]) -> Iterator[Mark]:
    """Give the mark of a transaction, which has a writer of its own from its beginning.

    Where a mark may have been stored or not, nobody knows the number of its writer either, who is
    not used again.
    """
    writer, is_stored = _idle_writer(), False
    mark = Mark(database, writer)
    try:
        yield mark
        is_stored = True
    finally:
        if mark.is_written and is_stored:
            writer.number += 1
        if is_stored or not mark.is_written:
            _idle_writers.append(writer)


def _idle_writer() -> _Writer:
    try:
        return _idle_writers.pop()
    except IndexError:
        return _Writer()


def _listed(written: Written) -> dict[str, list[Any] | None]:
    return {
        name: None if ids is None or len(ids) > _MOST_IDS else list(ids)
        for name, ids in written.items()
    }


def mark_everything(database: Database[Record]) -> None:
    """Say that all documents may have changed, by whatever way."""
    database[WRITERS].insert_one({"_id": uuid4().hex, "n": 1, "at": datetime.now(UTC)})


# Editions.

_ORDER = count(1)
_MINUTE = 60  # seconds


@dataclass(eq=False, slots=True)
class Edition:
    """All snapshots with the same marks; the ``first`` and the ``latest`` that were seen.

    It ends at the full minute too: a write by other means than this service leaves no mark.
    """

    marks: Marks
    first: Timestamp
    latest: Timestamp
    minute: int
    recent: Recent = field(default_factory=dict)
    order: int = field(default_factory=lambda: next(_ORDER))

    def written_since(self, former: "Edition") -> Mapping[str, Collection[Any] | None] | None:
        """Return what was written since a former edition of this minute; ``None`` if unknown."""
        numbers = {writer: n - former.marks.get(writer, 0) for writer, n in self.marks.items()}
        is_ahead = former.marks.keys() <= numbers.keys() and min(numbers.values(), default=0) >= 0
        if former.minute != self.minute or not is_ahead:
            return None
        entries: list[Mapping[str, Any]] = []
        for writer, number in numbers.items():
            own = list(self.recent.get(writer, ()))[-number:] if number else []
            if len(own) < number:
                return None
            entries += own
        return None if any(entry.get("all") for entry in entries) else _joined(entries)


def _joined(entries: Iterable[Mapping[str, Any]]) -> Written:
    joined: Written = {}
    for entry in entries:
        for name, ids in entry["written"].items():
            known = joined.setdefault(name, set())
            joined[name] = None if ids is None or known is None else known.union(ids)
    return joined


class Editions:
    """Knows the present edition."""

    def __init__(self) -> None:
        self._present: Edition | None = None
        self._lock = Lock()

    @property
    def present(self) -> Edition | None:
        """The latest edition that was seen, unless it has ended."""
        edition = self._present
        return edition if edition and edition.minute == _current_minute() else None

    def at(self, cluster_time: Timestamp) -> Edition | None:
        """Return the present edition where it is known to be that of a cluster time."""
        edition = self.present
        return edition if edition and edition.first <= cluster_time <= edition.latest else None

    def note(
        self, cluster_time: Timestamp, marks: Marks, recent: Recent = MappingProxyType({})
    ) -> Edition | None:
        """Return the edition of a cluster time with these marks; ``None`` of a former one."""
        with self._lock:
            edition = self._present
            if edition and edition.marks == marks and edition.minute == _current_minute():
                edition.first = min(edition.first, cluster_time)
                edition.latest = max(edition.latest, cluster_time)
            elif edition and edition.marks != marks and cluster_time <= edition.latest:
                return None
            else:
                edition = Edition(marks, cluster_time, cluster_time, _current_minute(), recent)
                self._present = edition
            return edition


def _current_minute() -> int:
    return int(time.time() // _MINUTE)


CachedValues = MutableMapping[Hashable, Any]


class DocumentKey(NamedTuple):
    """The key of a document that is kept as it is stored, or of ``None`` in its place."""

    collection: str
    id: Any


class EditionCache:
    """At most ``limit`` values, all of the latest edition that was asked for.

    Documents stay where the marks tell that others were written.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._edition: Edition | None = None
        self._values: CachedValues = {}
        self._lock = Lock()

    def at(self, edition: Edition | None) -> CachedValues:
        """Return the values of an edition, to read and to add to.

        Values of a former edition, or of ``None``, are not kept.
        """
        if edition is None:
            return {}
        with self._lock:
            if self._edition is None or edition.order > self._edition.order:
                self._edition, self._values = edition, self._carried(edition)
            if len(self._values) >= self._limit:
                self._values = {}
            return self._values if edition is self._edition else {}

    def _carried(self, edition: Edition) -> CachedValues:
        """Return the values that are right in a later edition too."""
        written = edition.written_since(self._edition) if self._edition else None
        if written is None:
            return {}
        return {
            key: value
            for key, value in dict(self._values).items()
            if isinstance(key, DocumentKey) and not _is_among(written, key)
        }


def _is_among(written: Mapping[str, Collection[Any] | None], key: DocumentKey) -> bool:
    ids = written.get(key.collection, ())
    return ids is None or key.id in ids
