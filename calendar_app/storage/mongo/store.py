"""The collections of one database, a cache of their values, and a store for dry runs."""

import time
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from operator import eq
from typing import Any, NamedTuple, TypeVar
from uuid import uuid4

from pymongo.database import Database

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Clock, system_clock
from calendar_app.domain.numbers import RESERVED
from calendar_app.errors import RecordTooLarge, TookTooLong
from calendar_app.storage.cache_memory import CacheMemory
from calendar_app.storage.mongo.collection import Pipeline, RecordCollection
from calendar_app.storage.mongo.editions import (
    CachedValues,
    Edition,
    EditionCache,
    Editions,
    read_marks,
    stages_of_marks,
)
from calendar_app.storage.mongo.error_translation import translate_errors
from calendar_app.storage.mongo.last_write import last_write
from calendar_app.storage.mongo.marks import WRITERS
from calendar_app.storage.mongo.secondaries import Secondaries
from calendar_app.storage.mongo.totals import TOTAL, Counting, TotalCounts, Totals, read_total
from calendar_app.storage.mongo.transactions import (
    PATIENCE,
    assume,
    current_cluster_time,
    current_member,
    current_reading,
    current_session,
    in_snapshot,
    in_transaction,
    may_assume,
    transact,
    validate_assumptions,
)
from calendar_app.storage.query.clauses import Clause, all_of, one_of
from calendar_app.storage.query.stages import counted

Result = TypeVar("Result")
Key = TypeVar("Key", bound=Hashable)
T = TypeVar("T")
# The records of a collection that match, with some fields.
LookUpQuery = tuple[str, Clause, Sequence[str]]
# Clauses of single records, each with its update.
Updates = Sequence[tuple[Clause, Mapping[str, Any]]]
_SEQUENCES = "sequences"
# The place of the pipeline that a document comes from.
_PLACE = "pipeline"
# Seconds. Processes of an earlier version write without saying so.
_ASKED_EVERY = 1.0


class _LatestEdition(NamedTuple):
    """An edition that MongoDB told after a last write, and the monotonic time until it counts."""

    edition: Edition
    last_write: bytes
    until: float

    def holds(self, last_write: bytes, now: float) -> bool:
        return last_write == self.last_write and now < self.until


