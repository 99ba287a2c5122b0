"""Attempts at a write: repeated after a conflict, taken back, or made once for each key.

Writes that are sent with the same ``Idempotency-Key`` are done once. The answer is stored in the
transaction of the write, so that both are there or neither is.
https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from calendar_app.calendar.writing.changes import WriteConflict
from calendar_app.domain.kind import Index, Record
from calendar_app.domain.moments import Now
from calendar_app.errors import (
    CalendarError,
    DuplicateKey,
    EditConflict,
    IdempotencyKeyInUse,
    IdempotencyKeyReused,
    Locked,
)
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.transactions import PATIENCE, in_transaction, transact
from calendar_app.storage.query.clauses import equals

Result = TypeVar("Result")
_ATTEMPTS = 9


def retry_conflicts(store: Store, work: Callable[[], Result], patience: float = PATIENCE) -> Result:
    """Run ``work`` in a transaction, again where another write came first.

    Inside a transaction it runs once: the outermost one has to begin again.
    """
    if in_transaction():
        return work()
    for _ in range(_ATTEMPTS):
        try:
            return transact(store.database, work, patience)
        except (DuplicateKey, WriteConflict):
            continue
    raise EditConflict


class _Rollback(Exception):
    """Ends a transaction without storing it."""


def rehearse(store: Store, work: Callable[[], Result], patience: float = PATIENCE) -> Result:
    """Return the result of ``work``, and store nothing that it writes."""
    results: list[Result] = []

    def attempt() -> None:
        results.append(work())
        raise _Rollback

    with suppress(_Rollback):
        retry_conflicts(store, attempt, patience)
    return results[-1]


IDEMPOTENCY_KEYS = "idempotency_keys"
IDEMPOTENCY_INDEXES = (
    Index((("expires", 1),), serves="forgetting keys after a day", expire_after=0),
)
_LIFETIME = timedelta(hours=24)


class _KeyStored(CalendarError):
    """A request with this key has been answered."""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer of HTTP as it was first given."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


@dataclass(frozen=True, slots=True)
class KeyedRequest:
    """A request with its key; ``fingerprint`` is equal for equal requests."""

    user: int
    key: str
    fingerprint: str

    @property
    def id(self) -> str:
        return f"{self.user} {self.key}"


class IdempotentWrites:
    """Answers each key of a user once, and repeats the answer for a day."""

    def __init__(self, store: Store, now: Now) -> None:
        self._store = store
        self._keys = store[IDEMPOTENCY_KEYS]
        self._now = now

    def run(self, sent: KeyedRequest, write: Callable[[], StoredAnswer]) -> StoredAnswer | None:
        """Run ``write`` and store its answer; return ``None`` where there is an answer.

        Raises ``IdempotencyKeyInUse`` while a request with this key runs.
        """
        try:
            return retry_conflicts(self._store, lambda: self._first_run(sent, write))
        except _KeyStored:
            return None
        except Locked as error:
            raise IdempotencyKeyInUse from error

    def answer(self, sent: KeyedRequest) -> StoredAnswer:
        """Return the answer of an earlier run; ``IdempotencyKeyReused`` for another request."""
        # In a transaction, whose end waits until a majority of the replica set has the answer.
        entry = self._store.transact(lambda: self._keys.first(equals("_id", sent.id)))
        if entry is None:  # It has just expired.
            raise IdempotencyKeyInUse
        if entry["fingerprint"] != sent.fingerprint:
            raise IdempotencyKeyReused
        headers = tuple((name, value) for name, value in entry["headers"])
        return StoredAnswer(entry["status"], headers, bytes(entry["body"]))

    def store(self, sent: KeyedRequest, answer: StoredAnswer) -> None:
        """Store the answer of a request that wrote nothing."""
        try:
            self._keys.insert(self._entry(sent) | _answered(answer))
        except DuplicateKey:
            return

    def _first_run(self, sent: KeyedRequest, write: Callable[[], StoredAnswer]) -> StoredAnswer:
        try:
            self._keys.insert_or_lock(self._entry(sent))
        except DuplicateKey as error:
            raise _KeyStored from error
        answer = write()
        self._keys.change(equals("_id", sent.id), {"$set": _answered(answer)})
        return answer

    def _entry(self, sent: KeyedRequest) -> Record:
        expires = self._now() + _LIFETIME
        return {"_id": sent.id, "fingerprint": sent.fingerprint, "expires": expires}


def _answered(answer: StoredAnswer) -> Record:
    headers = [list(header) for header in answer.headers]
    return {"status": answer.status, "headers": headers, "body": answer.body}
