"""The last write to a MongoDB of this machine, as a file tells all processes that use it.

The file has no number while a transaction with a mark is on its way, and another one than before
once it is stored, before anybody learns of it. Whoever reads the same number as before an earlier
look knows without a question to MongoDB that no process here has written since.
"""

import os
import weakref
from contextlib import suppress
from pathlib import Path

from pymongo.database import Database

from calendar_app.domain.kind import Record
from calendar_app.errors import ConfigurationError

_SIZE = 8  # bytes
_ON_ITS_WAY = bytes(_SIZE)


class LastWrite:
    """A number at random in a ``file``, which is made where it is missing.

    Raises ``ConfigurationError`` where the file cannot be written.
    """

    def __init__(self, file: Path) -> None:
        try:
            self._file = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise ConfigurationError(f"{file} cannot be written ({error.strerror}).") from error
        # At the end of a process other threads may still write.
        weakref.finalize(self, os.close, self._file).atexit = False
        _leave_to_owner(self._file, file.parent)

    @property
    def number(self) -> bytes:
        """The number of the last write; empty while one is on its way, or may have been stored."""
        number = os.pread(self._file, _SIZE, 0)
        return number if number != _ON_ITS_WAY else b""

    def begin(self) -> None:
        """Take the number away before a commit. It stays so where the process ends meanwhile."""
        try:
            os.pwrite(self._file, _ON_ITS_WAY, 0)
        except OSError:  # A full disk may refuse to change what is there.
            os.ftruncate(self._file, 0)

    def end(self) -> None:
        """Put another number there: two that come at once differ from all before them."""
        with suppress(OSError):  # Without a number everybody asks MongoDB.
            os.pwrite(self._file, os.urandom(_SIZE), 0)


def _leave_to_owner(file: int, directory: Path) -> None:
    """Let the user of the service open the file where a command of root has made it."""
    owner = directory.stat()
    with suppress(PermissionError):
        os.fchown(file, owner.st_uid, owner.st_gid)


_shared: dict[Database[Record], LastWrite] = {}


def share_last_write(database: Database[Record], file: Path) -> None:
    """Let this process tell others by a ``file`` what it writes, and learn it from them."""
    _shared[database] = LastWrite(file)


def last_write(database: Database[Record]) -> LastWrite | None:
    """Return the last write to a database; ``None`` where others may write from elsewhere."""
    return _shared.get(database)
