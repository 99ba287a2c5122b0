"""Several writes that happen all or not at all."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from pymongo import timeout
from pymongo.client_session import ClientSession
from pymongo.database import Database
from pymongo.read_concern import ReadConcern
from pymongo.read_preferences import ReadPreference
from pymongo.write_concern import WriteConcern

from calendar_app.domain.kind import Record
from calendar_app.mongo.error_translation import refusing

Result = TypeVar("Result")

PATIENCE = 10.0  # seconds

_session: ContextVar[ClientSession | None] = ContextVar("session", default=None)
_part: ContextVar[bool] = ContextVar("part", default=False)
# What is to be done when the transaction that runs is stored.
_then: ContextVar[list[Callable[[], None]]] = ContextVar("then")


def current_session() -> ClientSession | None:
    """Return the session of the transaction that runs, which every operation joins."""
    return _session.get()


def transact(
    database: Database[Record], work: Callable[[], Result], patience: float = PATIENCE
) -> Result:
    """Run ``work``; all its writes are stored, or none.

    ``work`` may run more than once, when it met another transaction. Inside a transaction that
    runs it simply joins. mongomock has no sessions: there it is a plain call. Where the database
    is away, ``Unavailable`` comes after ``patience`` seconds; pymongo alone would try for two
    minutes.
    """
    if in_transaction() or not isinstance(database, Database):
        return _as_part(work)
    then: list[Callable[[], None]] = []
    with refusing(), timeout(patience), database.client.start_session() as session:
        result = session.with_transaction(
            lambda joined: _joined(joined, work, then),
            read_concern=ReadConcern("snapshot"),
            write_concern=WriteConcern("majority", j=True),
            read_preference=ReadPreference.PRIMARY,
        )
    for each in then:
        each()
    return result


def once_stored(work: Callable[[], None]) -> None:
    """Run ``work`` when the transaction that runs is stored for good; never, where it fails.

    Outside any transaction it runs at once.
    """
    if in_transaction():
        _then.get().append(work)
    else:
        work()


def is_part() -> bool:
    """Say whether what runs is part of something larger, which would have to begin again too."""
    return _part.get()


def _as_part(work: Callable[[], Result]) -> Result:
    token = _part.set(True)
    try:
        return work()
    finally:
        _part.reset(token)


def in_transaction() -> bool:
    """Say whether a transaction runs; on mongomock none ever does."""
    session = current_session()
    return session is not None and session.in_transaction


def _joined(
    session: ClientSession, work: Callable[[], Result], then: list[Callable[[], None]]
) -> Result:
    then.clear()  # what an attempt before has left
    token = _then.set(then)
    try:
        with joining(session):
            return work()
    finally:
        _then.reset(token)


@contextmanager
def joining(session: ClientSession | None) -> Iterator[None]:
    """Let operations join ``session``; with ``None`` they stand outside any transaction."""
    token = _session.set(session)
    try:
        yield
    finally:
        _session.reset(token)
