"""The directory of our own mongod: private, and used by one service at a time."""

import fcntl
import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO

from calendar_app.errors import ConfigurationError

_LONGEST = 107  # bytes of a socket's path
# pymongo lowers the case of the hosts that a replica set names, and splits them at a colon.
_PLAIN = re.compile(r"[a-z0-9/._-]+")
_SHORT = "/tmp"  # noqa: S108 - the directory made there is private and has a random name


class DataDirectory:
    """A directory with a lock that is held by the process that serves it, and ends with it.

    The lock's file tells others the process and the socket. The lock is one of POSIX: workers
    that a service has forked do not hold it, so that none of them outlives its service's claim.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).expanduser().resolve()
        self.socket = ""
        self._file: IO[str] | None = None

    @property
    def log(self) -> Path:
        return self.path / "mongod.log"

    def claim(self, *, wait: bool = False) -> bool:
        """Make this process the one that serves the directory; ``False`` where another does."""
        self._make()
        file = self._open()
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            file.close()
            return False
        self._forget(_read(file)[1])
        self._file = file
        self.socket = self._place()
        file.seek(0)
        file.truncate()
        file.write(f"{os.getpid()}\n{self.socket}\n")
        file.flush()
        return True

    def claimant(self) -> tuple[int, str]:
        """Return process and socket of the service that holds the claim, 0 and "" if unknown."""
        with self._open() as file:
            return _read(file)

    def release(self) -> None:
        """Let another process serve the directory."""
        if self._file is not None:
            self._forget(self.socket)
            self._file.close()
            self._file = None

    def _make(self) -> None:
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.path.chmod(0o700)
        except OSError as error:
            raise ConfigurationError(self._unusable(error)) from error

    def _open(self) -> IO[str]:
        try:
            return (self.path / "service.lock").open("a+", encoding="utf-8")
        except OSError as error:
            raise ConfigurationError(self._unusable(error)) from error

    def _unusable(self, error: OSError) -> str:
        return (
            f"The directory {self.path} cannot be written ({error.strerror}); "
            "name another one in CALENDAR_DATA."
        )

    def _place(self) -> str:
        near = str(self.path / "mongod.sock")
        if _fits(near):
            return near
        parent = tempfile.gettempdir()
        parent = parent if _fits(f"{parent}/calendar-12345678/mongod.sock") else _SHORT
        return tempfile.mkdtemp(prefix="calendar-", dir=parent) + "/mongod.sock"

    def _forget(self, socket: str) -> None:
        """Remove ``socket`` and the short directory made for it."""
        if socket and Path(socket).parent != self.path:
            with suppress(OSError):
                Path(socket).unlink(missing_ok=True)
                Path(socket).parent.rmdir()


def _fits(path: str) -> bool:
    return len(os.fsencode(path)) <= _LONGEST and _PLAIN.fullmatch(path) is not None


def _read(file: IO[str]) -> tuple[int, str]:
    file.seek(0)
    process, socket, *_ = [*file.read().splitlines(), "", ""]
    return (int(process) if process.isdecimal() else 0), socket
