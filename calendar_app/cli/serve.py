"""``calendar-app serve``: the workers under their master, and a mongod of our own."""

import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import click

from calendar_app.cli.database import settings_of
from calendar_app.cli.greeting import greeting
from calendar_app.demo.calendars import DEMO_SETTINGS
from calendar_app.server.listener import open_listener, origin_of
from calendar_app.server.log_stream import detach_log
from calendar_app.server.master import Master
from calendar_app.server.metrics import forget_figures, share_figures
from calendar_app.server.preparation import DEMO, INDEXES, own_mongod, prepare_database
from calendar_app.settings import Settings

_ADDRESS = "127.0.0.1:8000"
_CONFIGURING = {"CALENDAR_CONFIG", "CALENDAR_LANGUAGES"}
_AWAY = "Until it can, requests are answered with 503; then its indexes are made."
_NO_DEMO = "The demo calendar is not loaded then; calendar-app demo does that."


@click.command()
@click.option(
    "--bind",
    metavar="HOST:PORT",
    default=_ADDRESS,
    help=f"Where to listen, or unix:PATH; default {_ADDRESS}.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    envvar="WEB_CONCURRENCY",
    default=2,
    help="How many processes; default 2.",
)
@click.option("--demo", is_flag=True, help="Load the demo calendar into an empty database.")
@click.pass_context
def serve(context: click.Context, bind: str, workers: int, demo: bool) -> None:
    """Serve the calendar until Ctrl-C, with a mongod of our own unless a URI is set."""
    detach_log()
    if config := context.find_root().obj:
        os.environ["CALENDAR_CONFIG"] = str(config.absolute())
    elif demo and not _CONFIGURING & os.environ.keys():
        # The default site is in a language that no demo calendar has.
        os.environ["CALENDAR_CONFIG"] = str(DEMO_SETTINGS)
        click.echo(f"Other commands take the demo's settings with --config {DEMO_SETTINGS}")
    settings = settings_of(context)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, lambda *_: sys.exit(0))  # until the master heeds them
    with ExitStack() as stack:
        listener = stack.enter_context(_listening(bind))
        if mongod := own_mongod(settings):
            stack.callback(mongod.stop)
        if settings.metrics:
            stack.callback(forget_figures, share_figures())
        away, password = _prepare(mongod.uri if mongod else settings.mongodb_uri, demo=demo)
        master = Master(listener, workers, away)
        if not master.start():
            master.stop()
            sys.exit(1)
        _greet(settings, listener, password)
        master.run()


@contextmanager
def _listening(bind: str) -> Iterator[socket.socket]:
    listener = open_listener(bind)
    path = listener.getsockname() if listener.family == socket.AF_UNIX else ""
    try:
        yield listener
    finally:
        listener.close()
        if path:
            Path(path).unlink(missing_ok=True)


def _prepare(uri: str, *, demo: bool) -> tuple[str, str]:
    """Return why the database is away, else prepare it.

    Then the second value is the password of a new demo calendar.
    """
    away, output = prepare_database(uri, DEMO if demo else INDEXES)
    if away:
        click.echo(f"{away} {_AWAY}{f' {_NO_DEMO}' if demo else ''}", err=True)
    return away, output if demo else ""


def _greet(settings: Settings, listener: socket.socket, password: str) -> None:
    today = datetime.now(UTC).astimezone(ZoneInfo(settings.timezone)).date()
    click.echo(greeting(settings, origin_of(listener), password, today))
