"""Where the workers leave the figures that ``GET /metrics`` adds up."""

import os
import shutil
import tempfile
from pathlib import Path

_DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
_PREFIX = "calendar-metrics-"


def share_figures() -> str:
    """Name a directory in the environment of the workers; return it if it is a new one.

    One that the operator has named stays. One of another master of ours does not: that master
    removes it.
    """
    if not Path(os.environ.get(_DIRECTORY, _PREFIX)).name.startswith(_PREFIX):
        return ""
    os.environ[_DIRECTORY] = tempfile.mkdtemp(prefix=_PREFIX)
    return os.environ[_DIRECTORY]


def forget_figures(directory: str) -> None:
    """Remove the directory that ``share_figures`` has made."""
    if directory:
        shutil.rmtree(directory, ignore_errors=True)
