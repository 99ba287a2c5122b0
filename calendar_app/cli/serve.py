"""``calendar-app serve``: the workers under their master, and a mongod of our own."""

import json
import os
import shlex
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import click

from calendar_app.cli.database import settings_of
from calendar_app.cli.demo.calendars import DEMO_SETTINGS
from calendar_app.cli.demo.hourly import (
    begin_again,
    require_passing_demo,
    seconds_left,
    spare_of,
    temporary_data,
)
from calendar_app.server.jobs_process import JobsProcess
from calendar_app.server.log_stream import detach_log
from calendar_app.server.master import Master
from calendar_app.server.preparation import (
    DEMO,
    INDEXES,
    forget_figures,
    open_listener,
    origin_of,
    own_mongod,
    prepare_database,
    share_figures,
)
from calendar_app.settings import Settings

# The message that says how to use a service that is ready.

_USER = "admin"
_UNKNOWN = "PASSWORD"


def greeting(settings: Settings, origin: str, password: str, today: date) -> str:
    """Return addresses to open and commands to paste; ``password`` is empty if it is not new."""
    site = settings.site_url.rstrip("/") or origin
    events = f"{site}{settings.api_prefix}/{settings.namespace}/events"
    lines = [
        f"{settings.site_name} is ready.",
        *([f"  Calendar:  {site}/"] if settings.pages else []),
        *([f"  Desk:      {site}/desk/"] if settings.desk else []),
        f"  Events:    {events}",
        f"  Interface: {site}/doc",
        *([f"  The password of {_USER}, shown only once: {password}"] if password else []),
        "Read events:",
        f"  curl {shlex.quote(f'{events}?per_page=3')}",
        "Create one:",
        f"  {_creating(events, password or _UNKNOWN, today)}",
    ]
    return "\n".join(lines)


def _creating(events: str, password: str, today: date) -> str:
    day = today + timedelta(days=1)
    event = {
        "title": "A first event",
        "start_date": f"{day} 19:00:00",
        "end_date": f"{day} 21:00:00",
        "status": "publish",
    }
    credentials = shlex.quote(f"{_USER}:{password}")
    header = "-H 'Content-Type: application/json'"
    return f"curl -u {credentials} {header} -d {shlex.quote(json.dumps(event))} {events}"


# The command.

_ADDRESS = "127.0.0.1:8000"
_CONFIGURING = {"CALENDAR_CONFIG", "CALENDAR_LANGUAGES"}
_AWAY = "Until it can, requests are answered with 503; then its indexes are made."
_NO_DEMO = "The demo calendar is not loaded then; calendar-app demo does that."


@click.command()
@click.option(
    "--bind",
    metavar="HOST:PORT",
    default=_ADDRESS,
    help=f"The address to listen on, or unix:PATH; default {_ADDRESS}.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    envvar="WEB_CONCURRENCY",
    default=2,
    help="How many processes; default 2.",
)
@click.option("--demo", is_flag=True, help="Load the demo calendar into an empty database.")
@click.option("--reset", type=click.Choice(["hourly"]), hidden=True)
@click.option(
    "--jobs/--no-jobs",
    default=True,
    help="Run the scheduled work in a process of its own, or in a worker.",
)
@click.pass_context
def serve(  # noqa: PLR0913 - one for each option
    context: click.Context, *, bind: str, workers: int, demo: bool, reset: str | None, jobs: bool
) -> None:
    """Serve the calendar until Ctrl-C, with a mongod of its own unless a URI is set."""
    detach_log()
    if config := context.find_root().obj:
        os.environ["CALENDAR_CONFIG"] = str(config.absolute())
    elif demo and not _CONFIGURING & os.environ.keys():
        # The default site is in a language that no demo calendar has.
        os.environ["CALENDAR_CONFIG"] = str(DEMO_SETTINGS)
        click.echo(f"Other commands take the demo's settings with --config {DEMO_SETTINGS}")
    settings = settings_of(context)
    if reset:
        require_passing_demo(settings, demo=demo)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, lambda *_: sys.exit(0))  # until the master heeds them
    with ExitStack() as stack:
        listener = stack.enter_context(_listening(bind))
        if reset:
            stack.enter_context(temporary_data())
            settings = settings_of(context)
        away, password = _prepare_all(stack, settings, demo=demo)
        has_jobs = jobs and settings.publish_interval
        master = Master(listener, workers, away, jobs=JobsProcess() if has_jobs else None)
        if not master.start():
            master.stop()
            sys.exit(1)
        _greet(settings, listener, password)
        if reset:
            spare = spare_of(listener)
            signal.alarm(seconds_left())
        ending = master.run()
    if reset and ending == signal.SIGALRM:
        begin_again(spare, password)


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


def _prepare_all(stack: ExitStack, settings: Settings, *, demo: bool) -> tuple[str, str]:
    """Get figures and database ready until the end of ``stack``; return as ``_prepare`` does."""
    if settings.metrics:
        stack.callback(forget_figures, share_figures())
    if mongod := own_mongod(settings):
        stack.callback(mongod.stop)
    return _prepare(mongod.uri if mongod else settings.mongodb_uri, demo=demo)


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
