"""Supervises a mongod of our own, and lends it to commands."""

import fcntl
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Self
from urllib.parse import quote, unquote

from pymongo import MongoClient
from pymongo.errors import OperationFailure, PyMongoError

from calendar_app.errors import ConfigurationError, Unavailable
from calendar_app.storage.embedded import mongod
from calendar_app.storage.embedded.directory import DataDirectory, make_room
from calendar_app.storage.embedded.mongod import REPLICA_SET, find_mongod
from calendar_app.storage.mongo.connection import DATABASE_NAME, Database, open_database
from calendar_app.storage.mongo.last_write import share_last_write

# A mongod that just started becomes the primary of a replica set of its own.

_LONGEST_START = 60  # seconds; after a crash mongod replays its journal first
_POLL = 0.02  # seconds
_NOT_YET_INITIALIZED = 94
_LAST_WRITE = "last-write"

StillWanted = Callable[[], bool]


def address(path: str) -> str:
    """Return the URI of the replica set behind the socket at ``path``."""
    return f"mongodb://{quote(path, safe='')}/{DATABASE_NAME}?replicaSet={REPLICA_SET}"


def make_primary(path: str, still_wanted: StillWanted) -> None:
    """Wait until the mongod behind the socket at ``path`` can be written.

    ``Unavailable`` where ``still_wanted`` says no meanwhile, or where it takes a minute.
    """
    until = time.monotonic() + _LONGEST_START
    _wait(lambda: _listens(path), still_wanted, until)
    _wait(lambda: _has_configuration(path), still_wanted, until)
    _wait(lambda: is_primary(path), still_wanted, until)


def wait_until_primary(path: str, still_wanted: StillWanted) -> None:
    """Wait until somebody else has made it that, as ``make_primary`` waits."""
    _wait(lambda: is_primary(path), still_wanted, time.monotonic() + _LONGEST_START)


def is_primary(path: str) -> bool:
    """Say whether the mongod behind the socket can be written."""
    try:
        with _client(path) as client:
            return bool(client.admin.command("hello")["isWritablePrimary"])
    except PyMongoError:
        return False


def _wait(is_ready: Callable[[], bool], still_wanted: StillWanted, until: float) -> None:
    while not is_ready():
        if not still_wanted() or time.monotonic() > until:
            raise Unavailable("The mongod does not start.")
        time.sleep(_POLL)


