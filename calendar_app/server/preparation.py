"""Preparations of a master for its workers: socket, figures, database."""

import errno
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

import click

from calendar_app.errors import CalendarError, ConfigurationError, DatabaseDenies, Unavailable
from calendar_app.server.log_stream import count_lost_lines
from calendar_app.settings import Settings
from calendar_app.storage.embedded.mongod import how_it_ended
from calendar_app.storage.embedded.supervisor import OwnMongod, is_own, start_own_mongod
from calendar_app.storage.migrations import MIGRATIONS
from calendar_app.storage.mongo.connection import open_database, require_replica_set
from calendar_app.storage.mongo.migrating import Migrator
from calendar_app.storage.mongo.store import Store

BACKLOG = 1024
_UNIX = "unix:"
_LONGEST_WAIT = 3.0  # seconds; the workers of a master that was killed end within one
_BIND_POLL = 0.1  # seconds
_LAST_PORT = 65535
FIRST_INHERITED = 3  # SD_LISTEN_FDS_START of sd_listen_fds(3)


def open_listener(bind: str) -> socket.socket:
    """Return the socket that systemd has passed on, else one on ``HOST:PORT`` or ``unix:PATH``.

    Raises ``ConfigurationError`` where it cannot be had.
    """
    if os.environ.get("LISTEN_PID") == str(os.getpid()):
        return socket.socket(fileno=FIRST_INHERITED)
    if bind.startswith(_UNIX):
        return _open_unix(Path(bind.removeprefix(_UNIX)))
    host, port = _split(bind)
    until = time.monotonic() + _LONGEST_WAIT
    while True:
        try:
            return _open(host, port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > until:
                raise ConfigurationError(_refusal(host, port, error)) from error
        time.sleep(_BIND_POLL)


def origin_of(listener: socket.socket) -> str:
    """Return the address under which a browser on this machine reaches the service."""
    if listener.family == socket.AF_UNIX:
        return f"{_UNIX}{listener.getsockname()}"
    host, port = listener.getsockname()[:2]
    local = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not bound
    return f"http://[{local}]:{port}" if ":" in local else f"http://{local}:{port}"


def _split(bind: str) -> tuple[str, int]:
    host, separator, port = bind.rpartition(":")
    if not separator or not port.removeprefix("-").isdecimal():
        raise ConfigurationError(f"{bind} is no address; write HOST:PORT, as in 127.0.0.1:8000.")
    if not 0 <= int(port) <= _LAST_PORT:
        raise ConfigurationError(
            f"{port} is no port: they go from 0 to {_LAST_PORT}; choose one with --bind or PORT=."
        )
    return host.strip("[]"), int(port)


def _open(host: str, port: int) -> socket.socket:
    family, *_, address = socket.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.create_server(address[:2], family=family, backlog=BACKLOG)
    # Accepted sockets inherit it; else the last piece of a long body waits for a delayed ACK.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _open_unix(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    try:
        path.unlink(missing_ok=True)
        listener.bind(str(path))
        listener.listen(BACKLOG)
    except OSError as error:
        raise ConfigurationError(
            f"The service cannot listen on {path} ({error.strerror}); choose another with --bind."
        ) from error
    return listener


def _refusal(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} of {host} is in use; choose another one with --bind or PORT=."
    return (
        f"The service cannot listen on {host}:{port} ({error.strerror}); "
        "choose another address with --bind."
    )


# Where the workers leave the figures that ``GET /metrics`` adds up.

_DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
_PREFIX = "calendar-metrics-"
_MEMORY = "/dev/shm"  # noqa: S108 - a private directory is made there


def share_figures() -> str:
    """Set the directory of metrics in the environment of the workers; return it if new.

    One that the operator has named stays. One of another master of ours does not: that master
    removes it.
    """
    folder = os.environ.get(_DIRECTORY, _PREFIX)
    directory = ""
    if Path(folder).name.startswith(_PREFIX):
        # A process that maps a file dies where the disk of the file is full.
        memory = None if "TMPDIR" in os.environ or not os.access(_MEMORY, os.W_OK) else _MEMORY
        os.environ[_DIRECTORY] = directory = tempfile.mkdtemp(prefix=_PREFIX, dir=memory)
    count_lost_lines()
    return directory


def forget_figures(directory: str) -> None:
    """Remove the directory that ``share_figures`` has made."""
    if directory:
        shutil.rmtree(directory, ignore_errors=True)


# Gets the database ready for the service: our own mongod, or the one of the settings.

URI = "CALENDAR_MONGODB_URI"
# These make what is missing, but drop nothing that other instances and workers need.
INDEXES = ("indexes", "--keep")
DEMO = ("demo",)
_ERROR = "Error: "
_FORMAT_STAYS = (
    "The data keep their format, since processes of an earlier version run. Once they have ended, "
    "restart the service, or use: calendar-app migrate. Sources may wait until then."
)
_POLL = 1.0  # seconds


def own_mongod(settings: Settings) -> OwnMongod | None:
    """Start the embedded mongod, unless the settings name another; workers get its address.

    Raises ``ConfigurationError`` where it cannot be started.
    """
    # Behind a reload of gunicorn the address of our own is in the environment.
    if not is_own(settings.mongodb_uri, settings.data):
        return None
    mongod = start_own_mongod(settings.data, settings.mongod)
    os.environ[URI] = mongod.uri
    return mongod


def why_away(uri: str) -> str:
    """Return why the database cannot be reached; an empty text where it can.

    Raises ``DatabaseDenies`` where it refuses the service for good.
    """
    database = open_database(uri)
    with closing(database.client):
        try:
            require_replica_set(database)
        except DatabaseDenies:
            raise
        except Unavailable as error:
            return error.reason
    return ""


def prepare_database(
    uri: str, command: Sequence[str] = INDEXES, patience: float = 0
) -> tuple[str, str]:
    """Run a command of ours on the database; return why it is away, and the command's output.

    A database that is away, as during an election, is waited for ``patience`` seconds. Ends this
    process where the command fails otherwise, which has said why.
    """
    until, reported = time.monotonic() + patience, ""
    while True:
        away, output = why_away(uri), ""
        if not away:
            away, output = _run(command)
        if not away:
            _raise_format(uri)
        if not away or time.monotonic() > until:
            return away, output
        if away != reported:
            click.echo(f"{away} The start waits {patience} seconds at most.", err=True)
            reported = away
        time.sleep(_POLL)


def _raise_format(uri: str) -> None:
    """Raise the data format to that of this version, if no older process writes.

    The workers convert what is stored. A format that is not raised is no reason not to serve.
    """
    database = open_database(uri)
    with closing(database.client), suppress(CalendarError):
        migrator = Migrator(Store(database), MIGRATIONS)
        if migrator.can_raise() and not migrator.older_processes():
            migrator.raise_mark()
        if migrator.can_raise():
            click.echo(_FORMAT_STAYS, err=True)


def _run(command: Sequence[str]) -> tuple[str, str]:
    """Run a command of ours in a process of its own; return as ``prepare_database`` does."""
    process = subprocess.run(  # noqa: S603 - the command is our own
        _line(command),
        stdout=subprocess.PIPE,
        # A terminal shows how far it is. Else the command must not wait for who reads the log.
        stderr=None if sys.stderr.isatty() else subprocess.PIPE,
        text=True,
        check=False,
    )
    error = (process.stderr or "").removeprefix(_ERROR)
    if process.returncode == os.EX_TEMPFAIL:
        return error.strip() or Unavailable().reason, ""
    if process.stderr:
        click.echo(process.stderr, err=True, nl=False)
    if process.returncode < 0:
        click.echo(f"{_ERROR}The preparation {how_it_ended(process.returncode)}.", err=True)
    if process.returncode:
        raise SystemExit(1)
    return "", process.stdout.strip()


def start_command(command: Sequence[str]) -> subprocess.Popen[str]:
    """Start a command in a session of its own: Ctrl-C reaches only the master, which ends it."""
    return subprocess.Popen(  # noqa: S603 - the command is our own
        _line(command),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _line(command: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "calendar_app", *command]