class Store:
    """The collections of one database; ``timeout`` is how long a query may take, in ms.

    What a snapshot shows may be ``read_elsewhere``: from a secondary, where there is one. What it
    caches stands in the ``cache_memory``.
    """

    def __init__(
        self,
        database: Database[Record],
        timeout: int = 0,
        cache_memory: CacheMemory | None = None,
        *,
        read_elsewhere: bool = False,
        clock: Clock = system_clock,
    ) -> None:
        self.database = database
        self.cache_memory = cache_memory or CacheMemory()
        self._timeout = timeout
        self._collections: dict[str, RecordCollection] = {}
        self._editions = Editions(clock)
        self._latest: _LatestEdition | None = None
        self._cache = EditionCache(self.cache_memory)
        self._totals = Totals(self.__getitem__, self.cache_memory)
        self._sequence_uuids: dict[str, str] = {}
        self._secondaries = (
            Secondaries(database, lambda: self[WRITERS].first({"_id": ""}, ["_id"]))
            if read_elsewhere
            else None
        )

    def __getitem__(self, name: str) -> RecordCollection:
        """Return the collection of that name."""
        if name not in self._collections:
            self._collections[name] = RecordCollection(self.database, name, self._timeout)
        return self._collections[name]

    def of(self, kind: Kind) -> RecordCollection:
        return self[kind.name]

    def transact(self, work: Callable[[], Result], patience: float = PATIENCE) -> Result:
        """Run ``work``; all its writes are stored, or none. It may run more than once.

        What has not come to its end after ``patience`` seconds is given up.
        """
        return transact(self.database, work, patience)

    def change_in_parts(self, kind: Kind, updates: Updates, patience: float) -> int:
        """Change one record for each clause and its update; return how many were there.

        Where a transaction with all of them takes too long, each half has one of its own.
        """
        try:
            return self.transact(lambda: self.of(kind).change_each(updates), patience)
        except TookTooLong:
            if len(updates) == 1:
                raise
        half = len(updates) // 2
        parts = (updates[:half], updates[half:])
        return sum(self.change_in_parts(kind, part, patience) for part in parts)

    def in_snapshot(self, work: Callable[[], Result]) -> Result:
        """Run ``work``, perhaps again; all its reads see one snapshot."""
        return in_snapshot(self.database, partial(self._read, work) if self._secondaries else work)

    def _read(self, work: Callable[[], Result]) -> Result:
        """Let the primary tell edition and cluster time, and a secondary the rest."""
        self.edition()
        cluster_time = current_cluster_time()
        if self._secondaries is None or cluster_time is None or current_member():
            return work()
        return self._secondaries.read(cluster_time, work)

    def edition(self) -> Edition | None:
        """Return the edition of the calendar that the current work reads.

        ``None`` outside a snapshot read, where another work has seen a later edition, and where
        nothing has ever been written.
        """
        reading = current_reading()
        if reading is None:
            return None
        edition = self._editions.at(reading.cluster_time) if reading.cluster_time else None
        if edition is None:
            validate_assumptions()  # which may ask for the marks itself
        if edition is None and reading.marks is None:
            before = self._editions.present
            documents = self[WRITERS].aggregate(stages_of_marks(before))
            reading.marks = read_marks(documents, before)
        if edition is None and reading.marks is not None and reading.cluster_time:
            edition = self._editions.note(reading.cluster_time, reading.marks)
        return edition

    def latest_edition(self) -> Edition | None:
        """Return the edition that one would read now; it is another one after every write.

        Where all writers are on this machine, MongoDB is asked after each write, and every second.
        """
        shared = last_write(self.database)
        number, now, latest = shared.number if shared else b"", time.monotonic(), self._latest
        if latest and latest.holds(number, now) and latest.edition is self._editions.present:
            return latest.edition
        edition = in_snapshot(self.database, self.edition)
        if edition and number:
            self._latest = _LatestEdition(edition, number, now + _ASKED_EVERY)
        return edition

    def cached_values(self) -> CachedValues:
        """Return the cached values of the current edition, to read and to add to.

        Before the first read, and outside a snapshot read, nothing is kept.
        """
        return self._cache.at(self.edition()) if current_cluster_time() else {}

    def cached_lookup(
        self,
        name: str,
        keys: Collection[Key],
        look_up: Callable[[Collection[Key]], Mapping[Key, T]],
        is_same: Callable[[T, T], bool] = eq,
    ) -> dict[Key, T]:
        """Return the value of each key; ``look_up`` is called once per key and edition.

        Before the first read of the current work, values of the latest edition are assumed.
        ``is_same`` compares them with those of the snapshot.
        """
        assumed = self._editions.present if may_assume() else None
        cache = self._cache.at(assumed) if assumed else self.cached_values()
        values = {key: cache[name, key] for key in keys if (name, key) in cache}
        if values and assumed:
            assume(partial(self._holds, assumed, name, dict(values), look_up, is_same))
        unknown = [key for key in keys if key not in values]
        if unknown:
            fresh = look_up(unknown)
            self.prime_cache(name, fresh)
            values.update(fresh)
        return values

    def _holds(
        self,
        edition: Edition,
        name: str,
        assumed: Mapping[Key, T],
        look_up: Callable[[Collection[Key]], Mapping[Key, T]],
        is_same: Callable[[T, T], bool],
    ) -> bool:
        if self.edition() is edition:
            return True
        present = self.cached_lookup(name, assumed, look_up)
        return all(is_same(present[key], value) for key, value in assumed.items())

    def is_unwritten(
        self, kind: Kind, clause: Clause, ids: Collection[int], former: Edition
    ) -> bool:
        """Return whether the same documents match as at a former edition, each as it was.

        ``ids`` are those that matched. Where it is unknown what was written, the answer is no.
        """
        edition = self.edition()
        if edition is former:
            return True
        written_ids = edition.written_since(former) if edition else None
        own = () if written_ids is None else written_ids.get(kind.name, ())
        if written_ids is None or own is None or not set(own).isdisjoint(ids):
            return False
        return not own or self.of(kind).first(all_of([one_of("_id", own), clause]), ["_id"]) is None

    def prime_cache(self, name: str, values: Mapping[Key, T]) -> None:
        """Cache values that another query gave, for ``cached_lookup``."""
        self.cached_values().update({(name, key): value for key, value in values.items()})

    def total(
        self, kind: Kind, clause: Clause, stages: Pipeline, among: Callable[[Clause], Pipeline]
    ) -> int:
        """Return the ``total`` that ``stages`` make; counted once per edition and clause.

        ``among`` makes stages that count the documents of a clause whatever indexes there are.
        """
        counting = Counting(kind.name, clause, among, read_total)
        return self.numbers(counting, stages)[TOTAL]

    def numbers(self, counting: Counting, stages: Pipeline) -> TotalCounts:
        """Return the numbers that ``stages`` make; counted once per edition and clause."""
        return self._totals.numbers(
            counting,
            lambda: counting.read(self[counting.collection].aggregate(stages)),
            self.edition(),
        )

    def find_by_ids(self, ids: Mapping[str, Sequence[int]]) -> dict[str, list[Record]]:
        """Return the records with these ids, by collection, in one query."""
        clauses = [(name, [{"$match": one_of("_id", own)}]) for name, own in ids.items()]
        return dict(zip(ids, self.aggregate_each(clauses), strict=True))

    def counts(self, clauses: Sequence[tuple[Kind, Clause]]) -> list[int]:
        """Return how many records match each clause, in one query."""
        counting = [(kind.name, counted(clause, {})) for kind, clause in clauses]
        return self.totals(counting)

    def totals(self, counting: Sequence[tuple[str, Pipeline]]) -> list[int]:
        """Return the number that each pipeline counts on its collection, as ``counted`` does."""
        return [sum(each["total"] for each in totals) for totals in self.aggregate_each(counting)]

    def aggregate_each(self, pipelines: Sequence[tuple[str, Pipeline]]) -> list[list[Record]]:
        """Return the results of each pipeline on its collection, in one query if it has room.

        MongoDB knows no ``$unionWith`` inside a transaction: there each collection is asked by
        itself.
        """
        if len(pipelines) <= 1 or in_transaction():
            return [self[name].aggregate(list(stages)) for name, stages in pipelines]
        try:
            return self._aggregate_united(pipelines)
        except RecordTooLarge:  # A list of words may have megabytes, and a command has 16.
            middle = len(pipelines) // 2
            parts = (pipelines[:middle], pipelines[middle:])
            return [each for part in parts for each in self.aggregate_each(part)]

    def _aggregate_united(self, pipelines: Sequence[tuple[str, Pipeline]]) -> list[list[Record]]:
        (first, first_stages), *rest = pipelines
        united = [
            {"$unionWith": {"coll": name, "pipeline": [*stages, {"$set": {_PLACE: place}}]}}
            for place, (name, stages) in enumerate(rest, start=1)
        ]
        results: list[list[Record]] = [[] for _ in pipelines]
        for record in self[first].aggregate([*first_stages, *united]):
            results[record.pop(_PLACE, 0)].append(record)
        return results

    def first_of_all(self, pipelines: Sequence[tuple[str, Pipeline]], most: int) -> list[Record]:
        """Return the first results of several pipelines, one behind the other, in one query.

        No pipeline runs where those before it have given ``most`` results.
        """
        if in_transaction():
            results: list[Record] = []
            for name, stages in pipelines:
                results += self[name].aggregate(list(stages)) if len(results) < most else []
            return results[:most]
        (first, first_stages), *rest = pipelines
        united = [{"$unionWith": {"coll": name, "pipeline": [*own]}} for name, own in rest]
        return self[first].aggregate([*first_stages, *united, {"$limit": most}])

    def find_each(self, questions: Sequence[LookUpQuery]) -> list[list[Record]]:
        """Return the few records that each question asks for; in a transaction, in one query."""
        if len(questions) <= 1 or not in_transaction():
            return [self[name].find(clause, fields=fields) for name, clause, fields in questions]
        stages: list[Record] = [{"$documents": [{}]}]
        for place, (name, clause, fields) in enumerate(questions):
            pipeline = [{"$match": clause}, {"$project": dict.fromkeys(fields, 1)}]
            stages.append({"$lookup": {"from": name, "pipeline": pipeline, "as": str(place)}})
        with translate_errors(in_transaction=True):
            (answers,) = self.database.aggregate(stages, session=current_session())
        return [answers[str(place)] for place in range(len(questions))]

    def next_id(self, sequence: str) -> int:
        """Return a number that this sequence has never given; taken outside any transaction."""
        return self.next_ids(sequence, 1)[0]

    def next_ids(self, sequence: str, number: int) -> range:
        """Return so many of these numbers at once; they follow each other."""
        before_first = RESERVED.get(sequence, 0)
        following = {"$add": [{"$ifNull": ["$value", before_first]}, number]}
        sequence_uuid = {"$ifNull": ["$sequence_uuid", uuid4().hex]}
        step = [{"$set": {"value": following, "sequence_uuid": sequence_uuid}}]
        counter = self[_SEQUENCES].upsert_unjournaled({"_id": sequence}, step)
        self._sequence_uuids[sequence] = counter["sequence_uuid"]
        last = int(counter["value"])
        return range(last - number + 1, last + 1)

    def sequence_uuid(self, sequence: str) -> str | None:
        """Return the mark of a sequence that this process has taken a number of.

        It stays as long as the sequence: with another mark it is that of another database.
        """
        return self._sequence_uuids.get(sequence)

    def advance_sequence(self, sequence: str, used: int) -> None:
        """Let the sequence go on behind ``used``, an id that came from elsewhere.

        Outside any transaction too: ``next_id`` would wait for one that holds the sequence.
        """
        highest = max(used, RESERVED.get(sequence, 0))
        self[_SEQUENCES].upsert_unjournaled({"_id": sequence}, {"$max": {"value": highest}})


# Finds out whether the user of the database may write.


class _Undone(Exception):
    """Ends a transaction of which nothing is to stay."""


def require_right_to_write(store: Store, names: Iterable[str]) -> None:
    """Raise ``DatabaseDenies`` where one of these collections may not be written; store nothing."""

    def attempt() -> None:
        unused = {"_id": uuid4().hex}
        for name in names:
            store[name].insert(unused)
            store[name].change(unused, {"$set": {"revision": 0}})
            store[name].remove(unused)
        raise _Undone

    with suppress(_Undone):
        store.transact(attempt)


# A store for dry runs, which rolls back all writes.

# Sequences of real calendars end long before.
_FIRST = 2**48


class DryRunStore(Store):
    """Takes no number of a sequence, since that is stored outside of transactions."""

    _numbers = count(_FIRST)

    def next_ids(self, sequence: str, number: int) -> range:
        """Return numbers that no sequence gives."""
        del sequence
        first = next(self._numbers)
        for _ in range(number - 1):
            next(self._numbers)
        return range(first, first + number)
