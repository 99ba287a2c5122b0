"""Reads from one collection, as commands whose answers come whole.

A cursor of pymongo takes a third longer than the command that it sends. It is needed where an
answer comes in parts, to ask once more where a connection was lost, and for mongomock.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from pymongo.client_session import ClientSession
from pymongo.collection import Collection
from pymongo.errors import AutoReconnect, PyMongoError
from pymongo.read_preferences import ReadPreference

from calendar_app.domain.kind import Record
from calendar_app.query.clauses import Clause
from calendar_app.query.window import Order

Session = ClientSession | None
Fields = Sequence[str] | Mapping[str, int]
Stages = Sequence[Mapping[str, Any]]

# MongoDB would give out the first 101 documents and wait: as many as an answer can hold.
_WHOLE = 2**31 - 1
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
        skip, limit = part
        command = {"find": self._collection.name, "filter": wanted, "batchSize": _WHOLE}
        command |= {"skip": skip, "limit": limit}
        if order:
            command["sort"] = dict(order)
        if fields is not None:
            command["projection"] = dict(fields) if isinstance(fields, Mapping) else _only(fields)
        found = self._answered(session, command)
        if found is not None:
            return found
        cursor = self._collection.find(wanted, fields, session=session, skip=skip, limit=limit)
        cursor.batch_size(_WHOLE)
        if order:
            cursor = cursor.sort(list(order))
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
        try:
            answer = self._sent(session, {**command, **self._limits})
        except AutoReconnect:
            if session.in_transaction:
                raise
            return None
        cursor = answer["cursor"]
        if cursor["id"]:
            self._close(cursor["id"])
            return None
        documents: list[Record] = cursor["firstBatch"]
        return documents

    def _sent(self, session: Session, command: dict[str, Any]) -> Mapping[str, Any]:
        joins = session is not None and session.in_transaction
        member = ReadPreference.PRIMARY if joins else self._collection.read_preference
        return self._collection.database.command(command, read_preference=member, session=session)

    def _close(self, cursor: int) -> None:
        """Let a cursor go; if that comes to nothing, the database does it after a while."""
        with suppress(PyMongoError):
            self._sent(None, {"killCursors": self._collection.name, "cursors": [cursor]})


def _only(fields: Sequence[str]) -> dict[str, int]:
    return dict.fromkeys(("_id", *fields), 1)
