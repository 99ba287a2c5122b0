"""Measures the database for those who watch over it."""

import time
from dataclasses import dataclass

from pymongo.errors import PyMongoError

from calendar_app.mongo.connection import Database


@dataclass(frozen=True, slots=True)
class DatabaseHealth:
    """Seconds that an answer takes, and bytes of disk left; ``None`` where it does not tell."""

    seconds: float | None = None
    disk_free: float | None = None


def measure(database: Database) -> DatabaseHealth:
    """Return how fast the database answers, and its free disk."""
    begun = time.perf_counter()
    try:
        database.command("ping")
        seconds = time.perf_counter() - begun
    except PyMongoError:
        return DatabaseHealth()
    try:
        statistics = database.command("dbStats")
        free = statistics["fsTotalSize"] - statistics["fsUsedSize"]
    except (PyMongoError, KeyError, NotImplementedError):
        # A user without that right, a server that does not tell, mongomock.
        return DatabaseHealth(seconds)
    return DatabaseHealth(seconds, free)
