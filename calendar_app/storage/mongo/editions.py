"""Editions of the calendar: all snapshots with the same marks, of which values are kept.

The marks of writers tell them apart, and their entries in the outbox tell which documents one
edition has changed since another.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from sys import getsizeof
from threading import Lock
from typing import Any, NamedTuple

from bson import Timestamp

from calendar_app.domain.kind import Record
from calendar_app.domain.moments import Clock, system_clock
from calendar_app.storage.cache_memory import CacheMemory, ContentKey, size_of
from calendar_app.storage.mongo.marks import LAST, OUTBOX, Marks, WrittenIds, since

_ORDER = count(1)
_MINUTE = 60  # seconds
# More than these are told as unknown, as it is cheaper to read anew. Those of a transaction of an
# import are fewer.
_MOST_IDS, _MOST_ENTRIES, _MOST_STEPS = 500, 100, 50
# All values of an edition, as a key of the memory.
_ALL = "all"
_OF_A_VALUE = 200  # bytes, of its place among others


@dataclass(eq=False, slots=True)
class Edition:
    """All snapshots with the same marks; the ``first`` and the ``latest`` that were seen.

    It ends at the full minute too: a write by other means than this service leaves no mark.
    ``steps`` are those from former editions to this one, the last one at the end.
    """

    marks: Marks
    first: Timestamp
    latest: Timestamp
    minute: int
    steps: tuple["Step", ...] = ()
    order: int = field(default_factory=lambda: next(_ORDER))

    def written_since(self, former: "Edition") -> Mapping[str, Collection[Any] | None] | None:
        """Return the ids written since a former edition of this minute; ``None`` if unknown."""
        steps = [step for step in self.steps if step.to > former.order]
        is_known = former is self or (steps and steps[0].after <= former.order)
        if former.minute != self.minute or not is_known:
            return None
        return _joined([step.written_ids for step in steps])


class Step(NamedTuple):
    """From one edition to another, by their order; ``written_ids`` are ``None`` where unknown."""

    after: int
    to: int
    written_ids: Mapping[str, Collection[Any] | None] | None


def _joined(parts: Iterable[Mapping[str, Collection[Any] | None] | None]) -> WrittenIds | None:
    joined: WrittenIds = {}
    for part in parts:
        if part is None:
            return None
        for name, ids in part.items():
            known_ids = joined.setdefault(name, set())
            all_ids = None if ids is None or known_ids is None else known_ids.union(ids)
            joined[name] = all_ids if all_ids and len(all_ids) <= _MOST_IDS else None
    return joined


@dataclass(frozen=True, slots=True)
class EditionRead:
    """The marks of a snapshot, and the ids written since the edition ``before``."""

    marks: Marks
    before: Edition | None = None
    written_ids: Mapping[str, Collection[Any] | None] | None = None


def stages_of_marks(before: Edition | None) -> list[Record]:
    """Return stages on the writers: their marks, and the entries since an edition."""
    stages: list[Record] = [{"$project": {"n": 1, "first": 1}}]
    if before is not None:
        entries = [
            {"$match": since(before.marks)},
            {"$limit": _MOST_ENTRIES + 1},
            {"$project": {"_id": 0, "written": 1}},
        ]
        stages.append({"$unionWith": {"coll": OUTBOX, "pipeline": entries}})
    return stages


def read_marks(documents: Sequence[Record], before: Edition | None) -> EditionRead:
    """Return the results of these stages."""
    entries = [each["written"] for each in documents if "written" in each]
    writers = [each for each in documents if "written" not in each]
    marks = {each["_id"]: each["n"] for each in writers}
    first = max((each.get("first", 0) for each in writers), default=0)
    is_told = before is not None and len(entries) <= _MOST_ENTRIES
    # Whoever marks everything, or empties the database, tells nothing of what was before.
    if before is None or not is_told or not _counts(marks, before.marks, first):
        return EditionRead(marks, before)
    return EditionRead(marks, before, _joined(entries))


def _counts(marks: Marks, former: Marks, first: int) -> bool:
    """Say whether entries tell all that was written between marks and former ones."""
    last = former.get(LAST, 0)
    return first <= last <= marks.get(LAST, 0) and all(
        isinstance(writer, int) and marks.get(writer, number) >= number
        for writer, number in former.items()
    )


class Editions:
    """Knows the present edition."""

    def __init__(self, clock: Clock = system_clock) -> None:
        self._clock = clock
        self._present: Edition | None = None
        self._of_minute: list[Edition] = []
        self._lock = Lock()

    @property
    def present(self) -> Edition | None:
        """The latest edition that was seen, unless it has ended."""
        edition = self._present
        return edition if edition and edition.minute == self._current_minute() else None

    def at(self, cluster_time: Timestamp) -> Edition | None:
        """Return the present edition where it is known to be that of a cluster time."""
        edition = self.present
        return edition if edition and edition.first <= cluster_time <= edition.latest else None

    def note(self, cluster_time: Timestamp, reading: EditionRead) -> Edition | None:
        """Return the edition of a cluster time; ``None`` of a former one."""
        with self._lock:
            edition, marks = self._present, reading.marks
            if edition and edition.marks == marks and edition.minute == self._current_minute():
                edition.first = min(edition.first, cluster_time)
                edition.latest = max(edition.latest, cluster_time)
            elif edition and edition.marks != marks and cluster_time <= edition.latest:
                return None
            else:
                edition = Edition(marks, cluster_time, cluster_time, self._current_minute())
                self._end_others_than(edition.minute)
                if before := reading.before:
                    step = Step(before.order, edition.order, reading.written_ids)
                    edition.steps = (*before.steps, step)[-_MOST_STEPS:]
                self._present = edition
                self._of_minute.append(edition)
            return edition

    def _end_others_than(self, minute: int) -> None:
        """Drop the steps of editions that have ended: kept values refer to them for long."""
        if self._of_minute and self._of_minute[0].minute != minute:
            for edition in self._of_minute:
                edition.steps = ()
            self._of_minute.clear()

    def _current_minute(self) -> int:
        return int(self._clock().timestamp() // _MINUTE)


CachedValues = MutableMapping[Hashable, Any]


class DocumentKey(NamedTuple):
    """The key of a cached document, or of ``None`` in its place."""

    collection: str
    id: Any


class EditionCache:
    """Values in the ``memory``, all of the latest edition that was asked for.

    Documents stay where the marks tell that others were written, and what was made of one content
    stays anyhow. All values are one entry of the memory, so that none is gone while a request reads
    them; where they take too much, all go.
    """

    def __init__(self, memory: CacheMemory) -> None:
        self._kept = memory.cache("look-ups")
        self._edition: Edition | None = None
        self._sizes: dict[Hashable, int] = {}
        self._lock = Lock()

    def at(self, edition: Edition | None) -> CachedValues:
        """Return the values of an edition, to read and to add to.

        Values of a former edition, or of ``None``, are not kept.
        """
        if edition is None:
            return {}
        with self._lock:
            cached: CachedValues | None = self._kept.get(_ALL)
            values = {} if cached is None else cached
            if self._edition is None or edition.order > self._edition.order:
                values = self._carried(values, edition)
                self._edition = edition
            if edition is not self._edition:
                return {}
            if values is not cached or len(values) != len(self._sizes):
                self._keep(values)
            return values

    def _keep(self, values: CachedValues) -> None:
        """Keep the values, and measure new ones."""
        keys = list(values)
        self._sizes = {
            key: self._sizes[key] if key in self._sizes else _size_of(key, values[key])
            for key in keys
        }
        self._kept.keep(_ALL, values, sum(self._sizes.values()))

    def _carried(self, values: CachedValues, edition: Edition) -> CachedValues:
        """Return the values that are right in a later edition too."""
        written_ids = edition.written_since(self._edition) if self._edition else None
        if written_ids is None:
            return {}
        return {
            key: value
            for key, value in dict(values).items()
            if isinstance(key, ContentKey)
            or (isinstance(key, DocumentKey) and not _is_among(written_ids, key))
        }


def _size_of(key: Hashable, value: Any) -> int:
    """Return the bytes of a value and its place; keys refer to much that is shared."""
    return _OF_A_VALUE + getsizeof(key) + size_of(value)


def _is_among(written_ids: Mapping[str, Collection[Any] | None], key: DocumentKey) -> bool:
    ids = written_ids.get(key.collection, ())
    return ids is None or key.id in ids
