"""Writes that wait for no disk.

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

_HASTY = WriteConcern(w=1, j=False)
# A command has a size that it must not exceed; pymongo divides what is more.
_MOST_IN_ONE_COMMAND = 100

Update = Mapping[str, Any] | Sequence[Mapping[str, Any]]


class HastyWrites:
    """Writes to one collection, each at once and outside any transaction."""

    def __init__(self, collection: Collection[Record]) -> None:
        self._collection = collection.with_options(write_concern=_HASTY)
        # mongomock takes no such commands.
        self._takes_commands = isinstance(collection.database, Database)

    def add(self, records: Sequence[Record]) -> None:
        """Store those documents whose ids are not there yet."""
        command = {"insert": self._collection.name, "documents": records}
        few = len(records) <= _MOST_IN_ONE_COMMAND
        done = self._tried(command | {"ordered": False}) if few else None
        errors = self._refused(records) if done is None else done.get("writeErrors", ())
        others = [error for error in errors if error["code"] != DUPLICATE_KEY]
        if others:
            raise BulkWriteError({"writeErrors": others})

    def upsert(self, wanted: Clause, update: Update) -> Record:
        """Change the document that matches, or make it; return it as it is then."""
        command = {"findAndModify": self._collection.name, "query": wanted, "update": update}
        done = self._tried(command | {"upsert": True, "new": True})
        if done is not None:
            value: Record = done["value"]
            return value
        made = self._collection.find_one_and_update(
            wanted, update, upsert=True, return_document=ReturnDocument.AFTER
        )
        return made or {}

    def _refused(self, records: Sequence[Record]) -> Sequence[Mapping[str, Any]]:
        """Store documents, and return the errors of those that were refused."""
        try:
            self._collection.insert_many(records, ordered=False)
        except BulkWriteError as error:
            errors: Sequence[Mapping[str, Any]] = error.details["writeErrors"]
            return errors
        return ()

    def _tried(self, command: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the answer to a plain command; ``None`` where it came to nothing."""
        if not self._takes_commands:
            return None
        with suppress(AutoReconnect):
            answer = self._collection.database.command({**command, "writeConcern": _HASTY.document})
            return None if "writeConcernError" in answer else answer
        return None
