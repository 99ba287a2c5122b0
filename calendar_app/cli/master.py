"""What gunicorn's master does besides minding its workers: it sees to the database."""

import os
from contextlib import closing

import click
from gunicorn.arbiter import Arbiter

from calendar_app.cli.bindable import require_bindable
from calendar_app.cli.wording import in_one_line
from calendar_app.errors import CalendarError, Unavailable
from calendar_app.settings import Settings
from calendar_app.storage.connection import open_database
from calendar_app.storage.embedded.supervisor import (
    inherit_own_mongod,
    own_address,
    start_own_mongod,
)
from calendar_app.storage.topology import require_replica_set

_URI = "CALENDAR_MONGODB_URI"
# In the environment of a master that was started by another one, on SIGUSR2, to replace it.
_REPLACING = "GUNICORN_PID"


def on_starting(server: Arbiter) -> None:
    """Start a mongod of our own, or see that the one of the settings will do.

    The workers find it in the environment. The supervisor stays with the master, since SIGHUP
    runs the configuration file again.
    """
    try:
        _prepare(server)
    except CalendarError as error:
        # gunicorn would answer with a traceback, and calls on_exit only after a whole start.
        click.echo(f"Error: {in_one_line(error)}", err=True)
        raise SystemExit(1) from error


def on_exit(server: Arbiter) -> None:
    """End our own mongod, after the last worker."""
    if server.supervisor is not None:
        server.supervisor.stop()


def replaces_another() -> bool:
    """Say whether this process takes over from another master that still runs."""
    return _REPLACING in os.environ


def _prepare(server: Arbiter) -> None:
    server.supervisor = None
    settings = Settings.load()
    if not replaces_another():
        require_bindable(server.address)
    # After SIGHUP a new master finds in its environment what this one puts there.
    if settings.mongodb_uri not in ("", own_address(settings.data)):
        _require_replica_set(settings.mongodb_uri)
        return
    keep = inherit_own_mongod if replaces_another() else start_own_mongod
    server.supervisor = keep(settings.data, settings.mongod)
    os.environ[_URI] = server.supervisor.uri


def _require_replica_set(uri: str) -> None:
    database = open_database(uri)
    with closing(database.client):
        try:
            require_replica_set(database)
        except Unavailable as error:
            click.echo(f"{error.reason} Until it can, requests are answered with 503.", err=True)
