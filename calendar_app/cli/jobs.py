"""``jobs``: does the scheduled work in a process of its own."""

import os
import signal
import sys
import threading

import click

from calendar_app.app import create_app
from calendar_app.assembly.background import BackgroundWork, background_loops
from calendar_app.assembly.plugins import configured_plugins
from calendar_app.cli.database import opened_store
from calendar_app.cli.maintenance import settings_for_application
from calendar_app.errors import ConfigurationError
from calendar_app.server.jobs_process import IDLE
from calendar_app.server.log_stream import detach_log
from calendar_app.server.preparation import why_away
from calendar_app.storage.embedded.launch import end_with_parent

_RETRY_DELAY = 10.0  # seconds
_NEVER = "publish_interval is 0, so that no work is scheduled; set it, or leave jobs out."
# It would hold the data directory, so that the service could not start beside it.
_OWN_MONGOD = (
    "A service with a mongod of its own does its scheduled work itself; "
    "set mongodb_uri to do it here."
)
_WAITING = "Another process does the scheduled work; this one takes over when that ends."


@click.command()
@click.option("--parent", type=int, hidden=True, help="The process with which this one ends.")
@click.pass_context
def jobs(context: click.Context, parent: int | None) -> None:
    """Do the scheduled work until Ctrl-C: publishing, readings, deliveries, letters."""
    if parent:
        end_with_parent(parent)
        detach_log()
    settings = settings_for_application(context)
    if not settings.publish_interval:
        if parent:  # a reload has changed the settings
            sys.exit(IDLE)
        raise ConfigurationError(_NEVER)
    if not settings.mongodb_uri:
        raise ConfigurationError(_OWN_MONGOD)
    end = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: end.set())
    while parent and not end.is_set() and why_away(settings.mongodb_uri):
        end.wait(_RETRY_DELAY)  # The workers have reported it.
    if end.is_set():
        return
    with opened_store(settings) as store:
        plugins = configured_plugins(settings)
        app = create_app(settings, store.database)
        loops = background_loops(app, store, plugins, seconds=settings.publish_interval)
        if not parent:
            click.echo("Doing the scheduled work until Ctrl-C.")
        BackgroundWork(store, loops).run(end, lambda: click.echo(_WAITING, err=True))
    # A reading that is under way would hold the process up; the next one goes on where it was.
    os._exit(os.EX_OK)
