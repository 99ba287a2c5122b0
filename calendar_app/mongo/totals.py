"""Totals of lists: counted once for each edition of the calendar, or carried over a write.

The marks of writers tell which documents were written since a total was counted. Of these, some
matched before, and some match now; all others count as they did. MongoDB still reads the state
before for some minutes, and whether that was of the former edition its own marks say.
"""

from collections.abc import Callable, Hashable
from hashlib import sha256
from threading import Lock
from typing import Any

from bson import Timestamp, encode
from cachetools import LRUCache
from pymongo.errors import OperationFailure

from calendar_app.mongo.collection import RecordCollection, Stages
from calendar_app.mongo.editions import MOST_RECENT, WRITERS, Edition, Marks
from calendar_app.mongo.transactions import NO_SNAPSHOT
from calendar_app.query.clauses import Clause, all_of, one_of

_MOST = 1000
# Fewer are counted anew in the time that three questions take.
_FEW = 5000
# An edition was seen within a minute, so that this long ago it was the present one, or came later.
_BEFORE = 61  # seconds
# By collection the ids that were written; ``None`` where they are unknown or too many.
_Written = dict[str, list[Any] | None]


class Totals:
    """Remembers totals; ``collection`` returns the one of a name."""

    def __init__(self, collection: Callable[[str], RecordCollection]) -> None:
        self._collection = collection
        self._totals: LRUCache[Hashable, tuple[int, Edition | None]] = LRUCache(_MOST)
        # What was written between two editions.
        self._written: LRUCache[Hashable, _Written | None] = LRUCache(_MOST)
        self._lock = Lock()

    def total(
        self,
        name: str,
        clause: Clause,
        stages: Stages,
        among: Callable[[Clause], Stages],
        edition: Edition | None,
    ) -> int:
        """Return how many documents of a collection match at the edition that is read.

        ``stages`` count those that match ``clause``, by whatever index; ``among`` makes stages
        that count a clause by the documents alone.
        """
        if edition is None:
            return self._collection(name).total(stages)
        key = (name, sha256(encode(clause)).digest())
        with self._lock:
            total, former = self._totals.get(key, (0, None))
        if former is edition:
            return total
        change = None
        if former and total >= _FEW and former.minute == edition.minute:
            change = self._change(name, clause, among, former, edition)
        total = self._collection(name).total(stages) if change is None else total + change
        with self._lock:
            self._totals[key] = total, edition
        return total

    def _change(
        self,
        name: str,
        clause: Clause,
        among: Callable[[Clause], Stages],
        former: Edition,
        edition: Edition,
    ) -> int | None:
        """Return by how much a total has changed between two editions, ``None`` if unknown."""
        written = self._written_between(former, edition)
        ids = None if written is None else written.get(name, [])
        if not ids:
            return ids if ids is None else 0
        stages = among(all_of([one_of("_id", ids), clause]))
        now = self._collection(name).total(stages)
        before = self._total_before(name, stages, former, edition)
        return None if before is None else now - before

    def _total_before(
        self, name: str, stages: Stages, former: Edition, edition: Edition
    ) -> int | None:
        """Return the total of a former edition; ``None`` where MongoDB has it no longer."""
        moment = max(former.latest, Timestamp(edition.first.time - _BEFORE, 0))
        marks = {"$unionWith": {"coll": WRITERS, "pipeline": [{"$project": {"n": 1}}]}}
        try:
            documents = self._collection(name).aggregate_at(moment, [*stages, marks])
        except OperationFailure as error:
            if error.code not in NO_SNAPSHOT:
                raise
            return None
        if former.marks != {each["_id"]: each["n"] for each in documents if "n" in each}:
            return None
        return sum(int(each["total"]) for each in documents if "total" in each)

    def _written_between(self, former: Edition, edition: Edition) -> _Written | None:
        """Return what was written between two editions; ``None`` where nobody knows."""
        key = (former.order, edition.order)
        with self._lock:
            if key in self._written:
                return self._written[key]
        written = None
        lately = _lately(former.marks, edition.marks)
        if lately is not None and max(lately.values(), default=0) <= MOST_RECENT:
            writers = self._collection(WRITERS).find(one_of("_id", lately), fields=["recent"])
            written = _joined(
                [
                    entry
                    for writer in writers
                    for entry in _last(writer.get("recent", ()), lately[writer["_id"]])
                ]
            )
        with self._lock:
            self._written[key] = written
        return written


def _lately(former: Marks, present: Marks) -> dict[str, int] | None:
    """Return how many transactions of each writer came between.

    ``None`` where a mark has gone, or has gone back.
    """
    numbers = {writer: number - former.get(writer, 0) for writer, number in present.items()}
    if former.keys() - present.keys() or min(numbers.values(), default=0) < 0:
        return None
    return {writer: number for writer, number in numbers.items() if number}


def _last(entries: Any, number: int) -> list[Any]:
    """Return the last entries, and one that tells nothing where there are fewer."""
    known = list(entries)[-number:]
    return known if len(known) == number else [None]


def _joined(entries: list[Any]) -> _Written | None:
    """Join what transactions have written; ``None`` where one does not say all."""
    joined: _Written = {}
    for entry in entries:
        if entry is None or entry.get("all"):
            return None
        for name, ids in entry["written"].items():
            known = joined.setdefault(name, [])
            joined[name] = None if ids is None or known is None else [*known, *ids]
    return joined
