"""Measures the database for those who watch over it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pymongo import timeout
from pymongo.errors import PyMongoError

from calendar_app.mongo.connection import Database

_PATIENCE = 1.5  # seconds; who watches waits for three, and a busy machine takes its time


@contextmanager
def watching() -> Iterator[None]:
    """Let the questions of the block fail where their answers take too long together."""
    with timeout(_PATIENCE):
        yield


@dataclass(frozen=True, slots=True)
class DatabaseHealth:
    """Seconds that an answer takes, and bytes of disk left; ``None`` where it does not tell."""

    seconds: float | None = None
    disk_free: float | None = None


def measure(database: Database) -> DatabaseHealth:
    """Return how fast the database answers, and its free disk."""
    begun = time.perf_counter()
    try:
        with watching():
            database.command("ping")
        seconds = time.perf_counter() - begun
    except PyMongoError:
        return DatabaseHealth()
    try:
        with watching():
            statistics = database.command("dbStats")
        free = statistics["fsTotalSize"] - statistics["fsUsedSize"]
    except (PyMongoError, KeyError, NotImplementedError):
        # A user without that right, a server that does not tell, mongomock.
        return DatabaseHealth(seconds)
    return DatabaseHealth(seconds, free)
