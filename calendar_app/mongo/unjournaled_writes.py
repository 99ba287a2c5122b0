"""Writes with ``w=1, j=false``.

Whatever is acknowledged later was written later, so that what is written here is safe as soon as
that is. Each of these writes may happen twice, which makes no difference to what it is for: so it
goes as a plain command, and is retried only where that has come to nothing. To be ready to retry
one, MongoDB keeps a note of every write, which takes it a third of the time.
https://www.mongodb.com/docs/manual/core/retryable-writes/
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from pymongo import ReturnDocument, WriteConcern
from pymongo.collection import Collection
from pymongo.database import Database
from pymongo.errors import AutoReconnect, BulkWriteError

from calendar_app.domain.kind import Record
from calendar_app.mongo.error_translation import DUPLICATE_KEY
from calendar_app.query.clauses import Clause

_UNJOURNALED = WriteConcern(w=1, j=False)
# A command has a size that it must not exceed; pymongo divides what is more.
_MOST_IN_ONE_COMMAND = 100

Update = Mapping[str, Any] | Sequence[Mapping[str, Any]]


class UnjournaledWrites:
    """Writes to one collection, each at once and outside any transaction."""

    def __init__(self, collection: Collection[Record]) -> None:
        self._collection = collection.with_options(write_concern=_UNJOURNALED)
        # mongomock takes no such commands.
        self._takes_commands = isinstance(collection.database, Database)

    def add(self, records: Sequence[Record]) -> None:
        """Insert new documents; skip known ids."""
        command = {"insert": self._collection.name, "documents": records}
        few = len(records) <= _MOST_IN_ONE_COMMAND
        reply = self._command(command | {"ordered": False}) if few else None
        errors = self._insert(records) if reply is None else reply.get("writeErrors", ())
        failures = [error for error in errors if error["code"] != DUPLICATE_KEY]
        if failures:
            raise BulkWriteError({"writeErrors": failures})

    def upsert(self, clause: Clause, update: Update) -> Record:
        """Change the matching document, or insert it; return the result."""
        command = {"findAndModify": self._collection.name, "query": clause, "update": update}
        reply = self._command(command | {"upsert": True, "new": True})
        if reply is not None:
            value: Record = reply["value"]
            return value
        document = self._collection.find_one_and_update(
            clause, update, upsert=True, return_document=ReturnDocument.AFTER
        )
        return document or {}

    def _insert(self, records: Sequence[Record]) -> Sequence[Mapping[str, Any]]:
        """Insert documents one by one; return the errors."""
        try:
            self._collection.insert_many(records, ordered=False)
        except BulkWriteError as error:
            errors: Sequence[Mapping[str, Any]] = error.details["writeErrors"]
            return errors
        return ()

    def _command(self, command: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the answer to a plain command; ``None`` where it came to nothing."""
        if not self._takes_commands:
            return None
        with suppress(AutoReconnect):
            answer = self._collection.database.command(
                {**command, "writeConcern": _UNJOURNALED.document}
            )
            return None if "writeConcernError" in answer else answer
        return None
