"""Counts wrong secrets where all workers see them."""

from collections.abc import Callable
from datetime import datetime

from calendar_app.accounts.limits import PER_ADDRESS, PER_USER, Limit
from calendar_app.accounts.rates import client_of
from calendar_app.domain.kind import Index
from calendar_app.errors import TooManyAttempts
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import equals

ATTEMPTS = "attempts"
ATTEMPT_INDEXES = (
    Index((("expires", 1),), serves="forgetting attempts that no longer count", expire_after=0),
)


class Attempts:
    """Wrong secrets by user and by client; ``now`` gives the present in UTC, without a zone.

    An address that names no client is not counted: all those whose address is not known would be
    one, and each of them could lock out the others.
    """

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._attempts = store[ATTEMPTS]
        self.now = now

    def refuse_throttled(self, address: str) -> None:
        """Raise ``TooManyAttempts`` where too many wrong secrets came from its client."""
        client = client_of(address)
        if not client:
            return
        attempts = self._attempts.first(equals("_id", _of_client(client))) or {"times": []}
        _refuse(PER_ADDRESS.retry_after(attempts["times"], self.now()))

    def count_for_address(self, address: str) -> None:
        client = client_of(address)
        if client:
            self._count(_of_client(client), PER_ADDRESS)

    def count_for_user(self, user_id: int) -> None:
        """Count one more; raise ``TooManyAttempts`` where there were too many before it."""
        earlier = self._count(f"user:{user_id}", PER_USER)
        _refuse(PER_USER.retry_after(earlier, self.now()))

    def _count(self, key: str, limit: Limit) -> list[datetime]:
        """Note one more wrong secret; return the times of those before it."""
        now = self.now()
        # As many as can matter, lest whoever tries for hours makes a large document.
        times = {"$each": [now], "$slice": -limit.attempts - 1}
        counted = self._attempts.upsert(
            equals("_id", key),
            {"$push": {"times": times}, "$set": {"expires": now + limit.window}},
        )
        earlier: list[datetime] = counted["times"][:-1]
        return earlier


def _of_client(client: str) -> str:
    return f"address:{client}"


def _refuse(retry_after: int) -> None:
    if retry_after:
        raise TooManyAttempts(retry_after)
