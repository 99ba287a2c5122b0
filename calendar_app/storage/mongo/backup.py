"""Backups of a whole database: their format, how they are written, and how they are restored."""

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from gzip import GzipFile
from hashlib import sha256
from typing import IO, Any, cast
from urllib.parse import unquote, urlsplit

import bson
from bson.errors import BSONError
from bson.raw_bson import RawBSONDocument
from pymongo.client_session import ClientSession
from pymongo.collection import Collection
from pymongo.errors import OperationFailure

from calendar_app.domain.kind import Record
from calendar_app.errors import InvalidBackup, RestoreRefused, Unavailable
from calendar_app.storage.mongo.collection import UNJOURNALED
from calendar_app.storage.mongo.connection import DATABASE_NAME, Database
from calendar_app.storage.mongo.error_translation import UNAUTHORIZED, translate_errors
from calendar_app.storage.mongo.formats import FORMATS, MARKS, stored_mark
from calendar_app.storage.mongo.leases import LEASES
from calendar_app.storage.mongo.marks import OUTBOX, WRITERS, mark_everything

# Finds out whether a service uses a database, by the name that its connections bear.

_LONGEST_NAME = 128  # bytes: https://github.com/mongodb/specifications, handshake


def service_name(database: str) -> str:
    """Return how a service on this database calls itself to MongoDB."""
    return f"calendar-app on {database}"[:_LONGEST_NAME]


def service_name_of(uri: str) -> str:
    """Return the name of a service on the database that ``uri`` names."""
    return service_name(unquote(urlsplit(uri).path.lstrip("/")) or DATABASE_NAME)


def require_no_service(database: Database) -> None:
    """Raise ``RestoreRefused`` where a service has connections to the server of this database."""
    if any(_connections(database)):
        raise RestoreRefused("A service uses the database. Stop it first.")


def _connections(database: Database) -> list[dict[str, Any]]:
    """Return the service's connections; of other users only where this one may see theirs."""
    ours = {"$match": {"appName": service_name(database.name)}}
    for all_users in (True, False):
        operations = {"$currentOp": {"allUsers": all_users, "idleConnections": True}}
        try:
            return list(database.client.admin.aggregate([operations, ours, {"$limit": 1}]))
        except OperationFailure as error:
            if error.code != UNAUTHORIZED:
                raise
    return []


# The file of a backup: a sequence of BSON documents, compressed with gzip.
#
# It holds a header; for each collection ``{"collection": NAME}``, its documents and an empty
# document; and a trailer with the number and the digest of each collection's documents.

FORMAT, VERSION = "calendar-app backup", 1
_LEVEL = 1  # three times as fast as the default, for a file that is a fifth larger
_LENGTH_BYTES = 4
_END_OF_COLLECTION = bson.encode({})
# What MongoDB stores, and what it adds to that internally.
_LARGEST_DOCUMENT = 16 * (1 << 20) + 16 * (1 << 10)
_DIGESTS = 1 << 256


@dataclass(slots=True)
class Digest:
    """Number and digest of documents, in any order: the sum of their SHA-256, modulo 2^256."""

    documents: int = 0
    total: int = 0

    def add(self, document: bytes) -> None:
        self.documents += 1
        self.total = (self.total + int.from_bytes(sha256(document).digest(), "big")) % _DIGESTS

    def summary(self) -> dict[str, Any]:
        return {"documents": self.documents, "digest": f"{self.total:064x}"}


