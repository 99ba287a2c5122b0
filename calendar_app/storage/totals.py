"""How many documents match, counted once between two writes.

To count takes as long as there are matches, and every page of a list tells the total.
"""

from collections.abc import Callable
from hashlib import sha256
from threading import Lock

from bson import Timestamp, encode

from calendar_app.query.clauses import Clause

_MOST = 1000


class Totals:
    """The totals of one collection at one moment of the database, the latest that was seen."""

    def __init__(self) -> None:
        self._moment = Timestamp(0, 0)
        self._known: dict[bytes, int] = {}
        self._lock = Lock()

    def at(self, moment: Timestamp, wanted: Clause, count: Callable[[], int]) -> int:
        """Return the total at ``moment``; ``count`` counts at that moment, if need be."""
        key = sha256(encode(wanted)).digest()
        with self._lock:
            known = self._known.get(key) if moment == self._moment else None
        if known is None:
            known = count()
            self._keep(moment, key, known)
        return known

    def _keep(self, moment: Timestamp, key: bytes, total: int) -> None:
        with self._lock:
            if moment > self._moment or len(self._known) >= _MOST:
                self._moment, self._known = moment, {}
            if moment == self._moment:
                self._known[key] = total
