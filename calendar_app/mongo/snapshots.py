"""Reads that all see the database at one moment.

What is read at a moment holds every write that was acknowledged before, and none that came after.
So whatever was read at a moment is right for as long as the database gives out the same one,
which it does until the next write.

The first read tells the moment. What is wanted earlier is believed to be as it was at the latest
moment that is known; if the first read tells another one, it is looked up as of that one, and where
it was otherwise the work is done once more.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

from bson import Timestamp
from pymongo.database import Database
from pymongo.errors import OperationFailure

from calendar_app.domain.kind import Record
from calendar_app.mongo.transactions import current_session, joining

Result = TypeVar("Result")

# It has been too long since, or the collection has just been made, or has just got an index.
_CANNOT_TELL = {239, 246}


class _Misled(Exception):
    """What was believed to be so was not so at the moment that the database has told."""


@dataclass(slots=True)
class _Work:
    """Work that only reads; the moment that it was told, and what it has believed before.

    Each of the ``beliefs`` is of a moment, and asks whether it holds at the one that was told.
    """

    believing: bool
    told: Timestamp | None = None
    beliefs: list[tuple[Timestamp, Callable[[], bool]]] = field(default_factory=list)


_work: ContextVar[_Work | None] = ContextVar("work", default=None)


def current_moment() -> Timestamp | None:
    """Return the moment that reads see; ``None`` before the first one and outside such work."""
    work = _work.get()
    return work.told if work else None


def likely_moment(latest: Timestamp) -> Timestamp | None:
    """Return the moment that reads see, before the first one the ``latest`` that is known.

    ``None`` outside such work, and where it has turned out that something was written since.
    """
    work = _work.get()
    if work is None or work.told:
        return current_moment()
    return latest if work.believing else None


def believe(moment: Timestamp, holds: Callable[[], bool]) -> None:
    """Note that something is taken to be as it was at a moment.

    ``holds`` asks whether it is so at the moment that reads see by then.
    """
    work = _work.get()
    if work:
        work.beliefs.append((moment, holds))


def note_moment(reply: Mapping[str, Any]) -> None:
    """Keep the moment that an answer of the database names, where reads are to be of one."""
    work, cursor = _work.get(), reply.get("cursor")
    if work and cursor and "atClusterTime" in cursor:
        work.told = cursor["atClusterTime"]


def at_one_moment(database: Database[Record], run: Callable[[], Result]) -> Result:
    """Return the result of ``run``, which only reads; all its reads see what the first one saw.

    It may run three times: what was found to be otherwise is believed once more, as it is then.
    Inside a transaction reads are of one moment anyway. mongomock has no sessions: there it is a
    plain call, as it is where the database cannot tell how a collection was.
    """
    if current_session() is not None or not isinstance(database, Database):
        return run()
    try:
        for _ in range(2):
            with suppress(_Misled):
                return _seen_at_once(database, run, _Work(believing=True))
        return _seen_at_once(database, run, _Work(believing=False))
    except OperationFailure as error:
        if error.code not in _CANNOT_TELL:
            raise
    return run()


def _seen_at_once(database: Database[Record], run: Callable[[], Result], work: _Work) -> Result:
    token = _work.set(work)
    try:
        with (
            database.client.start_session(snapshot=True) as session,
            joining(session),
        ):
            return _sure_of(work, run)
    finally:
        _work.reset(token)


def _sure_of(work: _Work, run: Callable[[], Result]) -> Result:
    """Return the result of ``run``, or raise its error, where what it has believed is so."""
    try:
        result = run()
    except _Misled:
        raise
    except Exception:
        _make_sure_of(work)
        raise
    _make_sure_of(work)
    return result


def make_sure() -> None:
    """Look up what is doubtful; end the work that runs where all further reads would be in vain."""
    work = _work.get()
    if work and work.told:
        _make_sure_of(work)


def _make_sure_of(work: _Work) -> None:
    doubtful = _doubtful(work)
    work.believing, work.beliefs = False, []
    if not all(holds() for _, holds in doubtful):
        raise _Misled


def _doubtful(work: _Work) -> list[tuple[Timestamp, Callable[[], bool]]]:
    return [belief for belief in work.beliefs if belief[0] != work.told]
