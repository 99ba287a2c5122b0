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
from calendar_app.mongo.error_translation import translate_errors

Result = TypeVar("Result")

PATIENCE = 10.0  # seconds

_session: ContextVar[ClientSession | None] = ContextVar("session", default=None)
# What is to be done when the transaction that runs is stored.
_on_commit: ContextVar[list[Callable[[], None]]] = ContextVar("callbacks")
# What is to be undone when the attempt that runs is given up.
_on_abort: ContextVar[list[Callable[[], None]]] = ContextVar("undoing")


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
        return work()
    callbacks: list[Callable[[], None]] = []
    undoing: list[Callable[[], None]] = []
    with translate_errors(), timeout(patience), database.client.start_session() as session:
        result = session.with_transaction(
            lambda joined: _joined(joined, work, callbacks, undoing),
            read_concern=ReadConcern("snapshot"),
            write_concern=WriteConcern("majority", j=True),
            read_preference=ReadPreference.PRIMARY,
        )
    for each in callbacks:
        each()
    return result


def on_commit(work: Callable[[], None]) -> None:
    """Run ``work`` when the transaction that runs is stored for good; never, where it fails.

    Outside any transaction it runs at once.
    """
    if in_transaction():
        _on_commit.get().append(work)
    else:
        work()


def on_abort(work: Callable[[], None]) -> None:
    """Run ``work`` when the attempt that runs is given up; never outside any transaction.

    Where nobody knows whether the commit was stored, it does not run.
    """
    if in_transaction():
        _on_abort.get().append(work)


def in_transaction() -> bool:
    """Say whether a transaction runs; on mongomock none ever does."""
    session = current_session()
    return session is not None and session.in_transaction


def _joined(
    session: ClientSession,
    work: Callable[[], Result],
    callbacks: list[Callable[[], None]],
    undoing: list[Callable[[], None]],
) -> Result:
    callbacks.clear()  # what an attempt before has left
    _undo(undoing)
    tokens = _on_commit.set(callbacks), _on_abort.set(undoing)
    try:
        with joining(session):
            return work()
    except BaseException:
        _undo(undoing)
        raise
    finally:
        _on_commit.reset(tokens[0])
        _on_abort.reset(tokens[1])


def _undo(undoing: list[Callable[[], None]]) -> None:
    while undoing:
        undoing.pop()()


@contextmanager
def joining(session: ClientSession | None) -> Iterator[None]:
    """Let operations join ``session``; with ``None`` they stand outside any transaction."""
    token = _session.set(session)
    try:
        yield
    finally:
        _session.reset(token)
