"""How long the service takes to start on a database that is there."""

import time
from pathlib import Path

from service import serving


def started_within(directory: Path, uri: str, database: str) -> float:
    """Return the seconds until the service answers."""
    began = time.monotonic()
    with serving(directory, CALENDAR_MONGODB_URI=named(uri, database)):
        return time.monotonic() - began


def named(uri: str, database: str) -> str:
    """Return the address with the name of another database."""
    host, _, options = uri.partition("?")
    return f"{host.rpartition('/')[0]}/{database}?{options}"
