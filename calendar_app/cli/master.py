"""What gunicorn's master does besides minding its workers: it sees to the database."""

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing

import click
from gunicorn.arbiter import Arbiter

from calendar_app.cli.arenas import share_one_arena
from calendar_app.cli.bindable import require_bindable
from calendar_app.cli.configuration import sensible_settings
from calendar_app.cli.forking import heed_the_end_from_the_start
from calendar_app.cli.metrics import forget_figures, share_figures
from calendar_app.cli.reloading import INDEXES, Reloading
from calendar_app.cli.wording import in_one_line
from calendar_app.errors import CalendarError, DatabaseDenies, Unavailable
from calendar_app.settings import Settings
from calendar_app.storage.connection import open_database
from calendar_app.storage.embedded.supervisor import (
    inherit_own_mongod,
    is_own,
    start_own_mongod,
)
from calendar_app.storage.topology import require_replica_set

_URI = "CALENDAR_MONGODB_URI"
# In the environment of a master that was started by another one, on SIGUSR2, to replace it.
_REPLACING = "GUNICORN_PID"
_AWAY = "Until it can, requests are answered with 503; then its indexes are made."
_NO_DEMO = "The demo calendar is not loaded then; calendar-app demo does that."
_DEMO = ("demo",)
# The first may meet a mongod that has begun to end.
_REPETITIONS = 2


def on_starting(server: Arbiter) -> None:
    """Start a mongod of our own, or see that the one of the settings will do.

    The workers find it in the environment. The supervisor stays with the master, since SIGHUP
    runs the configuration file again.
    """
    prepare(server)


def on_exit(server: Arbiter) -> None:
    """End our own mongod, after the last worker."""
    if server.reloading is not None:
        server.reloading.stop()
    forget_figures(server.figures)
    if server.supervisor is not None:
        server.supervisor.stop()


def replaces_another() -> bool:
    """Say whether this process was started to take over from another master."""
    return _REPLACING in os.environ


def prepare(server: Arbiter, *, demo: bool = False) -> str:
    """Get the database ready, with the ``demo`` calendar if it is to be loaded into an empty one.

    Return the password of the administrator of a demo calendar that has been loaded, else nothing.
    Where anything is refused, end the process after one line on standard error.
    """
    server.supervisor, server.reloading, server.figures = None, None, ""
    share_one_arena()
    heed_the_end_from_the_start()
    try:
        settings = sensible_settings()
        if settings.metrics:
            server.figures = share_figures()
        away = _find_database(server, settings)
        if away:
            _tell_away(away, demo=demo)
        told = "" if away else _run(server, _DEMO if demo else INDEXES)
        server.reloading = Reloading(server, away)
    except BaseException as error:
        # gunicorn calls on_exit only after a whole start.
        on_exit(server)
        if isinstance(error, CalendarError):
            click.echo(f"Error: {in_one_line(error)}", err=True)
            raise SystemExit(1) from error
        raise
    return told if demo else ""


def _find_database(server: Arbiter, settings: Settings) -> str:
    """Start or inherit our own mongod, or say why that of the settings is away, if it is."""
    if not replaces_another():
        require_bindable(server.address)
    # After SIGHUP a new master finds in its environment what this one puts there.
    if not is_own(settings.mongodb_uri, settings.data):
        return _why_away(settings.mongodb_uri)
    keep = inherit_own_mongod if replaces_another() else start_own_mongod
    server.supervisor = keep(settings.data, settings.mongod)
    os.environ[_URI] = server.supervisor.uri
    return ""


def _why_away(uri: str) -> str:
    database = open_database(uri)
    with closing(database.client):
        try:
            require_replica_set(database)
        except DatabaseDenies:
            raise
        except Unavailable as error:
            return error.reason
    return ""


def _tell_away(away: str, *, demo: bool) -> None:
    """Say why the database is away, and what is put off or left out for that."""
    missed = f" {_NO_DEMO}" if demo else ""
    click.echo(f"{away} {_AWAY}{missed}", err=True)


def _run(server: Arbiter, command: Sequence[str]) -> str:
    """Run a command of ours; return what it prints.

    A master that is being replaced may end at any moment, and its mongod with it. What failed may
    have failed for that, so it is done again on the mongod that follows.
    """
    done = _attempt(command)
    inherits = replaces_another() and server.supervisor is not None
    for _ in range(_REPETITIONS if inherits else 0):
        if done.returncode:
            server.supervisor.wait_until_primary()
            done = _attempt(command)
    if done.returncode:
        raise SystemExit(done.returncode)  # It has said why.
    return done.stdout.strip()


def _attempt(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own.

    The workers inherit what the master has imported; so it imports nothing of the application.
    """
    return subprocess.run(  # noqa: S603 - the command is our own
        [sys.executable, "-m", "calendar_app", *command],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
