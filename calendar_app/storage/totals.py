"""How many documents match, at one moment of the database after the other.

To count takes as long as there are matches. So a total is counted once; after a write only what
was written is looked at: how much of it matched before, which MongoDB can still tell, and how much
does now.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from threading import Lock
from typing import Any

from bson import Timestamp, encode
from pymongo.collection import Collection
from pymongo.errors import OperationFailure

from calendar_app.domain.kind import Record
from calendar_app.query.clauses import Clause, all_of, one_of
from calendar_app.storage.reads import Stages
from calendar_app.storage.refusing import refusing
from calendar_app.storage.riders import Rider, wait
from calendar_app.storage.snapshots import apart, current_moment, is_doubtful
from calendar_app.storage.written import WriteLog, Written

# As long as no total is as large, all are counted anew: that takes one question, to look at what
# was written up to three. Beyond, even a few matches may have to be looked for among many.
WORTHWHILE = 10_000
_MOST = 1000
_MOST_SPANS = 8


@dataclass(frozen=True, slots=True)
class _Counted:
    moment: Timestamp
    total: int


class Totals:
    """Totals of one collection, by clause; those that were asked for last are kept.

    ``limits`` are options of each aggregation, ``worthwhile`` says how large one of them
    must be for all of them to be brought up to date.
    """

    def __init__(
        self, collection: Collection[Record], limits: Mapping[str, Any], worthwhile: int
    ) -> None:
        self._collection = collection
        self._limits = limits
        self._worthwhile = worthwhile
        self._log = WriteLog(collection.database)
        self._largest = 0
        self._lock = Lock()
        self._known: dict[bytes, _Counted] = {}
        self._spans: dict[tuple[Timestamp, Timestamp], tuple[Written | None]] = {}

    def counting(
        self,
        wanted: Clause,
        stages: Stages,
        otherwise: Stages,
        ask: Callable[[Stages], list[Record]],
    ) -> Callable[[], int]:
        """Return what tells how many documents match.

        Where nothing helps, that is the ``total`` of what ``stages`` make, or if they do not tell
        it, ``otherwise``; ``ask`` runs stages. Nothing is kept of what is read in a transaction.
        """
        key, moment = _key(wanted), current_moment()
        known = self._known.get(key)
        if known and known.moment == moment:
            return lambda: known.total
        with refusing():
            helped = self._brought_up(wanted, known, moment) if known and moment else None
        before, left = helped or (0, stages)
        rider = Rider(self._collection.name, left, ask)
        if left:
            wait(rider)
        else:
            rider.arrive([])

        def tell() -> int:
            answer = rider.answer()
            told = all(one["total"] is not None for one in answer)
            total = before + _total(answer if told else ask(otherwise))
            # The first question of all has told the moment.
            moment = current_moment()
            if moment and not is_doubtful():
                self._keep(key, _Counted(moment, total))
            return total

        return cache(tell)

    def last(self, wanted: Clause) -> int | None:
        """Return the total of whichever moment is known; of what was never counted, none is."""
        known = self._known.get(_key(wanted))
        return known.total if known else None

    def _brought_up(
        self, wanted: Clause, known: _Counted, moment: Timestamp
    ) -> tuple[int, Stages] | None:
        """Return a total, and what counts what it lacks of that of a later moment.

        ``None`` where what was written since does not tell that.
        """
        if self._largest < self._worthwhile or known.moment > moment:
            return None
        written = self._written(known.moment, moment)
        if written is None:
            return None
        if not written:
            return known.total, []
        among: Stages = [{"$match": all_of([wanted, one_of("_id", written)])}, {"$count": "total"}]
        was = self._was(among, known.moment)
        return None if was is None else (known.total - was, among)

    def _was(self, stages: Stages, moment: Timestamp) -> int | None:
        """Return a total as it was; MongoDB knows what was up to five minutes ago, as a rule."""
        past = {"level": "snapshot", "atClusterTime": moment}
        options = {"cursor": {}, "readConcern": past, **self._limits}
        command = {"aggregate": self._collection.name, "pipeline": stages, **options}
        try:
            with apart():
                answer = self._collection.database.command(command)
        except OperationFailure:
            return None
        return _total(answer["cursor"]["firstBatch"])

    def _written(self, before: Timestamp, after: Timestamp) -> Written | None:
        """Return what was written between two moments; other totals will ask the same."""
        span = before, after
        known = self._spans.get(span)
        if known is None:
            with apart():
                known = (self._log.between(self._collection.name, *span),)
            with self._lock:
                _put(self._spans, span, known, _MOST_SPANS)
        return known[0]

    def _keep(self, key: bytes, counted: _Counted) -> None:
        with self._lock:
            known = self._known.get(key)
            if known is None or known.moment < counted.moment:
                _put(self._known, key, counted, _MOST)
                self._largest = max(self._largest, counted.total)


def _total(found: Iterable[Record]) -> int:
    return sum(one["total"] for one in found)


def _put(where: dict[Any, Any], key: Hashable, value: object, most: int) -> None:
    """Put a value in as the newest, and leave the oldest out where there are too many."""
    where.pop(key, None)
    where[key] = value
    if len(where) > most:
        del where[next(iter(where))]


def _key(wanted: Clause) -> bytes:
    return sha256(encode(wanted)).digest()
