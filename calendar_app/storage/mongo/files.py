"""Files of any size, kept in GridFS."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from typing import Any, BinaryIO, cast

from bson import ObjectId
from gridfs import GridFS
from gridfs.errors import FileExists, NoFile

from calendar_app.domain.pictures import StoredFile
from calendar_app.errors import DuplicateKey, Unavailable
from calendar_app.storage.mongo.connection import Database
from calendar_app.storage.mongo.error_translation import translate_errors
from calendar_app.storage.mongo.transactions import current_session

_BUCKET = "files"
_FILES, _CHUNKS = f"{_BUCKET}.files", f"{_BUCKET}.chunks"
# Files, or chunks, that are read at once.
_BATCH = 1000

# The bytes of files by name.
Sizes = dict[str, int]


class FileBucket:
    """Files by name. GridFS knows no transactions: what is put here is there at once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @cached_property
    def _files(self) -> GridFS:
        return GridFS(self._database, _BUCKET)

    def put(self, name: str, data: bytes, mime: str) -> None:
        """Store a new file, all of it or nothing; raise ``DuplicateKey`` for an existing name."""
        try:
            with translate_errors():
                # The name is the key as well, which makes it unique.
                self._files.put(
                    data,
                    _id=name,
                    filename=name,
                    metadata={"mime": mime, "digest": sha256(data).hexdigest()},
                )
        except FileExists as error:
            raise DuplicateKey(name) from error
        except Unavailable:
            with suppress(Unavailable):
                self.delete(name)
            raise

    def open(self, name: str) -> StoredFile | None:
        """Return the file of this name, or ``None`` where there is none."""
        try:
            with translate_errors():
                file = self._files.get(name)
        except NoFile:
            return None
        metadata = file.metadata or {}
        return StoredFile(
            name=name,
            mime=metadata["mime"],
            size=file.length,
            digest=metadata["digest"],
            stored=file.upload_date,
            stream=cast("BinaryIO", file),
        )

    def delete_all(self, names: Iterable[str]) -> None:
        """Remove these files, within the transaction that runs.

        GridFS refuses to do so itself, but its two collections are like all others.
        """
        session, ids = current_session(), list(names)
        with translate_errors(in_transaction=session is not None):
            for collection, key in ((_FILES, "_id"), (_CHUNKS, "files_id")):
                self._database[collection].delete_many({key: {"$in": ids}}, session=session)

    def delete(self, name: str) -> None:
        """Remove a file, and the chunks that an interrupted ``put`` left."""
        with translate_errors():
            self._files.delete(name)

    def stored_before(self, moment: datetime) -> Iterator[Sizes]:
        """Yield the files stored before a moment, a batch at a time."""
        last = ""
        while batch := self._after(_FILES, "_id", last, ["length", "uploadDate"]):
            last = batch[-1]["_id"]
            yield {file["_id"]: file["length"] for file in batch if file["uploadDate"] < moment}

    def unfinished_before(self, moment: datetime) -> Iterator[Sizes]:
        """Yield the chunks without a file that interrupted writes stored before a moment."""
        last = ""
        while batch := self._after(_CHUNKS, "files_id", last, {"_id": 0, "files_id": 1}):
            last = batch[-1]["files_id"]
            names = {chunk["files_id"] for chunk in batch}
            with translate_errors():
                files = self._database[_FILES].find({"_id": {"$in": list(names)}}, ["_id"])
                absent = names - {file["_id"] for file in files}
            if absent:
                yield self._sizes_of_chunks(absent, moment)

    def discard(self, names: Iterable[str], moment: datetime) -> None:
        """Remove those of these files, and of their chunks, that were stored before a moment.

        What has the same name and came meanwhile stays.
        """
        with translate_errors():
            files = {"_id": {"$in": list(names)}, "uploadDate": {"$lt": moment}}
            self._database[_FILES].delete_many(files)
            self._database[_CHUNKS].delete_many(_chunks_before(files["_id"], moment))

    def _after(
        self, collection: str, key: str, last: str, fields: list[str] | dict[str, int]
    ) -> list[dict[str, Any]]:
        """Return the next batch of documents in the order of an index, without an open cursor."""
        with translate_errors():
            documents = self._database[collection].find({key: {"$gt": last}}, fields)
            return list(documents.sort(key, 1).limit(_BATCH))

    def _sizes_of_chunks(self, names: Iterable[str], moment: datetime) -> Sizes:
        size = {"$sum": {"$binarySize": "$data"}}
        stages = [
            {"$match": _chunks_before({"$in": list(names)}, moment)},
            {"$group": {"_id": "$files_id", "size": size}},
        ]
        with translate_errors():
            groups = self._database[_CHUNKS].aggregate(stages)
            return {group["_id"]: group["size"] for group in groups}


def _chunks_before(names: object, moment: datetime) -> dict[str, Any]:
    # The id of a chunk says when it was made.
    return {"files_id": names, "_id": {"$lt": ObjectId.from_datetime(moment)}}
