"""Everything that is stored, as one value that the application lends around."""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from hashlib import sha256
from operator import eq
from typing import TypeVar
from uuid import uuid4

from bson import encode
from pymongo.database import Database

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.numbers import RESERVED
from calendar_app.mongo.collection import RecordCollection, Stages
from calendar_app.mongo.snapshot_cache import Known, Remembered
from calendar_app.mongo.snapshots import (
    at_one_moment,
    believe,
    current_moment,
    likely_moment,
)
from calendar_app.mongo.transactions import PATIENCE, in_transaction, transact
from calendar_app.query.clauses import Clause, one_of
from calendar_app.query.stages import COLLECTION, union_by_ids

Result = TypeVar("Result")
Key = TypeVar("Key", bound=Hashable)
Told = TypeVar("Told")
_SEQUENCES = "sequences"
_MOST_REMEMBERED = 2000


class Store:
    """The collections of one database; ``timeout`` is how long a query may take, in ms."""

    def __init__(self, database: Database[Record], timeout: int = 0) -> None:
        self.database = database
        self._timeout = timeout
        self._collections: dict[str, RecordCollection] = {}
        self._remembered = Remembered(_MOST_REMEMBERED)
        self._born: dict[str, str] = {}

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

    def at_one_moment(self, work: Callable[[], Result]) -> Result:
        """Run ``work``, perhaps again; all its reads see the database as the first one does."""
        return at_one_moment(self.database, work)

    def moment(self) -> Hashable:
        """Return the moment at which the current work reads, once a read has told it."""
        return current_moment()

    def told_moment(self) -> Hashable:
        """Return the moment at which the current work reads, after the least of all reads.

        ``None`` where nothing has ever been written.
        """
        self[_SEQUENCES].first({"_id": ""}, ["_id"])
        return current_moment()

    def remembered(self) -> Known:
        """Return what is known of the moment at which the current work reads.

        To read and to add to, once the first read has told the moment; lost before and without.
        """
        return self._remembered.at(current_moment())

    def recalled(
        self,
        name: str,
        keys: Collection[Key],
        ask: Callable[[Collection[Key]], Mapping[Key, Told]],
        alike: Callable[[Told, Told], bool] = eq,
    ) -> dict[Key, Told]:
        """Return what ``ask`` tells of each of the ``keys``; it is asked once between two writes.

        This may be the first that the current work wants to know. Where it believes what was told
        before, ``alike`` says whether something else told later would have done as well.
        """
        moment = likely_moment(self._remembered.moment)
        known = self._remembered.at(moment)
        found = {key: known[name, key] for key in keys if (name, key) in known}
        if found and moment and moment != current_moment():
            believed = dict(found)
            believe(moment, lambda: self._holds(name, believed, ask, alike))
        unknown = [key for key in keys if key not in found]
        if unknown:
            told = ask(unknown)
            self.learn(name, told)
            found.update(told)
        return found

    def _holds(
        self,
        name: str,
        believed: Mapping[Key, Told],
        ask: Callable[[Collection[Key]], Mapping[Key, Told]],
        alike: Callable[[Told, Told], bool],
    ) -> bool:
        told = self.recalled(name, believed, ask)
        return all(alike(told[key], value) for key, value in believed.items())

    def learn(self, name: str, told: Mapping[Key, Told]) -> None:
        """Keep what a question told on the way, so that ``recalled`` need not ask for it."""
        self.remembered().update({(name, key): value for key, value in told.items()})

    def total(self, kind: Kind, clause: Clause, stages: Stages) -> int:
        """Return the ``total`` that ``stages`` make; counted once per cluster time and clause."""
        key = ("total", kind.name, sha256(encode(clause)).digest())
        total: int | None = self.remembered().get(key)
        if total is None:
            # The first read of all tells the cluster time.
            total = self.of(kind).total(stages)
            self.remembered()[key] = total
        return total

    def find_by_ids(self, ids: Mapping[str, Sequence[int]]) -> dict[str, list[Record]]:
        """Return the records with these ids, by collection, in one query.

        mongomock knows no ``$unionWith``, and MongoDB none inside a transaction: there each
        collection is asked by itself.
        """
        if len(ids) <= 1 or in_transaction() or not isinstance(self.database, Database):
            return {name: self[name].find(one_of("_id", some)) for name, some in ids.items()}
        records: dict[str, list[Record]] = {name: [] for name in ids}
        first = next(iter(ids))
        for record in self[first].aggregate(union_by_ids(ids)):
            records[record.pop(COLLECTION, first)].append(record)
        return records

    def aggregate_with(
        self, first: str, stages: Stages, others: Mapping[str, Stages]
    ) -> dict[str, list[Record]]:
        """Return what ``stages`` make of a collection and others of theirs, in one query.

        mongomock unites no collections: there each is asked by itself.
        """
        if not others or in_transaction() or not isinstance(self.database, Database):
            each = {first: stages, **others}
            return {name: self[name].aggregate(list(pipeline)) for name, pipeline in each.items()}
        united = [
            {"$unionWith": {"coll": name, "pipeline": [*own, {"$set": {COLLECTION: name}}]}}
            for name, own in others.items()
        ]
        found: dict[str, list[Record]] = {name: [] for name in (first, *others)}
        for record in self[first].aggregate([*stages, *united]):
            found[record.pop(COLLECTION, first)].append(record)
        return found

    def next_id(self, sequence: str) -> int:
        """Return a number that this sequence has never given; taken outside any transaction."""
        return self.next_ids(sequence, 1)[0]

    def next_ids(self, sequence: str, number: int) -> range:
        """Return so many of these numbers at once; they follow each other."""
        before_first = RESERVED.get(sequence, 0)
        following = {"$add": [{"$ifNull": ["$value", before_first]}, number]}
        born = {"$ifNull": ["$born", uuid4().hex]}
        step = [{"$set": {"value": following, "born": born}}]
        taken = self[_SEQUENCES].upsert_hastily({"_id": sequence}, step)
        self._born[sequence] = taken["born"]
        last = int(taken["value"])
        return range(last - number + 1, last + 1)

    def born(self, sequence: str) -> str | None:
        """Return the mark of a sequence that this process has taken a number of.

        It stays as long as the sequence: with another mark it is that of another database.
        """
        return self._born.get(sequence)

    def keep_free(self, sequence: str, used: int) -> None:
        """Let the sequence go on behind ``used``, an id that came from elsewhere.

        Outside any transaction too: ``next_id`` would wait for one that holds the sequence.
        """
        highest = max(used, RESERVED.get(sequence, 0))
        self[_SEQUENCES].upsert_hastily({"_id": sequence}, {"$max": {"value": highest}})
