"""Totals of documents: counted once for each edition, or carried over a write.

The marks of writers tell which documents were written since a number was counted. Of these, some
matched before, and some match now; all others count as they did. MongoDB still reads the state
before for some minutes, and whether that was of the former edition its own marks say.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from bson import Timestamp, encode
from pymongo.errors import OperationFailure

from calendar_app.domain.kind import Record
from calendar_app.storage.cache_memory import CacheMemory, size_of
from calendar_app.storage.mongo.collection import Pipeline, RecordCollection
from calendar_app.storage.mongo.editions import Edition
from calendar_app.storage.mongo.marks import WRITERS
from calendar_app.storage.mongo.transactions import NO_SNAPSHOT
from calendar_app.storage.query.clauses import Clause, all_of, one_of

# Fewer are counted anew in the time that two questions take.
_FEW = 5000
# An edition was seen within a minute, so that this long ago it was the present one, or came later.
_BEFORE = 61  # seconds
_MARKS = {"$unionWith": {"coll": WRITERS, "pipeline": [{"$project": {"n": 1}}]}}
# By what they are numbers of: the name of a count, and a value of what is counted.
TotalCounts = Counter[tuple[str, Any]]
TOTAL = ("total", None)


@dataclass(frozen=True, slots=True)
class Counting:
    """How the documents of a collection that match are counted, in one or more numbers.

    ``among`` makes stages that count those of a clause whatever indexes there are, and ``read``
    turns what they return into numbers. ``name`` tells it from other countings of the clause.
    Numbers of ``few`` documents are not carried: to count them anew takes no longer.
    """

    collection: str
    clause: Clause
    among: Callable[[Clause], Pipeline]
    read: Callable[[Sequence[Record]], TotalCounts]
    name: str = ""
    few: int = _FEW

    @property
    def key(self) -> Hashable:
        return self.collection, self.name, sha256(encode(self.clause)).digest()


def read_total(documents: Sequence[Record]) -> TotalCounts:
    """Return the one number that documents name as their ``total``."""
    return Counter({TOTAL: sum(int(each.get("total", 0)) for each in documents)})


class Totals:
    """Remembers numbers in the ``memory``; ``collection`` returns the one of a name."""

    def __init__(self, collection: Callable[[str], RecordCollection], memory: CacheMemory) -> None:
        self._collection = collection
        self._numbers = memory.cache("totals")

    def numbers(
        self, counting: Counting, count: Callable[[], TotalCounts], edition: Edition | None
    ) -> TotalCounts:
        """Return the numbers at the current edition; ``count`` computes missing ones."""
        if edition is None:
            return count()
        key = counting.key
        numbers: TotalCounts
        former: Edition | None
        numbers, former = self._numbers.get(key) or (Counter(), None)
        if former is edition:
            return numbers
        carried = None
        if former and numbers.total() >= counting.few:
            carried = self._carried(numbers, counting, former, edition)
        numbers = count() if carried is None else carried
        self._numbers.keep(key, (numbers, edition), size_of((key, numbers)))
        return numbers

    def _carried(
        self, numbers: TotalCounts, counting: Counting, former: Edition, edition: Edition
    ) -> TotalCounts | None:
        """Return the current numbers of a former edition, ``None`` if unknown."""
        written_ids = edition.written_since(former)
        ids = None if written_ids is None else written_ids.get(counting.collection, ())
        if not ids:
            return None if ids is None else numbers
        stages = counting.among(all_of([one_of("_id", ids), counting.clause]))
        before = self._before(counting, stages, former, edition)
        if before is None:
            return None
        change = counting.read(self._collection(counting.collection).aggregate(stages))
        change.subtract(before)
        if not any(change.values()):
            return numbers
        change.update(numbers)
        return Counter({name: number for name, number in change.items() if number})

    def _before(
        self, counting: Counting, stages: Pipeline, former: Edition, edition: Edition
    ) -> TotalCounts | None:
        """Return the numbers of a former edition; ``None`` where MongoDB has it no longer."""
        moment = max(former.latest, Timestamp(edition.first.time - _BEFORE, 0))
        records = self._collection(counting.collection)
        try:
            documents = records.aggregate_at(moment, [*stages, _MARKS])
        except OperationFailure as error:
            if error.code not in NO_SNAPSHOT:
                raise
            return None
        marks = {each["_id"]: each["n"] for each in documents if "n" in each}
        counted = [each for each in documents if "n" not in each]
        return counting.read(counted) if marks == former.marks else None
