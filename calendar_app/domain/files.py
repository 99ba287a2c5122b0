"""A file as it comes out of the store."""

from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO


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
