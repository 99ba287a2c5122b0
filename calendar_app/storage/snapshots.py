"""Reads that all see the database at one moment.

What is read at a moment holds every write that was acknowledged before, and none that came after.
So whatever was read at a moment is right for as long as the database gives out the same one,
which it does until the next write.
"""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any, TypeVar

from bson import Timestamp
from pymongo.database import Database
from pymongo.errors import OperationFailure

from calendar_app.domain.kind import Record
from calendar_app.storage.transactions import current_session, joining

Result = TypeVar("Result")

# The collection has just been made, or has just got an index.
_NO_SNAPSHOT = 246
# Before the first read, whose answer tells the moment.
_UNTOLD = Timestamp(0, 0)
_moment: ContextVar[Timestamp | None] = ContextVar("moment", default=None)


def current_moment() -> Timestamp | None:
    """Return the moment that reads see; ``None`` before the first one and outside such work."""
    moment = _moment.get()
    return None if moment == _UNTOLD else moment


def note_moment(reply: Mapping[str, Any]) -> None:
    """Keep the moment that an answer of the database names, where reads are to be of one."""
    cursor = reply.get("cursor")
    if _moment.get() is not None and cursor and "atClusterTime" in cursor:
        _moment.set(cursor["atClusterTime"])


def at_one_moment(database: Database[Record], work: Callable[[], Result]) -> Result:
    """Run ``work``, which only reads; all its reads see the database as the first one did.

    Inside a transaction they do anyway. mongomock has no sessions: there it is a plain call, as
    it is while the database cannot tell how a collection was.
    """
    if current_session() is not None or not isinstance(database, Database):
        return work()
    try:
        return _seen_at_once(database, work)
    except OperationFailure as error:
        if error.code != _NO_SNAPSHOT:
            raise
    return work()


def _seen_at_once(database: Database[Record], work: Callable[[], Result]) -> Result:
    token = _moment.set(_UNTOLD)
    try:
        with database.client.start_session(snapshot=True) as session, joining(session):
            return work()
    finally:
        _moment.reset(token)
