"""A public demo that begins again at each full hour; it ends with the next version.

Systemd can restart a service on fresh data, so that the service need not do it.
"""

import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Never

import click

from calendar_app.cli.demo.calendars import PASSWORD
from calendar_app.server.preparation import FIRST_INHERITED, URI
from calendar_app.settings import Settings

_HOUR = 3600  # seconds
_ENDING = (
    "The option --reset ends with the next version; "
    "systemd can restart a demo instead, as the page of commands shows."
)


def require_passing_demo(settings: Settings, *, demo: bool) -> None:
    """Refuse to reset anything else than a demo; say that the option ends."""
    click.echo(_ENDING, err=True)
    if not demo:
        raise click.UsageError("--reset is for --demo: it throws all events away.")
    if settings.mongodb_uri:
        raise click.UsageError("--reset takes no mongodb_uri: it begins a database of its own.")


@contextmanager
def temporary_data() -> Iterator[None]:
    """Set a new data directory in the environment, and remove it at the end."""
    with TemporaryDirectory(prefix="calendar-demo-", ignore_cleanup_errors=True) as directory:
        os.environ["CALENDAR_DATA"] = directory
        yield


def seconds_left() -> int:
    """Return the time until the next full hour."""
    return _HOUR - int(time.time()) % _HOUR


def spare_of(listener: socket.socket) -> int:
    """Return a descriptor that outlasts ``listener``; 0 for a path, which is bound again.

    ``listener.dup()`` would let the workers block, since the open file is theirs too.
    """
    return 0 if listener.family == socket.AF_UNIX else os.dup(listener.fileno())


def begin_again(spare: int, password: str) -> Never:
    """Replace this process with a new one on the same socket, where requests wait meanwhile."""
    for name in (URI, "LISTEN_PID"):
        os.environ.pop(name, None)
    if password:  # else no demo could be loaded
        os.environ[PASSWORD] = password
    if spare:
        os.environ["LISTEN_PID"] = str(os.getpid())
        os.dup2(spare, FIRST_INHERITED)
        os.close(spare)
    os.execv(sys.executable, [sys.executable, "-m", "calendar_app", *sys.argv[1:]])  # noqa: S606
