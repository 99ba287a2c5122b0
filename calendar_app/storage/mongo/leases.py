"""Leases: what one process at a time may do, by the clock of the database.

A lease ends by itself unless it is renewed: a killed process gives it back within ``_SECONDS``.
All processes go by ``$$NOW`` of MongoDB, so that a wrong clock of a machine takes no lease from
another one.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from uuid import uuid4

from pymongo import ReturnDocument
from pymongo.database import Database

from calendar_app.domain.kind import Record
from calendar_app.errors import CalendarError, DuplicateKey
from calendar_app.storage.mongo.error_translation import translate_errors

LEASES = "leases"
LEASE_SECONDS = 15.0
_PAUSE = 0.2  # seconds
# Matches the leases that somebody holds.
IS_HELD: Record = {"$expr": {"$gt": ["$until", "$$NOW"]}}


@dataclass(slots=True)
class Hold:
    """A lease that is held, ``until`` a moment of the monotonic clock unless it is renewed."""

    until: float

    @property
    def lasts(self) -> bool:
        return time.monotonic() < self.until

    def give_up(self) -> None:
        """Begin nothing more under this lease."""
        self.until = 0.0


def end_of_lease(seconds: float) -> Record:
    """Return the end of a lease that begins now, as an expression."""
    return {"$add": ["$$NOW", int(seconds * 1000)]}


class Leases:
    """Leases by name; they last ``seconds`` without being renewed."""

    def __init__(self, database: Database[Record], seconds: float = LEASE_SECONDS) -> None:
        self._leases = database[LEASES]
        self._seconds = seconds

    @contextmanager
    def held(self, name: str, on_wait: Callable[[], None]) -> Iterator[None]:
        """Hold a lease during the block, renewed; call ``on_wait`` once if it has to wait."""
        holder, end = uuid4().hex, threading.Event()
        if not self._take(name, holder):
            on_wait()
            while not self._take(name, holder):
                end.wait(_PAUSE)
        with self._renewed(name, holder, end):
            yield

    @contextmanager
    def held_if_free(self, name: str) -> Iterator[Hold | None]:
        """Hold a lease during the block, renewed; ``None`` where somebody else has it."""
        holder, end, begin = uuid4().hex, threading.Event(), time.monotonic()
        if not self._take(name, holder):
            yield None
            return
        hold = Hold(begin + self._seconds)
        with self._renewed(name, holder, end, hold):
            yield hold

    def is_held(self, name: str) -> bool:
        """Say whether a process holds a lease at the moment."""
        with translate_errors():
            return self._leases.find_one({"_id": name, **IS_HELD}, ["_id"]) is not None

    @contextmanager
    def _renewed(
        self, name: str, holder: str, end: threading.Event, hold: Hold | None = None
    ) -> Iterator[None]:
        renewing = threading.Thread(target=self._renew, args=(name, holder, end, hold), daemon=True)
        renewing.start()
        try:
            yield
        finally:
            end.set()
            renewing.join()
            with translate_errors():
                self._leases.delete_one({"_id": name, "holder": holder})

    def _take(self, name: str, holder: str) -> bool:
        """Take a lease that nobody has, or that has ended."""
        is_free = {"$lte": ["$until", "$$NOW"]}  # also where there is no such lease
        terms = {"holder": holder, "until": end_of_lease(self._seconds)}
        step = {field: {"$cond": [is_free, term, f"${field}"]} for field, term in terms.items()}
        try:
            with translate_errors():
                lease = self._leases.find_one_and_update(
                    {"_id": name},
                    [{"$set": step}],
                    upsert=True,
                    return_document=ReturnDocument.AFTER,
                )
        except DuplicateKey:
            return False
        return lease is not None and lease["holder"] == holder

    def _renew(self, name: str, holder: str, end: threading.Event, hold: Hold | None) -> None:
        while not end.wait(self._seconds / 3):
            begin = time.monotonic()
            # An outage may be over in time.
            with suppress(CalendarError), translate_errors():
                renewed = self._leases.update_one(
                    {"_id": name, "holder": holder},
                    [{"$set": {"until": end_of_lease(self._seconds)}}],
                )
                if renewed.matched_count and hold and hold.lasts:
                    hold.until = begin + self._seconds
