"""Leases in the database, so that one process at a time does some work.

A lease ends by itself unless it is renewed: a killed process gives it back within ``_SECONDS``.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from calendar_app.errors import CalendarError, DuplicateKey
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import all_of, at_most, equals

LEASES = "leases"
_SECONDS = 15.0
_PAUSE = 0.2  # seconds


class Leases:
    """Leases by name; they last ``seconds`` without being renewed."""

    def __init__(self, store: Store, seconds: float = _SECONDS) -> None:
        self._leases = store[LEASES]
        self._seconds = seconds

    @contextmanager
    def held(self, name: str, on_wait: Callable[[], None]) -> Iterator[None]:
        """Hold a lease during the block, renewed; call ``on_wait`` once if it has to wait."""
        holder, end = uuid4().hex, threading.Event()
        if not self._take(name, holder):
            on_wait()
            while not self._take(name, holder):
                end.wait(_PAUSE)
        renewing = threading.Thread(target=self._renew, args=(name, holder, end), daemon=True)
        renewing.start()
        try:
            yield
        finally:
            end.set()
            renewing.join()
            self._leases.remove(_of(name, holder))

    def _take(self, name: str, holder: str) -> bool:
        """Take a lease that nobody has, or that has ended."""
        now = datetime.now(UTC).replace(tzinfo=None)
        terms = {"holder": holder, "until": self._until()}
        ended = all_of([equals("_id", name), at_most("until", now)])
        if self._leases.change(ended, {"$set": terms}):
            return True
        try:
            self._leases.insert({"_id": name, **terms})
        except DuplicateKey:
            return False
        return True

    def _renew(self, name: str, holder: str, end: threading.Event) -> None:
        while not end.wait(self._seconds / 3):
            # An outage may be over in time.
            with suppress(CalendarError):
                self._leases.change(_of(name, holder), {"$set": {"until": self._until()}})

    def _until(self) -> datetime:
        return datetime.now(UTC).replace(tzinfo=None) + timedelta(seconds=self._seconds)


def _of(name: str, holder: str) -> dict[str, object]:
    return all_of([equals("_id", name), equals("holder", holder)])
