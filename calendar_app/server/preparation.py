"""Gets the database ready for the service: our own mongod, or the one of the settings."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing

import click

from calendar_app.embedded.process import how_it_ended
from calendar_app.embedded.supervisor import OwnMongod, is_own, start_own_mongod
from calendar_app.errors import DatabaseDenies, Unavailable
from calendar_app.mongo.connection import open_database, require_replica_set
from calendar_app.settings import Settings

URI = "CALENDAR_MONGODB_URI"
# These make what is missing, but drop nothing that other instances and workers need.
INDEXES = ("indexes", "--keep")
DEMO = ("demo",)
_ERROR = "Error: "
_POLL = 1.0  # seconds


def own_mongod(settings: Settings) -> OwnMongod | None:
    """Start a mongod of our own, unless the settings name another one; workers find its address.

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
    until, told = time.monotonic() + patience, ""
    while True:
        away, output = why_away(uri), ""
        if not away:
            away, output = _run(command)
        if not away or time.monotonic() > until:
            return away, output
        if away != told:
            click.echo(f"{away} The start waits {patience} seconds at most.", err=True)
            told = away
        time.sleep(_POLL)


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
    """Start a command of ours in a session of its own: Ctrl-C is for the master, which ends it."""
    return subprocess.Popen(  # noqa: S603 - the command is our own
        _line(command),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _line(command: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "calendar_app", *command]
