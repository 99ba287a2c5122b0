"""Files of any size, kept in GridFS."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import BinaryIO, cast

from gridfs import GridFS
from gridfs.errors import FileExists, NoFile

from calendar_app.errors import DuplicateKey, Unavailable
from calendar_app.storage.connection import Database
from calendar_app.storage.refusing import refusing


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One file, open for reading; nothing of ``stream`` is fetched before it is read.

    ``size`` is in bytes, ``digest`` the SHA-256 of the content in hexadecimal digits, ``stored`` a
    naive UTC time.
    """

    name: str
    mime: str
    size: int
    digest: str
    stored: datetime
    stream: BinaryIO


class FileBucket:
    """Files by name. GridFS knows no transactions: what is put here is there at once."""

    def __init__(self, database: Database, bucket: str = "files") -> None:
        self._files = GridFS(database, bucket)

    def put(self, name: str, data: bytes, mime: str) -> None:
        """Store a new file, or nothing of it; ``DuplicateKey`` where one of this name exists."""
        try:
            with refusing():
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
            with refusing():
                found = self._files.get(name)
        except NoFile:
            return None
        metadata = found.metadata or {}
        return StoredFile(
            name=name,
            mime=metadata["mime"],
            size=found.length,
            digest=metadata["digest"],
            stored=found.upload_date,
            stream=cast("BinaryIO", found),
        )

    def delete(self, name: str) -> None:
        """Remove the file of this name, and what an interrupted ``put`` left of it."""
        with refusing():
            self._files.delete(name)