def _listens(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(path) == 0


def _has_configuration(path: str) -> bool:
    """Give the set its configuration: this mongod alone, under the path it has at present."""
    try:
        with _client(path) as client:
            _configure(client, path)
    except PyMongoError:
        # It still reads its configuration, or has been given one at the same moment.
        return False
    return True


def _configure(client: MongoClient[dict[str, Any]], path: str) -> None:
    alone = {"_id": REPLICA_SET, "members": [{"_id": 0, "host": path}]}
    try:
        present = client.admin.command("replSetGetConfig")["config"]
    except OperationFailure as error:
        if error.code != _NOT_YET_INITIALIZED:
            raise
        client.admin.command("replSetInitiate", alone)
        return
    if [member["host"] for member in present["members"]] != [path]:
        moved = present | {"version": present["version"] + 1, "members": alone["members"]}
        client.admin.command("replSetReconfig", moved, force=True)


def _client(path: str) -> MongoClient[dict[str, Any]]:
    """Connect anew: a connection made before the set has a primary never gets sessions."""
    return MongoClient(
        f"mongodb://{quote(path, safe='')}/?directConnection=true",
        serverSelectionTimeoutMS=2000,
        socketTimeoutMS=10_000,
    )


# The mongod of a service.

_PAUSE = 1.0  # seconds between attempts to start it again
_LOOK = 1.0  # seconds between two looks at its socket

_log = logging.getLogger(__name__)


class OwnMongod:
    """A mongod of the process that claims its directory; it is restarted when it dies."""

    def __init__(self, directory: DataDirectory, binary: Path) -> None:
        self._directory = directory
        self._binary = binary
        self._process: mongod.Process | None = None
        self._unwanted = threading.Event()
        self._changing = threading.Lock()
        self._serves = False

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
        for watch in (self._watch, self._watch_socket):
            threading.Thread(target=watch, name="mongod", daemon=True).start()
        return self

    def wait_until_primary(self) -> None:
        """Wait until it accepts writes; raise ``Unavailable`` after a minute."""
        wait_until_primary(self._directory.socket, lambda: not self._unwanted.is_set())

    def stop(self) -> None:
        """End it cleanly and let others have the directory."""
        self._unwanted.set()
        with self._changing:
            if self._process is not None:
                mongod.end(self._process)
        self._directory.release()

    def _watch(self) -> None:
        while not self._unwanted.is_set():
            if self._process is not None:
                self._process.wait()
            # After ``stop`` the directory may be anyone's, or gone.
            if not self._unwanted.is_set():
                path = self._directory.path
                reason = mongod.why_ended(self._process, self._directory) if self._process else ""
                _log.warning("The mongod on %s ended (%s) and is started again.", path, reason)
                self._directory.count_restart()
                self._start_again()

    def _watch_socket(self) -> None:
        """End a mongod that has lost its socket, so that it starts again with a new one.

        Something that cleans directories may remove it. Then nobody can connect any more.
        """
        while not self._unwanted.wait(_LOOK):
            with self._changing:
                is_gone = self._serves and not Path(self._directory.socket).exists()
                if is_gone and self._process and not self._unwanted.is_set():
                    _log.warning("The socket %s has vanished.", self._directory.socket)
                    self._serves = False
                    mongod.end(self._process)

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
        mongod.end_survivor(self._directory)
        with self._changing:
            if self._unwanted.is_set():
                return
            self._serves = False
            make_room(self._directory.socket)
            self._process = running = mongod.start(self._binary, self._directory)
        try:
            make_primary(self._directory.socket, lambda: self._may_become_primary(running))
        except Unavailable as error:
            raise ConfigurationError(
                f"The mongod on {self._directory.path} does not start: "
                f"{mongod.why_ended(running, self._directory)}; see {self._directory.log}."
            ) from error
        self._serves = True

    def _may_become_primary(self, running: mongod.Process) -> bool:
        return running.poll() is None and not self._unwanted.is_set()


@contextmanager
def open_own_mongod(directory: str | Path, binary: str = "") -> Iterator[OwnMongod]:
    """Run a mongod on ``directory`` and end it at the end of the block.

    ``binary`` is the program to start; empty: the one on PATH, else the extra's. Raises
    ``ConfigurationError`` where there is none, or where the directory cannot be used.
    """
    mongod_run = start_own_mongod(directory, binary)
    try:
        yield mongod_run
    finally:
        mongod_run.stop()


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
    """Return whether ``uri`` names the calendar in the embedded mongod of ``directory``.

    An empty one does too; the name of another database makes it a foreign one.
    """
    host, _, rest = uri.removeprefix("mongodb://").partition("/")
    name = rest.partition("?")[0] or DATABASE_NAME
    is_socket = name == DATABASE_NAME and unquote(host).startswith("/")
    return not uri or (is_socket and unquote(host) == DataDirectory(directory).socket)


def open_calendar(uri: str, directory: str | Path, *, own: bool, **options: Any) -> Database:
    """Open a database; that of our ``own`` mongod with the file of its last write.

    Every process on the same ``directory`` then knows at once what another one writes.
    """
    database = open_database(uri, **options)
    if own:
        share_last_write(database, DataDirectory(directory).path / _LAST_WRITE)
    return database


# The mongod of a directory, for a command that needs it for a while.

_GUESTS = "guests.lock"
_LENDING_POLL = 0.1  # seconds


@contextmanager
def borrow_mongod(directory: str | Path, binary: str = "") -> Iterator[str]:
    """Yield the address of the mongod that runs on ``directory``, else of one for this block.

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
        time.sleep(_LENDING_POLL)


def _sits_down(guests: IO[str]) -> bool:
    try:
        fcntl.flock(guests, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def _host(place: DataDirectory, binary: str, guests: IO[str]) -> Iterator[str]:
    try:
        mongod_run = OwnMongod(place, find_mongod(binary)).start()
    except BaseException:
        place.release()
        raise
    try:
        yield mongod_run.uri
    finally:
        fcntl.flock(guests, fcntl.LOCK_EX)
        mongod_run.stop()


def _served(place: DataDirectory) -> str:
    until = time.monotonic() + _LONGEST_START
    while time.monotonic() < until:
        process, socket = place.claimant()
        if socket and is_primary(socket):
            return address(socket)
        time.sleep(_LENDING_POLL)
    raise Unavailable(f"The database of process {process} does not answer.")
