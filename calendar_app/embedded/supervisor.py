"""Supervises an embedded mongod."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from calendar_app.embedded import process
from calendar_app.embedded.binary import find_mongod
from calendar_app.embedded.directory import DataDirectory
from calendar_app.embedded.replica_set import address, make_primary, wait_until_primary
from calendar_app.errors import ConfigurationError, Unavailable

_PAUSE = 1.0  # seconds between attempts to start it again

_log = logging.getLogger(__name__)


class OwnMongod:
    """A mongod of the process that claims its directory; it is restarted when it dies."""

    def __init__(self, directory: DataDirectory, binary: Path) -> None:
        self._directory = directory
        self._binary = binary
        self._process: process.Process | None = None
        self._unwanted = threading.Event()
        self._changing = threading.Lock()

    @property
    def uri(self) -> str:
        return address(self._directory.socket)

    def start(self) -> Self:
        """Start it and wait until it can be written; ``ConfigurationError`` where it cannot."""
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        threading.Thread(target=self._watch, name="mongod", daemon=True).start()
        return self

    def wait_until_primary(self) -> None:
        """Wait until it accepts writes; raise ``Unavailable`` after a minute."""
        wait_until_primary(self._directory.socket, lambda: not self._unwanted.is_set())

    def stop(self) -> None:
        """End it cleanly and let others have the directory."""
        self._unwanted.set()
        with self._changing:
            if self._process is not None:
                process.end(self._process)
        self._directory.release()

    def _watch(self) -> None:
        while not self._unwanted.is_set():
            reason = ""
            if self._process is not None:
                self._process.wait()
                reason = process.why_ended(self._process, self._directory)
            if not self._unwanted.is_set():
                path = self._directory.path
                _log.warning("The mongod on %s ended (%s) and is started again.", path, reason)
                self._directory.count_restart()
                self._start_again()

    def _start_again(self) -> None:
        last = ""
        while not self._unwanted.is_set():
            try:
                self._start()
            except (ConfigurationError, OSError) as error:
                if str(error) != last:
                    _log.error("%s It is tried again and again.", error)
                last = str(error)
                self._unwanted.wait(_PAUSE)
            else:
                return

    def _start(self) -> None:
        process.end_survivor(self._directory)
        with self._changing:
            if self._unwanted.is_set():
                return
            self._process = running = process.start(self._binary, self._directory)
        try:
            make_primary(self._directory.socket, lambda: self._may_become_primary(running))
        except Unavailable as error:
            raise ConfigurationError(
                f"The mongod on {self._directory.path} does not start: "
                f"{process.why_ended(running, self._directory)}; see {self._directory.log}."
            ) from error

    def _may_become_primary(self, running: process.Process) -> bool:
        return running.poll() is None and not self._unwanted.is_set()


@contextmanager
def open_own_mongod(directory: str | Path, binary: str = "") -> Iterator[OwnMongod]:
    """Run a mongod on ``directory`` and end it at the end of the block.

    ``binary`` is the program to start; empty: the one on PATH, else the extra's. Raises
    ``ConfigurationError`` where there is none, or where the directory cannot be used.
    """
    own = start_own_mongod(directory, binary)
    try:
        yield own
    finally:
        own.stop()


def start_own_mongod(directory: str | Path, binary: str = "") -> OwnMongod:
    """Start a mongod on ``directory`` that runs until it is stopped, or this process ends."""
    path = find_mongod(binary)
    place = DataDirectory(directory)
    if not place.claim():
        raise ConfigurationError(
            f"The directory {place.path} is in use by process {place.claimant()[0]}; "
            "stop it, or name another directory in CALENDAR_DATA."
        )
    return OwnMongod(place, path).start()


def is_own(uri: str, directory: str | Path) -> bool:
    """Say whether ``uri`` names a mongod of our own on ``directory``, as none at all does."""
    return uri in ("", address(DataDirectory(directory).socket))
