"""Where the workers leave the figures that ``GET /metrics`` adds up."""

import os
import shutil
import tempfile
from functools import cache
from importlib import import_module
from pathlib import Path

from calendar_app.server.log_stream import count_dropped_lines

_DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
_PREFIX = "calendar-metrics-"
_MEMORY = "/dev/shm"  # noqa: S108 - a private directory is made there


def share_figures() -> str:
    """Name a directory in the environment of the workers; return it if it is a new one.

    One that the operator has named stays. One of another master of ours does not: that master
    removes it.
    """
    named = os.environ.get(_DIRECTORY, _PREFIX)
    directory = ""
    if Path(named).name.startswith(_PREFIX):
        # A process that maps a file dies where the disk of the file is full.
        memory = None if "TMPDIR" in os.environ or not os.access(_MEMORY, os.W_OK) else _MEMORY
        os.environ[_DIRECTORY] = directory = tempfile.mkdtemp(prefix=_PREFIX, dir=memory)
    count_lost_lines()
    return directory


@cache
def count_lost_lines() -> None:
    """Count the lines of the log that this process and its forks drop."""
    # The library decides as it is imported whether processes share their figures.
    prometheus = import_module("prometheus_client")
    counter = prometheus.Counter(
        "calendar_log_lines_dropped_total", "Lines of the log that nobody took."
    )
    count_dropped_lines(counter.inc)


def forget_figures(directory: str) -> None:
    """Remove the directory that ``share_figures`` has made."""
    if directory:
        shutil.rmtree(directory, ignore_errors=True)
