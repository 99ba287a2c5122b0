"""Restores a backup: into staged collections first, which take their places once verified."""

from collections.abc import Iterable, Iterator
from typing import Any

from bson.raw_bson import RawBSONDocument

from calendar_app.errors import InvalidBackup, RestoreRefused
from calendar_app.storage.mongo.backup import (
    STAGING,
    BackupProgress,
    describe_collections,
    read_batches,
)
from calendar_app.storage.mongo.backup_file import BackupReader, Digest
from calendar_app.storage.mongo.collection import UNJOURNALED
from calendar_app.storage.mongo.connected import require_no_service
from calendar_app.storage.mongo.connection import Database
from calendar_app.storage.mongo.error_translation import translate_errors
from calendar_app.storage.mongo.formats import MARKS
from calendar_app.storage.mongo.marks import OUTBOX, mark_everything

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
