"""``jobs``: does the scheduled work in a process of its own."""

import os
import signal
import sys
import threading

import click

from calendar_app.app import create_app
from calendar_app.background import BackgroundWork, background_loops
from calendar_app.cli.database import opened_store
from calendar_app.cli.maintenance import settings_for_application
from calendar_app.errors import ConfigurationError
from calendar_app.plugins.installed import configured_plugins
from calendar_app.server.jobs_process import IDLE
from calendar_app.server.log_stream import detach_log
from calendar_app.storage.embedded.launch import end_with_parent

_ENDING = (signal.SIGTERM, signal.SIGINT)
_NEVER = "publish_interval is 0, so that no work is scheduled; set it, or leave jobs out."
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
    end = threading.Event()
    for number in _ENDING:
        signal.signal(number, lambda *_: end.set())
    with opened_store(settings) as store:
        plugins = configured_plugins(settings)
        app = create_app(settings, store.database)
        loops = background_loops(app, store, plugins, seconds=settings.publish_interval)
        if not parent:
            click.echo("Doing the scheduled work until Ctrl-C.")
        BackgroundWork(store, loops).run(end, lambda: click.echo(_WAITING, err=True))
        for number in _ENDING:  # Who is tired of waiting for other commands asks again.
            signal.signal(number, signal.SIG_DFL)
    # A reading that is under way would hold the process up; the next one goes on where it was.
    os._exit(os.EX_OK)
