"""How many contributions are taken, from each address and from all of them."""

from collections.abc import Callable
from datetime import datetime, timedelta

from calendar_app.accounts.attempts import ATTEMPTS
from calendar_app.accounts.limits import Limit
from calendar_app.accounts.rates import Rate, client_of
from calendar_app.errors import TooManySubmissions
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import equals

# All addresses together may send so many times as much as one, lest many robots fill the queue.
_ALL_ADDRESSES = 10


class SubmissionLimit:
    """Takes at most ``rate`` contributions of an address, counted where all workers see them.

    ``now`` gives the present in UTC, without a zone.
    """

    def __init__(self, store: Store, rate: Rate, now: Callable[[], datetime]) -> None:
        window = timedelta(seconds=rate.seconds)
        self._counts = store[ATTEMPTS]
        self._each = Limit(rate.amount, window)
        self._all = Limit(rate.amount * _ALL_ADDRESSES, window)
        self._now = now

    def refuse_excess(self, address: str) -> None:
        """Raise ``TooManySubmissions`` where enough have been counted."""
        for key, limit in self._limits(address):
            counted = self._counts.first(equals("_id", key)) or {"times": []}
            self._refuse(limit, counted["times"])

    def count(self, address: str) -> None:
        """Count one more; raise ``TooManySubmissions`` where others were faster."""
        now = self._now()
        for key, limit in self._limits(address):
            times = {"$each": [now], "$slice": -limit.attempts - 1}
            expires = {"expires": now + limit.window}
            counted = self._counts.upsert(
                equals("_id", key), {"$push": {"times": times}, "$set": expires}
            )
            self._refuse(limit, counted["times"][:-1])

    def _limits(self, address: str) -> list[tuple[str, Limit]]:
        """Return the keys and limits that count; an address that is not known has none."""
        client = client_of(address)
        own = [(f"submission:{client}", self._each)] if client else []
        return [*own, ("submissions", self._all)]

    def _refuse(self, limit: Limit, times: list[datetime]) -> None:
        retry_after = limit.retry_after(times, self._now())
        if retry_after:
            raise TooManySubmissions(retry_after)
