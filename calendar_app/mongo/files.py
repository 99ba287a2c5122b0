"""Files of any size, kept in GridFS."""

from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from typing import BinaryIO, cast

from gridfs import GridFS
from gridfs.errors import FileExists, NoFile

from calendar_app.domain.pictures import StoredFile
from calendar_app.errors import DuplicateKey, Unavailable
from calendar_app.mongo.connection import Database
from calendar_app.mongo.error_translation import translate_errors
from calendar_app.mongo.transactions import current_session

_BUCKET = "files"


class FileBucket:
    """Files by name. GridFS knows no transactions: what is put here is there at once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @cached_property
    def _files(self) -> GridFS:
        return GridFS(self._database, _BUCKET)

    def put(self, name: str, data: bytes, mime: str) -> None:
        """Store a new file, or nothing of it; ``DuplicateKey`` where one of this name exists."""
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
            for collection, key in (("files", "_id"), ("chunks", "files_id")):
                self._database[f"{_BUCKET}.{collection}"].delete_many(
                    {key: {"$in": ids}}, session=session
                )

    def delete(self, name: str) -> None:
        """Remove a file, and the chunks that an interrupted ``put`` left."""
        with translate_errors():
            self._files.delete(name)
