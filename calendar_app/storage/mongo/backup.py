"""Writes a backup of a database as of one cluster time, while others write to the database."""

import struct
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, cast

from pymongo.client_session import ClientSession
from pymongo.collection import Collection
from pymongo.errors import OperationFailure

from calendar_app.domain.kind import Record
from calendar_app.errors import Unavailable
from calendar_app.storage.mongo.backup_file import BackupWriter, Digest
from calendar_app.storage.mongo.connection import Database
from calendar_app.storage.mongo.error_translation import translate_errors
from calendar_app.storage.mongo.formats import stored_mark
from calendar_app.storage.mongo.leases import LEASES
from calendar_app.storage.mongo.marks import OUTBOX, WRITERS

# What a restore keeps beside the collections until it is done.
STAGING = "restoring"
# Called with the number of documents just done and of all, and a word for the work.
BackupProgress = Callable[[int, int, str], None]

# SnapshotUnavailable, SnapshotTooOld: https://www.mongodb.com/docs/manual/reference/error-codes/
_SNAPSHOT_LOST = frozenset({239, 246})
_LENGTH = struct.Struct("<i")


def write_backup(database: Database, file: IO[bytes], progress: BackupProgress) -> dict[str, Any]:
    """Write all collections to ``file``, and return number and digest of each one's documents.

    Raises ``Unavailable`` where MongoDB no longer has the state at which the backup began.
    """
    with translate_errors():
        collections = describe_collections(database)
        total = sum(database[name].estimated_document_count() for name in collections)
        writer = BackupWriter(file, database.name, collections, total, stored_mark(database).next)
        try:
            with database.client.start_session(snapshot=True) as session:
                for name in collections:
                    digest = writer.begin(name)
                    for batch, documents in read_batches(database[name], digest, session):
                        writer.write(batch)
                        progress(documents, total, "backup")
                    writer.end()
        except OperationFailure as error:
            if error.code not in _SNAPSHOT_LOST:
                raise
            raise Unavailable(
                "MongoDB no longer has the state at which the backup began. Try again; if the "
                "database is large, raise minSnapshotHistoryWindowInSeconds of MongoDB."
            ) from error
        return writer.close()


def describe_collections(database: Database) -> dict[str, Any]:
    """Return options and indexes of each collection that a backup holds.

    Marks of writers, the outbox and leases tell of this database alone, and are none of it.
    """
    return {
        collection["name"]: {
            "options": collection["options"],
            "indexes": [
                {name: value for name, value in index.items() if name != "ns"}
                for index in database[collection["name"]].list_indexes()
                if index["name"] != "_id_"
            ],
        }
        for collection in database.list_collections(filter={"type": "collection"})
        if collection["name"].partition(".")[0] not in ("system", STAGING, WRITERS, OUTBOX, LEASES)
    }


def read_batches(
    collection: Collection[Record], digest: Digest, session: ClientSession | None = None
) -> Iterator[tuple[bytes, int]]:
    """Yield all documents in batches, each with their number, and add them to ``digest``."""
    for batch in cast("Iterable[bytes]", collection.find_raw_batches(session=session)):
        before = digest.documents
        for document in _split(batch):
            digest.add(document)
        yield batch, digest.documents - before


def _split(batch: bytes) -> Iterator[bytes]:
    """Yield the BSON documents that stand one behind the other in ``batch``."""
    start = 0
    while start < len(batch):
        (length,) = _LENGTH.unpack_from(batch, start)
        yield batch[start : start + length]
        start += length
