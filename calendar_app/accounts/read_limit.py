"""Counts the reads of each address, together with all other workers.

Each worker adds a share of the limit to the database at a time: a write for every read would make
each answer that is kept out of date.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Lock

from cachetools import LRUCache

from calendar_app.accounts.rates import Rate, client_of
from calendar_app.domain.kind import Index
from calendar_app.errors import Unavailable
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import equals

READS = "reads"
READ_INDEXES = (
    Index((("expires", 1),), serves="forgetting reads that no longer count", expire_after=0),
)
_SHARES = 20  # writes for each client and window
_MOST_CLIENTS = 10_000


@dataclass(slots=True)
class _Count:
    """Reads of one client: those of all workers that are stored, and those that are not yet."""

    stored: int = 0
    pending: int = 0


class ReadLimit:
    """Limits the reads of each client to ``rate``; ``now`` gives an aware time."""

    def __init__(self, store: Store, rate: Rate, now: Callable[[], datetime]) -> None:
        self._reads = store[READS]
        self._rate = rate
        self._share = max(1, rate.amount // _SHARES)
        self._now = now
        self._window = 0
        self._counts: LRUCache[str, _Count] = LRUCache(_MOST_CLIENTS)
        self._lock = Lock()

    def retry_after(self, address: str) -> int:
        """Count a read; return after how many seconds to try again, 0 where it is allowed."""
        client, timestamp = client_of(address), self._now().timestamp()
        if not client:
            return 0
        window, passed = divmod(int(timestamp), self._rate.seconds)
        return 0 if self._allows(client, window) else self._rate.seconds - passed

    def _allows(self, client: str, window: int) -> bool:
        with self._lock:
            count = self._count(client, window)
            if count.stored + count.pending >= self._rate.amount:
                return False
            count.pending += 1
            if count.pending < self._share:
                return True
            pending, count.pending = count.pending, 0
            count.stored += pending
        # Without a database there is nothing to read either, and the answer says so.
        with suppress(Unavailable):
            count.stored = self._add(client, window, pending)
        return count.stored <= self._rate.amount

    def _count(self, client: str, window: int) -> _Count:
        if window != self._window:
            self._window = window
            self._counts.clear()
        return self._counts.setdefault(client, _Count())

    def _add(self, client: str, window: int, reads: int) -> int:
        """Store more reads of a client; return how many all workers have stored."""
        end = datetime.fromtimestamp((window + 1) * self._rate.seconds, UTC).replace(tzinfo=None)
        stored = self._reads.upsert_unjournaled(
            equals("_id", f"{window}:{client}"),
            {"$inc": {"reads": reads}, "$set": {"expires": end + timedelta(minutes=1)}},
        )
        return int(stored["reads"])
