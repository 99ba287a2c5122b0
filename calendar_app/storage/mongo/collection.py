"""The records of one kind, as a MongoDB collection."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from types import MappingProxyType
from typing import Any, Concatenate, ParamSpec, TypeVar

import pymongo.collection
from bson import Timestamp
from pymongo import ReadPreference, ReturnDocument, UpdateOne, WriteConcern
from pymongo.client_session import ClientSession
from pymongo.errors import BulkWriteError, OperationFailure

from calendar_app.domain.kind import Record
from calendar_app.storage.mongo.connection import Database
from calendar_app.storage.mongo.error_translation import (
    BAD_VALUE,
    DUPLICATE_KEY,
    locking,
    translate_errors,
)
from calendar_app.storage.mongo.formats import require_writable
from calendar_app.storage.mongo.marks import is_shown
from calendar_app.storage.mongo.transactions import (
    apart,
    current_member,
    current_session,
    in_transaction,
    note_written,
    transact,
    validate_assumptions,
)
from calendar_app.storage.query.clauses import NOTHING, Clause
from calendar_app.storage.query.list_query import Order
from calendar_app.storage.query.stages import Hint

Projection = Sequence[str] | Mapping[str, int]
Pipeline = Sequence[Mapping[str, Any]]

# More documents than an answer of MongoDB can hold: it then comes whole, however long it is.
_WHOLE_ANSWER = 2**31 - 1
# Documents in one answer where they are read one by one.
_STREAM_BATCH = 200
# Of these readers are told by their ids, also where a clause decides what is written.
_TOLD_BY_ID = frozenset({"events", "series", "venues", "organizers"})
# Whatever is acknowledged later was written later: what is written so is safe as soon as that is.
UNJOURNALED = WriteConcern(w=1, j=False)
# What is added to a document that is to stay as it is: two who write to it meet.
LOCKED: Mapping[str, int] = MappingProxyType({"document": 1})
_LOCKING = {"$inc": LOCKED}


P = ParamSpec("P")
T = TypeVar("T")


def _marked(
    write: Callable[Concatenate["RecordCollection", P], T],
) -> Callable[Concatenate["RecordCollection", P], T]:
    """Run each write of a marked collection in a transaction, which leaves a change mark."""

    @wraps(write)
    def run(self: "RecordCollection", /, *args: P.args, **options: P.kwargs) -> T:
        if self.is_marked and not in_transaction():
            return transact(self.database, lambda: write(self, *args, **options))
        return write(self, *args, **options)

    return run


class RecordCollection:
    """Reads and writes documents; every operation joins the transaction that runs."""

    def __init__(self, database: Database, name: str, timeout: int = 0) -> None:
        self.name = name
        self.database = database
        self.is_marked = is_shown(name)
        self._collection: pymongo.collection.Collection[Record] = database[name]
        self._unjournaled = self._collection.with_options(write_concern=UNJOURNALED)
        self._elsewhere = self._collection.with_options(read_preference=ReadPreference.NEAREST)
        self._timeout = timeout
        self._limits: dict[str, Any] = {"maxTimeMS": timeout} if timeout else {}

    def find(
        self,
        clause: Clause,
        *,
        order: Order = (),
        skip: int = 0,
        limit: int = 0,
        fields: Projection | None = None,
    ) -> list[Record]:
        """Return the documents that match, in ``order``; ``limit`` 0 means all.

        For documents of no ids MongoDB is not asked.
        """
        if clause == NOTHING or NOTHING in clause.get("$and", ()):
            return []
        options = {"sort": list(order), "skip": skip, "limit": limit, "max_time_ms": self._timeout}
        with self._joining() as session:
            cursor = self._readable.find(
                clause,
                None if fields is None else _projection(fields),
                session=session,
                batch_size=_WHOLE_ANSWER,
                **{name: value for name, value in options.items() if value},
            )
            return list(cursor)

    def stream(
        self, clause: Clause, *, order: Order, fields: Projection | None = None
    ) -> Iterator[Record]:
        """Yield the documents that match without holding them all."""
        with translate_errors():
            cursor = self._collection.find(clause, fields, batch_size=_STREAM_BATCH)
            yield from cursor.sort(list(order))

    def first(self, clause: Clause, fields: Projection | None = None) -> Record | None:
        return next(iter(self.find(clause, limit=1, fields=fields)), None)

    def lock_document(self, clause: Clause, fields: Projection | None = None) -> Record | None:
        """Return a document and lock it until the current transaction ends.

        A read alone would not conflict with a concurrent change of the document.
        """
        with self._writing() as session:
            document: Record | None = self._collection.find_one_and_update(
                clause, {"$inc": LOCKED}, projection=fields, session=session
            )
            return document

    def lock_ids(self, ids: Iterable[int]) -> None:
        """Lock the documents with these ids, which are made where there are none."""
        self.change_each([({"_id": each}, {"$inc": LOCKED}) for each in sorted(ids)], upsert=True)

    def lock_documents(self, clause: Clause) -> None:
        """Lock every document that matches, as ``lock_document`` does."""
        self.change_all(clause, _LOCKING)

    def aggregate(self, stages: Pipeline, **options: Any) -> list[Record]:
        """Return the result of a pipeline; a ``hint`` at a missing index is ignored."""
        with self._joining() as session:
            return list(self._cursor(stages, session, batchSize=_WHOLE_ANSWER, **options))

    def aggregate_at(self, cluster_time: Timestamp, stages: Pipeline) -> list[Record]:
        """Return the result of a pipeline at an earlier cluster time, outside the current work.

        Raises ``OperationFailure`` where MongoDB no longer has that state.
        """
        command = {
            "aggregate": self.name,
            "pipeline": list(stages),
            "cursor": {"batchSize": _WHOLE_ANSWER},
            "readConcern": {"level": "snapshot", "atClusterTime": cluster_time},
            **self._limits,
        }
        with apart(), translate_errors():
            preference = self._readable.read_preference
            reply = self.database.command(command, read_preference=preference)
            documents: list[Record] = reply["cursor"]["firstBatch"]
            return documents

    def each(self, stages: Pipeline, **options: Any) -> Iterator[Record]:
        """Yield the result of a pipeline, a batch at a time; otherwise as ``aggregate``."""
        with self._joining() as session:
            yield from self._cursor(stages, session, batchSize=_STREAM_BATCH, **options)

    def count(self, clause: Clause) -> int:
        """Return how many documents match."""
        return self.total([{"$match": clause}, {"$count": "total"}])

    def total(self, stages: Pipeline) -> int:
        """Return the ``total`` of the one document that a pipeline makes, or 0 without one."""
        return sum(document["total"] for document in self.aggregate(stages))

    @_marked
    def insert(self, record: Record) -> None:
        """Insert a document; raise ``DuplicateKey`` where a unique value is taken."""
        with self._writing() as session:
            self._collection.insert_one(record, session=session)
        self._note([record["_id"]])

    def insert_or_lock(self, record: Record) -> None:
        """Insert inside a transaction; raise ``Locked`` where another one inserts the same id."""
        with self._writing() as session, locking():
            self._collection.insert_one(record, session=session)
        self._note([record["_id"]])

    @_marked
    def insert_many(self, records: Sequence[Record]) -> None:
        with self._writing() as session:
            self._collection.insert_many(records, session=session)
        self._note([record["_id"] for record in records])

    def add_unjournaled(self, records: Sequence[Record]) -> None:
        """Insert new documents, unjournaled and outside any transaction; skip known ids."""
        self._require_no_mark()
        with translate_errors():
            try:
                self._unjournaled.insert_many(records, ordered=False)
            except BulkWriteError as error:
                if any(each["code"] != DUPLICATE_KEY for each in error.details["writeErrors"]):
                    raise

    @_marked
    def change(self, clause: Clause, update: Mapping[str, Any]) -> bool:
        """Change one document; return whether one matched."""
        with self._writing() as session:
            result = self._collection.update_one(clause, update, session=session)
        if result.matched_count and update != _LOCKING:
            self._note(_ids_named(clause))
        return result.matched_count > 0

    @_marked
    def change_all(self, clause: Clause, update: Mapping[str, Any] | Pipeline) -> int:
        """Change every document that matches; return how many did."""
        ids = None if update == _LOCKING else self._ids_of(clause)
        with self._writing() as session:
            result = self._collection.update_many(clause, update, session=session)
        if result.matched_count and update != _LOCKING:
            self._note(ids)
        return result.matched_count

    @_marked
    def change_each(
        self, updates: Sequence[tuple[Clause, Mapping[str, Any]]], *, upsert: bool = False
    ) -> int:
        """Change one document for each clause and its update; return how many were there."""
        with self._writing() as session:
            changes = [UpdateOne(*each, upsert=upsert) for each in updates]
            result = self._collection.bulk_write(changes, ordered=False, session=session)
        ids = [_ids_named(clause) for clause, _ in updates]
        self._note(None if None in ids else [each for own in ids for each in own or ()])
        return result.matched_count

    @_marked
    def upsert(self, clause: Clause, update: Mapping[str, Any] | Pipeline) -> Record:
        """Change the matching document, or insert it; return the result."""
        with self._writing() as session:
            document = _upserted(self._collection, clause, update, session)
        self._note([document["_id"]])
        return document

    def upsert_unjournaled(self, clause: Clause, update: Mapping[str, Any] | Pipeline) -> Record:
        """Do as ``upsert``, at once, outside any transaction."""
        self._require_no_mark()
        with translate_errors():
            return _upserted(self._unjournaled, clause, update)

    @_marked
    def remove(self, clause: Clause) -> int:
        """Delete the matching documents; return their number."""
        ids = self._ids_of(clause)
        with self._writing() as session:
            number = self._collection.delete_many(clause, session=session).deleted_count
        if number:
            self._note(ids)
        return number

    @property
    def _readable(self) -> pymongo.collection.Collection[Record]:
        """Return the collection as the current work reads it."""
        return self._elsewhere if current_member() else self._collection

    def _ids_of(self, clause: Clause) -> Collection[Any] | None:
        """Return the ids of the documents that a write matches; ``None`` where they are unknown."""
        ids = _ids_named(clause)
        if ids is None and self.is_marked and self.name in _TOLD_BY_ID:
            return [document["_id"] for document in self.find(clause, fields=["_id"])]
        return ids

    def _note(self, ids: Collection[Any] | None) -> None:
        """Note ids that were written, ``None`` where they are unknown, for the mark."""
        if self.is_marked:
            note_written(self.name, ids)

    def _require_no_mark(self) -> None:
        """Raise ``ValueError`` where a write outside a transaction would be without its mark."""
        if is_shown(self.name):
            raise ValueError(f"Answers show {self.name}: write in a transaction.")

    def _cursor(
        self,
        stages: Pipeline,
        session: ClientSession | None,
        hint: Hint = None,
        **options: Any,
    ) -> Iterable[Record]:
        options |= self._limits
        # A transaction would end with the refusal of a hint.
        if hint and not (session and session.in_transaction):
            try:
                return self._readable.aggregate(stages, session=session, hint=hint, **options)
            except OperationFailure as error:
                # An operator may have dropped the index, or it is still being built.
                if error.code != BAD_VALUE:
                    raise
        return self._readable.aggregate(stages, session=session, **options)

    @contextmanager
    def _writing(self) -> Iterator[ClientSession | None]:
        """Join the transaction that runs; where only reads are joined, writes stand outside.

        Unjournaled writes go on in a version that only reads: its reads need them.
        """
        require_writable(self.database)
        session = current_session()
        if session is None or session.in_transaction:
            with translate_errors(in_transaction=session is not None):
                yield session
        else:
            with translate_errors():
                yield None

    @contextmanager
    def _joining(self) -> Iterator[ClientSession | None]:
        validate_assumptions()
        session = current_session()
        with translate_errors(in_transaction=session is not None):
            yield session


def _ids_named(clause: Clause) -> Collection[Any] | None:
    """Return the ids to which a clause is limited, ``None`` where it names none."""
    for part in clause.get("$and", (clause,)):
        match part:
            case {"_id": {"$in": ids}}:
                return list(ids)
            case {"_id": {"$eq": only}}:
                return [only]
            case {"_id": int() | str() as only}:
                return [only]
    return None


def _upserted(
    collection: pymongo.collection.Collection[Record],
    clause: Clause,
    update: Mapping[str, Any] | Pipeline,
    session: ClientSession | None = None,
) -> Record:
    document: Record | None = collection.find_one_and_update(
        clause, update, upsert=True, return_document=ReturnDocument.AFTER, session=session
    )
    return document or {}


def _projection(fields: Projection) -> Mapping[str, int]:
    if isinstance(fields, Mapping):
        return fields
    return dict.fromkeys(("_id", *fields), 1)
