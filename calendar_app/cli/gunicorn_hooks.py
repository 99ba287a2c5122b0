"""Hooks of gunicorn's master: start, watch and stop the own mongod."""

import gc

import click
from gunicorn.arbiter import Arbiter
from gunicorn.workers.base import Worker

from calendar_app.cli.database import sensible_settings
from calendar_app.cli.main import in_one_line
from calendar_app.errors import CalendarError
from calendar_app.server.preparation import (
    forget_figures,
    own_mongod,
    prepare_database,
    share_figures,
)
from calendar_app.storage.embedded.launch import end_with_parent

_AWAY = "Until it can, requests are answered with 503; then make its indexes: calendar-app indexes."

_ELECTION = 30  # seconds; a replica set commonly has a new primary within twelve


def on_starting(server: Arbiter) -> None:
    """Start a mongod of our own unless the settings name one; make the indexes.

    The supervisor stays with the master, since SIGHUP runs the configuration file again.
    """
    server.supervisor, server.figures = None, ""
    try:
        _prepare(server)
    except BaseException as error:
        on_exit(server)  # gunicorn calls it only after a whole start
        if isinstance(error, CalendarError):
            click.echo(f"Error: {in_one_line(error)}", err=True)
            raise SystemExit(1) from error
        raise


def post_fork(_server: Arbiter, worker: Worker) -> None:
    """Let a worker end with its master, also where that was killed.

    It collects no garbage before it serves: that would make its start a fifth longer.
    """
    end_with_parent(worker.ppid)
    gc.disable()


def post_worker_init(_worker: Worker) -> None:
    """Collect garbage again once the application is there."""
    gc.enable()


def on_exit(server: Arbiter) -> None:
    """End our own mongod, after the last worker."""
    forget_figures(server.figures)
    if server.supervisor is not None:
        server.supervisor.stop()


def _prepare(server: Arbiter) -> None:
    settings = sensible_settings()
    if settings.metrics:
        server.figures = share_figures()
    server.supervisor = own_mongod(settings)
    own = server.supervisor
    away, _ = prepare_database(own.uri if own else settings.mongodb_uri, patience=_ELECTION)
    if away:
        click.echo(f"{away} {_AWAY}", err=True)
