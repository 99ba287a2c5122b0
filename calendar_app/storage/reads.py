"""Reads from one collection, as commands whose answers come whole.

A cursor of pymongo takes a third longer than the command that it sends. It is needed where an
answer comes in parts, to ask once more where a connection was lost, and for mongomock.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from pymongo.client_session import ClientSession
from pymongo.collection import Collection
from pymongo.errors import (
    AutoReconnect,
    OperationFailure,
    PyMongoError,
    ServerSelectionTimeoutError,
)
from pymongo.read_preferences import ReadPreference

from calendar_app.domain.kind import Record
from calendar_app.query.clauses import Clause
from calendar_app.query.window import Order

Session = ClientSession | None
Fields = Sequence[str] | Mapping[str, int]
Stages = Sequence[Mapping[str, Any]]

# MongoDB would give out the first 101 documents and wait: as many as an answer can hold.
_WHOLE = 2**31 - 1
# Codes of what passes, as routers of shards tell it.
# https://github.com/mongodb/specifications/blob/master/source/retryable-reads/retryable-reads.md
_TRY_AGAIN = frozenset({6, 7, 89, 134, 262, 9001})
# Where documents are taken one by one.
_EACH_AT_ONCE = 200


class Reads:
    """Reads documents; ``limits`` are options of each command."""

    def __init__(self, collection: Collection[Record], limits: Mapping[str, Any]) -> None:
        self._collection = collection
        self._limits = limits

    def find(
        self,
        session: Session,
        wanted: Clause,
        fields: Fields | None,
        order: Order,
        part: tuple[int, int],
    ) -> list[Record]:
        """Return the documents that match; ``part`` is what to skip, and the limit (0: none)."""
        shown = None if fields is None else _projection(fields)
        given = {"projection": shown, "sort": dict(order), "skip": part[0], "limit": part[1]}
        options = {name: value for name, value in given.items() if value}
        command = {"find": self._collection.name, "filter": wanted, "batchSize": _WHOLE}
        found = self._answered(session, command | options)
        if found is not None:
            return found
        cursor = self._collection.find(wanted, session=session, batch_size=_WHOLE, **options)
        if self._limits:
            cursor = cursor.max_time_ms(self._limits["maxTimeMS"])
        return list(cursor)

    def aggregate(
        self, session: Session, stages: Stages, options: Mapping[str, Any]
    ) -> list[Record]:
        """Return what a pipeline makes."""
        command = {"aggregate": self._collection.name, "pipeline": stages, **options}
        made = self._answered(session, command | {"cursor": {"batchSize": _WHOLE}})
        if made is not None:
            return made
        return list(self._made(session, stages, {**options, "batchSize": _WHOLE}))

    def each(
        self, session: Session, stages: Stages, options: Mapping[str, Any]
    ) -> Iterator[Record]:
        """Yield what a pipeline makes, without holding it all."""
        yield from self._made(session, stages, {**options, "batchSize": _EACH_AT_ONCE})

    def _made(
        self, session: Session, stages: Stages, options: Mapping[str, Any]
    ) -> Iterator[Record]:
        return self._collection.aggregate(stages, session=session, **self._limits, **options)

    def _answered(self, session: Session, command: dict[str, Any]) -> list[Record] | None:
        """Return the documents of an answer; ``None`` where a cursor is needed to get them."""
        # Without a session, a collection's way to read would have to be said in each command.
        if session is None:
            return None
        joins = session.in_transaction
        member = ReadPreference.PRIMARY if joins else self._collection.read_preference
        try:
            answer = self._collection.database.command(
                {**command, **self._limits}, read_preference=member, session=session
            )
        except (AutoReconnect, OperationFailure) as error:
            if joins or not _may_be_tried_again(error):
                raise
            return None
        cursor = answer["cursor"]
        if cursor["id"]:
            self._close(cursor["id"], member)
            return None
        documents: list[Record] = cursor["firstBatch"]
        return documents

    def _close(self, cursor: int, member: Any) -> None:
        """Let a cursor go; if that comes to nothing, it ends with its session."""
        command = {"killCursors": self._collection.name, "cursors": [cursor]}
        with suppress(PyMongoError):
            self._collection.database.command(command, read_preference=member)


def _projection(fields: Fields) -> dict[str, int]:
    """Return what to show; no fields mean the id alone."""
    listed = dict(fields) if isinstance(fields, Mapping) else dict.fromkeys(("_id", *fields), 1)
    return listed or {"_id": 1}


def _may_be_tried_again(error: AutoReconnect | OperationFailure) -> bool:
    """Say whether a cursor would ask once more; not where the whole time to wait has gone by."""
    if isinstance(error, AutoReconnect):
        return not isinstance(error, ServerSelectionTimeoutError)
    return error.code in _TRY_AGAIN
