"""Limits of attempts, reads and contributions by address, counted across all workers."""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_address
from threading import Lock
from typing import Self

from cachetools import LRUCache

from calendar_app.domain.addresses import Peers, is_public
from calendar_app.domain.kind import Index
from calendar_app.errors import (
    CalendarError,
    TooManyAttempts,
    TooManyReads,
    TooManySubmissions,
    Unavailable,
)
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import equals

_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
# Who has an address of IPv6 mostly has all those that begin with the same 64 bits.
_HOST_BITS = 64
# Makes the error of a limit from the seconds after which to try again.
Refusal = Callable[[int], CalendarError]


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``most`` tries, contributions or reads within so many ``seconds``."""

    most: int
    seconds: int = 60

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a rate like ``600/minute``."""
        most, _, unit = text.partition("/")
        return cls(int(most), _SECONDS[unit])

    @property
    def window(self) -> timedelta:
        return timedelta(seconds=self.seconds)

    def retry_after(self, times: Sequence[datetime], now: datetime) -> int:
        """Return in how many seconds there are few enough again, rounded up; 0: there are.

        ``times`` may come in any order.
        """
        recent = sorted(time for time in times if time > now - self.window)
        if len(recent) < self.most:
            return 0
        leaves_window = recent[-self.most] + self.window
        return max(1, math.ceil((leaves_window - now).total_seconds()))


# Of wrong secrets, within a minute.
PER_USER = Limit(10)
PER_ADDRESS = Limit(30)


def client_of(address: str) -> str:
    """Return one key for all addresses of a client; empty if there is no valid address."""
    try:
        parsed: IPv4Address | IPv6Address = ip_address(address)
    except ValueError:
        return ""
    if isinstance(parsed, IPv4Address):
        return str(parsed)
    # A socket that listens to both kinds shows clients of the old one in this form.
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return f"{IPv6Address(int(parsed) >> _HOST_BITS << _HOST_BITS)}/{_HOST_BITS}"


# Tries of secrets, and contributions, are counted where all workers see them.

ATTEMPTS = "attempts"
ATTEMPT_INDEXES = (
    Index((("expires", 1),), serves="forgetting attempts that no longer count", expire_after=0),
)
# All addresses together may contribute so many times as much as one, lest robots fill the queue.
_ALL_ADDRESSES = 10