class BackupWriter:
    """Writes a backup to ``file``.

    ``collections`` tells options and indexes of each, ``documents`` about how many there are,
    ``data_format`` of which format they are.
    """

    def __init__(
        self,
        file: IO[bytes],
        database: str,
        collections: Mapping[str, Any],
        documents: int,
        data_format: int,
    ) -> None:
        self._stream = GzipFile(fileobj=file, mode="wb", compresslevel=_LEVEL, filename="")
        self._digests: dict[str, Digest] = {}
        self._header = bson.encode(
            {
                "format": FORMAT,
                "version": VERSION,
                "data_format": data_format,
                "taken": datetime.now(UTC),
                "database": database,
                "documents": documents,
                "collections": collections,
            }
        )
        self._stream.write(self._header)

    def begin(self, collection: str) -> Digest:
        """Begin a collection, and return its digest."""
        self._stream.write(bson.encode({"collection": collection}))
        self._digests[collection] = Digest()
        return self._digests[collection]

    def write(self, documents: bytes) -> None:
        """Write documents, one behind the other, of the collection that was begun."""
        self._stream.write(documents)

    def end(self) -> None:
        """End the collection that was begun."""
        self._stream.write(_END_OF_COLLECTION)

    def close(self) -> dict[str, Any]:
        """Write the trailer, and return the summary of each collection."""
        summaries = {name: digest.summary() for name, digest in self._digests.items()}
        trailer = {"header": sha256(self._header).hexdigest(), "collections": summaries}
        self._stream.write(bson.encode(trailer))
        self._stream.close()
        return summaries


class BackupReader:
    """Reads a backup from ``file``; raises ``InvalidBackup`` where it is none, or damaged."""

    def __init__(self, file: IO[bytes]) -> None:
        self._stream = GzipFile(fileobj=file)
        self._header = self._read()
        self.header = _decode(self._header)
        if self.header.get("format") != FORMAT:
            raise InvalidBackup("This is no backup of a calendar.")
        # Version 0.1.0 wrote no format of data, and had the first.
        later = self.header.get("data_format", 1) > FORMATS.newest
        if later or self.header.get("version") != VERSION:
            raise InvalidBackup("The backup was made by a later version; install that one first.")
        self.summaries: dict[str, Any] = {}

    @property
    def collections(self) -> Mapping[str, Mapping[str, Any]]:
        """Return options and indexes of each collection."""
        collections: Mapping[str, Mapping[str, Any]] = self.header["collections"]
        return collections

    def documents(self) -> Iterator[tuple[str, bytes]]:
        """Yield each document with its collection; raise at the end where any is not as it was."""
        for _ in self.collections:
            name = str(_decode(self._read()).get("collection"))
            if name not in self.collections:
                raise InvalidBackup("The backup is damaged.")
            digest = Digest()
            while (document := self._read()) != _END_OF_COLLECTION:
                digest.add(document)
                yield name, document
            self.summaries[name] = digest.summary()
        self._check(_decode(self._read()))

    def _check(self, trailer: Mapping[str, Any]) -> None:
        header = sha256(self._header).hexdigest()
        intact = trailer == {"header": header, "collections": self.summaries}
        try:
            surplus = self._stream.read(1)
        except (OSError, EOFError, zlib.error) as error:
            raise InvalidBackup("The backup is damaged or incomplete.") from error
        if not intact or surplus:
            raise InvalidBackup("The backup is damaged: its digests differ.")

    def _read(self) -> bytes:
        """Return the next document, BSON-encoded."""
        try:
            start = self._stream.read(_LENGTH_BYTES)
            length = int.from_bytes(start, "little")
            following = min(max(length, len(_END_OF_COLLECTION)), _LARGEST_DOCUMENT) - len(start)
            document = start + self._stream.read(following)
        except (OSError, EOFError, zlib.error) as error:
            raise InvalidBackup("This is no backup of a calendar, or an incomplete one.") from error
        if len(document) != length or not document:
            raise InvalidBackup("The backup is damaged or incomplete.")
        return document


def _decode(document: bytes) -> dict[str, Any]:
    try:
        return bson.decode(document)
    except BSONError as error:
        raise InvalidBackup("The backup is damaged.") from error


# Writes a backup of a database as of one cluster time, while others write to the database.

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


# Restores a backup: into staged collections first, which take their places once verified.

_BATCH_BYTES = 8 << 20


