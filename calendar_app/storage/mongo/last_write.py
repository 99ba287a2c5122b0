"""The last write to a MongoDB of this machine, as a file tells all processes that use it.

Each transaction that leaves a mark puts another number there, once it is stored and before anybody
learns of it. Whoever reads the same number as before an earlier look knows without a question to
MongoDB that no process here has written since.
"""

import os
import weakref
from pathlib import Path

from pymongo.database import Database

from calendar_app.domain.kind import Record
from calendar_app.errors import ConfigurationError

_SIZE = 8  # bytes


class LastWrite:
    """A number at random in a ``file``, which is made where it is missing.

    Raises ``ConfigurationError`` where the file cannot be written.
    """

    def __init__(self, file: Path) -> None:
        try:
            self._file = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise ConfigurationError(f"{file} cannot be written ({error.strerror}).") from error
        weakref.finalize(self, os.close, self._file)

    @property
    def number(self) -> bytes:
        """The number of the last write; empty before the first one."""
        return os.pread(self._file, _SIZE, 0)

    def renew(self) -> None:
        """Put another number there: two that come at once differ from all before them."""
        os.pwrite(self._file, os.urandom(_SIZE), 0)


_shared: dict[Database[Record], LastWrite] = {}


def share_last_write(database: Database[Record], file: Path) -> None:
    """Let this process tell others by a ``file`` what it writes, and learn it from them."""
    _shared[database] = LastWrite(file)


def last_write(database: Database[Record]) -> LastWrite | None:
    """Return the last write to a database; ``None`` where others may write from elsewhere."""
    return _shared.get(database)