class Tally:
    """When something was tried, by key; ``now`` gives the present in UTC, without a zone."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._attempts = store[ATTEMPTS]
        self.now = now

    def retry_after(self, key: str, limit: Limit) -> int:
        """Return in how many seconds the limit allows one more; 0: at once."""
        attempts = self._attempts.first(equals("_id", key)) or {"times": []}
        return limit.retry_after(attempts["times"], self.now())

    def count(self, key: str, limit: Limit) -> int:
        """Count another event; return ``retry_after`` as of before it."""
        now = self.now()
        # As many as can matter, lest whoever tries for hours makes a large document.
        times = {"$each": [now], "$slice": -limit.most - 1}
        counted = self._attempts.upsert(
            equals("_id", key),
            {"$push": {"times": times}, "$set": {"expires": now + limit.window}},
        )
        return limit.retry_after(counted["times"][:-1], self.now())


class WrongSecrets(Tally):
    """Wrong secrets by user and by client.

    An address that names no client is not counted: all those whose address is not known would be
    one, and each of them could lock out the others.
    """

    def refuse_throttled(self, address: str) -> None:
        """Raise ``TooManyAttempts`` where too many wrong secrets came from its client."""
        client = client_of(address)
        if client:
            _refuse(TooManyAttempts, self.retry_after(_of_client(client), PER_ADDRESS))

    def count_for_address(self, address: str) -> None:
        client = client_of(address)
        if client:
            self.count(_of_client(client), PER_ADDRESS)

    def count_for_user(self, user_id: int) -> None:
        """Count one more; raise ``TooManyAttempts`` where there were too many before it."""
        _refuse(TooManyAttempts, self.count(f"user:{user_id}", PER_USER))


class SubmissionLimit(Tally):
    """Limits contributions: ``each`` for one address, and more for all of them together.

    What has another ``name`` is counted by itself, and refused by another ``refusal``.
    """

    def __init__(
        self,
        store: Store,
        each: Limit,
        now: Callable[[], datetime],
        name: str = "submission",
        refusal: Refusal = TooManySubmissions,
    ) -> None:
        super().__init__(store, now)
        self._each = each
        self._name = name
        self._refusal = refusal
        self._all = replace(each, most=each.most * _ALL_ADDRESSES)

    def take(self, address: str) -> None:
        """Count one more; raise the refusal where enough have come, or are faster."""
        limits = self._limits(address)
        for attempt in (self.retry_after, self.count):
            for key, limit in limits:
                _refuse(self._refusal, attempt(key, limit))

    def _limits(self, address: str) -> list[tuple[str, Limit]]:
        """Return the keys and limits that count; an address that is not known has none."""
        client = client_of(address)
        own = [(f"{self._name}:{client}", self._each)] if client else []
        return [*own, (f"{self._name}s", self._all)]


def _of_client(client: str) -> str:
    return f"address:{client}"


def _refuse(refusal: Refusal, retry_after: int) -> None:
    if retry_after:
        raise refusal(retry_after)


# Counts the reads of each address, together with all other workers.
#
# Each worker adds a share of the limit to the database at a time: a write for every read would
# make each answer that is kept out of date.

READS = "reads"
READ_INDEXES = (
    Index((("expires", 1),), serves="forgetting reads that no longer count", expire_after=0),
)
_SHARES = 20  # writes for each client and window
_MOST_CLIENTS = 10_000
_PORTION = 1000  # events of a feed that count once
# Which feeds are unchanged is known once their events were looked at. So many times the limit may
# be tried, lest somebody invent entity tags.
_UNCHANGED = 2


@dataclass(slots=True)
class _Count:
    """The reads of one client: those stored by all workers, and those not stored yet."""

    stored: int = 0
    pending: int = 0


class ReadLimit:
    """Holds the reads of each client to ``limit``; ``now`` gives an aware time.

    What has a ``name`` is counted by itself.
    """

    def __init__(
        self, store: Store, limit: Limit, now: Callable[[], datetime], name: str = ""
    ) -> None:
        self._reads = store[READS]
        self._limit = limit
        self._name = name
        self._share = max(1, limit.most // _SHARES)
        self._now = now
        self._window = 0
        self._counts: LRUCache[str, _Count] = LRUCache(_MOST_CLIENTS)
        self._lock = Lock()

    def retry_after(self, address: str) -> int:
        """Count a read; return after how many seconds to try again, 0 where it is allowed."""
        client = client_of(address)
        if not client:
            return 0
        window, remaining = self._present()
        return 0 if self._take(client, window, 1, below=self._limit.most) else remaining

    def _present(self) -> tuple[int, int]:
        """Return the number of the window, and for how many seconds it goes on."""
        window, passed = divmod(int(self._now().timestamp()), self._limit.seconds)
        return window, self._limit.seconds - passed

    def _has(self, client: str, window: int, number: float) -> bool:
        count = self._count(client, window)
        return count.stored + count.pending >= number

    def _take(self, client: str, window: int, number: int, below: float = math.inf) -> bool:
        """Count so many more; return whether all workers together have no more than the limit.

        Nothing is counted, and the answer is no, where this worker has reached ``below``. Both
        happen under one lock, so that no two threads take the last place.
        """
        with self._lock:
            if self._has(client, window, below):
                return False
            count = self._count(client, window)
            count.pending += number
            if count.pending < self._share:
                return True
            pending, count.pending = count.pending, 0
            count.stored += pending
        # Without a database there is nothing to read either, and the answer says so.
        with suppress(Unavailable):
            count.stored = self._add(client, window, pending)
        return count.stored <= self._limit.most

    def _count(self, client: str, window: int) -> _Count:
        if window != self._window:
            self._window = window
            self._counts.clear()
        return self._counts.setdefault(client, _Count())

    def _add(self, client: str, window: int, reads: int) -> int:
        """Store more reads of a client; return how many all workers have stored."""
        end = datetime.fromtimestamp((window + 1) * self._limit.seconds, UTC).replace(tzinfo=None)
        stored = self._reads.upsert_unjournaled(
            equals("_id", f"{window}:{self._name}{client}"),
            {"$inc": {"reads": reads}, "$set": {"expires": end + timedelta(minutes=1)}},
        )
        return int(stored["reads"])


class FeedRate(ReadLimit):
    """Holds the events of feeds that are made anew for each client to ``limit``, in thousands.

    What is begun is finished: only the next feed is refused. An address that all clients may share
    has no limit: one of the ``proxies``, and where none is named those of local networks.
    """

    def __init__(
        self, store: Store, limit: Limit, now: Callable[[], datetime], proxies: Peers
    ) -> None:
        super().__init__(store, limit, now, "feeds:")
        self._proxies = proxies

    def require_room(self, address: str, *, may_be_unchanged: bool = False) -> None:
        """Raise ``TooManyReads`` where enough was made for the client of an address.

        A feed that ``may_be_unchanged`` is refused only where too many of them had changed.
        """
        window, remaining = self._present()
        if self._is_full(address, window, _UNCHANGED if may_be_unchanged else 1):
            raise TooManyReads(remaining)

    def count(self, address: str, events: int) -> None:
        """Count so many events for the client of an address, as whole thousands."""
        if client := self._limited(address):
            self._take(client, self._present()[0], math.ceil(max(events, 1) / _PORTION))

    def _is_full(self, address: str, window: int, times: int) -> bool:
        client = self._limited(address)
        with self._lock:
            return bool(client) and self._has(client, window, times * self._limit.most)

    def _limited(self, address: str) -> str:
        """Return the client of an address; empty where others may share the address."""
        is_shared = self._proxies.have(address) or not (any(self._proxies) or is_public(address))
        return "" if is_shared else client_of(address)
