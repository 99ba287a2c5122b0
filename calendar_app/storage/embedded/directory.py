"""The directory of our own mongod: private, and served by one process at a time."""

import fcntl
import hashlib
import os
import re
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO

from calendar_app.errors import ConfigurationError

# Where the socket lies: in the directory, or in a short private one.

_LONGEST = 107  # bytes
# pymongo lowers the case of the hosts that a replica set names, and splits them at a colon.
_PLAIN = re.compile(r"[a-z0-9/._-]+")
_SHORT = "/tmp"  # noqa: S108 - the directory made there is private
_PRIVATE = "calendar-mongod-"


def socket_path(directory: Path) -> str:
    """Return the path of the socket of the mongod on ``directory``, always the same one."""
    in_directory = str(directory / "mongod.sock")
    if _fits(in_directory):
        return in_directory
    name = _PRIVATE + hashlib.sha256(os.fsencode(directory)).hexdigest()[:16]
    private = f"{tempfile.gettempdir()}/{name}/mongod.sock"
    return private if _fits(private) else f"{_SHORT}/{name}/mongod.sock"


def make_room(path: str) -> None:
    """Make the private directory of the socket at ``path``, if it needs one."""
    parent = Path(path).parent
    if not parent.name.startswith(_PRIVATE):
        return
    with suppress(FileExistsError):
        parent.mkdir(mode=0o700)
    status = parent.lstat()
    if parent.is_symlink() or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise ConfigurationError(
            f"{parent} belongs to somebody else; remove it, "
            "or name a directory with a shorter path in CALENDAR_DATA."
        )


def remove_socket(path: str) -> None:
    """Remove the private directory of the socket at ``path``, if it has one."""
    parent = Path(path).parent
    if parent.name.startswith(_PRIVATE):
        with suppress(OSError):
            Path(path).unlink(missing_ok=True)
            parent.rmdir()


def _fits(path: str) -> bool:
    return len(os.fsencode(path)) <= _LONGEST and _PLAIN.fullmatch(path) is not None


# The directory itself.

_RESTARTS = "restarts"
# In bytes. A mongod writes files of a journal as it starts, and ends where they find no room.
_LEAST_ROOM = 32 << 20


class DataDirectory:
    """A data directory, with a lock that its serving process holds until it ends.

    The lock's file tells others the process and the socket. Processes that the holder forks let
    go of it, so that no worker outlives the claim of its service.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).expanduser().resolve()
        self.socket = socket_path(self.path)
        self._claim: IO[str] | None = None

    @property
    def log(self) -> Path:
        return self.path / "mongod.log"

    @property
    def restarts(self) -> int:
        """Return how often a mongod on this directory has died and was started again."""
        try:
            return (self.path / _RESTARTS).stat().st_size
        except OSError:
            return 0

    def count_restart(self) -> None:
        """Count one more; the file has a byte for each, which take no room on a full disk."""
        with suppress(OSError), (self.path / _RESTARTS).open("ab") as file:
            file.truncate(file.tell() + 1)

    @property
    def disk_free(self) -> int | None:
        """Return the bytes left on the disk of the directory, ``None`` where there is none."""
        try:
            return shutil.disk_usage(self.path).free
        except OSError:
            return None

    @property
    def is_full(self) -> bool:
        """Say whether its disk has too little room for a mongod."""
        free = self.disk_free
        return free is not None and free < _LEAST_ROOM

    def claim(self) -> bool:
        """Claim the directory for this process; ``False`` where another process has it.

        Raises ``ConfigurationError`` where the directory cannot be written.
        """
        file = self.open("service.lock")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return False
        file.truncate(0)
        file.write(f"{os.getpid()}\n{self.socket}\n")
        file.flush()
        self._claim = file
        os.register_at_fork(after_in_child=self._let_go)
        return True

    def claimant(self) -> tuple[int, str]:
        """Return process and socket of the service that holds the claim, 0 and "" if unknown."""
        with self.open("service.lock") as file:
            file.seek(0)
            process, socket, *_ = [*file.read().splitlines(), "", ""]
        return (int(process) if process.isdecimal() else 0), socket

    def release(self) -> None:
        """Let another process serve the directory."""
        if self._claim is not None:
            remove_socket(self.socket)
            self._let_go()

    def _let_go(self) -> None:
        if self._claim is not None:
            self._claim.close()
            self._claim = None

    def open(self, name: str) -> IO[str]:
        """Open a file of the directory for reading and appending; make both where need be."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.path.chmod(0o700)
            return (self.path / name).open("a+", encoding="utf-8")
        except OSError as error:
            raise ConfigurationError(
                f"The directory {self.path} cannot be written ({error.strerror}); "
                "name another one in CALENDAR_DATA."
            ) from error
