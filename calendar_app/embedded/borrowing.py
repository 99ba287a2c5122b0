"""Lends the mongod of a directory to a command that needs it for a while."""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from calendar_app.embedded.binary import find_mongod
from calendar_app.embedded.directory import DataDirectory
from calendar_app.embedded.replica_set import address, is_primary
from calendar_app.embedded.supervisor import OwnMongod
from calendar_app.errors import Unavailable

_GUESTS = "guests.lock"
_PATIENCE = 60  # seconds
_POLL = 0.1  # seconds


@contextmanager
def borrow_mongod(directory: str | Path, binary: str = "") -> Iterator[str]:
    """Lend the address of the mongod that runs on ``directory``, or of one for this block alone.

    A command that started it waits with ending it for other commands that have joined meanwhile.
    """
    place = DataDirectory(directory)
    with place.open(_GUESTS) as guests:
        if _joins(guests, place):
            yield _served(place)
        else:
            with _host(place, binary, guests) as uri:
                yield uri


def _joins(guests: IO[str], place: DataDirectory) -> bool:
    """Claim the directory, or become the guest of the process that has; say whether a guest.

    The place among the guests comes first: a host that has none may leave at any moment.
    """
    while True:
        joined = _sits_down(guests)
        if place.claim():
            return False
        if joined:
            return True
        time.sleep(_POLL)


def _sits_down(guests: IO[str]) -> bool:
    try:
        fcntl.flock(guests, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def _host(place: DataDirectory, binary: str, guests: IO[str]) -> Iterator[str]:
    try:
        own = OwnMongod(place, find_mongod(binary)).start()
    except BaseException:
        place.release()
        raise
    try:
        yield own.uri
    finally:
        fcntl.flock(guests, fcntl.LOCK_EX)
        own.stop()


def _served(place: DataDirectory) -> str:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        process, socket = place.claimant()
        if socket and is_primary(socket):
            return address(socket)
        time.sleep(_POLL)
    raise Unavailable(f"The database of process {process} does not answer.")