def restore_backup(
    database: Database, backup: BackupReader, progress: BackupProgress, *, force: bool
) -> None:
    """Replace all collections by those of ``backup``; until the last step nothing else changes.

    Raises ``RestoreRefused`` where the database is in use or, without ``force``, not empty, and
    ``InvalidBackup`` where the backup is damaged, or what is stored differs from it.
    """
    with translate_errors():
        _require_room(database, force=force)
        _drop_staged(database)
        try:
            _load(database, backup, progress)
            _verify(database, backup, progress)
            _create_indexes(database, backup)
            _require_room(database, force=force)
        except BaseException:
            _drop_staged(database)
            raise
        _replace(database, list(backup.collections))


def is_half_restored(database: Database) -> bool:
    """Say whether a restore was interrupted as it replaced the collections."""
    with translate_errors():
        return database[STAGING].find_one({}, ["_id"]) is not None


def require_restored(database: Database) -> None:
    """Raise ``RestoreRefused`` where a restore was interrupted as it replaced the collections."""
    if is_half_restored(database):
        raise RestoreRefused(
            "A restore was interrupted. Repeat it: calendar-app restore FILE --force"
        )


def _require_room(database: Database, *, force: bool) -> None:
    require_no_service(database)
    if force:
        return
    for name in describe_collections(database).keys() - {MARKS}:
        if database[name].find_one({}, ["_id"]):
            raise RestoreRefused(
                "The database is not empty. To replace all that it holds, add --force."
            )


def _load(database: Database, backup: BackupReader, progress: BackupProgress) -> None:
    """Insert all documents into staged collections."""
    for name, description in backup.collections.items():
        database.create_collection(_staged(name), **description["options"])
    for name, documents in _batches(backup.documents()):
        # Staged documents are of no use after a crash, and the renaming waits for all of them.
        collection = database.get_collection(_staged(name), write_concern=UNJOURNALED)
        collection.insert_many(map(RawBSONDocument, documents), ordered=False)
        progress(len(documents), backup.header["documents"], "restore")


def _batches(documents: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, list[bytes]]]:
    """Yield documents of one collection together, up to a few megabytes."""
    batch: list[bytes] = []
    collection, size = "", 0
    for name, document in documents:
        if batch and (name != collection or size + len(document) > _BATCH_BYTES):
            yield collection, batch
            batch, size = [], 0
        collection = name
        batch.append(document)
        size += len(document)
    if batch:
        yield collection, batch


def _verify(database: Database, backup: BackupReader, progress: BackupProgress) -> None:
    """Read all back, and raise ``InvalidBackup`` where numbers or digests differ."""
    total = sum(summary["documents"] for summary in backup.summaries.values())
    for name, expected in backup.summaries.items():
        digest = Digest()
        for _, documents in read_batches(database[_staged(name)], digest):
            progress(documents, total, "verify")
        if digest.summary() != expected:
            raise InvalidBackup(f"The database has stored other {name} than the backup holds.")


def _create_indexes(database: Database, backup: BackupReader) -> None:
    """Create the indexes of all collections, only now: a TTL index would remove documents."""
    for name, collection in backup.collections.items():
        if collection["indexes"]:
            database.command("createIndexes", _staged(name), indexes=collection["indexes"])


def _replace(database: Database, names: list[str]) -> None:
    """Rename the staged collections; ``require_restored`` refuses an interrupted restore."""
    database[STAGING].insert_one({"collections": names})
    for name in describe_collections(database).keys() - set(names):
        database.drop_collection(name)
    for name in names:
        database[_staged(name)].rename(name, dropTarget=True)
    mark_everything(database)
    database[OUTBOX].delete_many({})
    database.drop_collection(STAGING)


def _drop_staged(database: Database) -> None:
    staged: dict[str, Any] = {"name": {"$regex": rf"^{STAGING}\."}}
    for name in database.list_collection_names(filter=staged):
        database.drop_collection(name)


def _staged(name: str) -> str:
    return f"{STAGING}.{name}"
