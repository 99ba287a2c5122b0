"""Opens the database."""

from contextvars import ContextVar
from typing import Any

import pymongo.database
from pymongo import MongoClient
from pymongo.errors import ConfigurationError as InvalidUri
from pymongo.monitoring import (
    CommandFailedEvent,
    CommandListener,
    CommandStartedEvent,
    CommandSucceededEvent,
)

from calendar_app.domain.kind import Record
from calendar_app.errors import ConfigurationError
from calendar_app.mongo.snapshots import note_cluster_time

Database = pymongo.database.Database[Record]

DATABASE_NAME = "calendar"
_round_trips: ContextVar[int] = ContextVar("round_trips", default=0)


class _Listener(CommandListener):
    """Counts the commands of the current request, and notes the cluster time of replies."""

    def started(self, event: CommandStartedEvent) -> None:
        del event
        _round_trips.set(_round_trips.get() + 1)

    def succeeded(self, event: CommandSucceededEvent) -> None:
        note_cluster_time(event.reply)

    def failed(self, event: CommandFailedEvent) -> None:
        """Leave it at that: a command is counted when it starts."""


def count_round_trips_anew() -> None:
    _round_trips.set(0)


def round_trips() -> int:
    """Return how many commands were sent since the count began anew."""
    return _round_trips.get()


def open_database(uri: str, **options: Any) -> Database:
    """Connect lazily: nothing is sent before the first query.

    Datetimes are naive and mean UTC, or a wall clock where the field says so.
    """
    try:
        client: MongoClient[Record] = MongoClient(
            uri,
            event_listeners=[_Listener()],
            serverSelectionTimeoutMS=options.pop("patience", 3000),
            connectTimeoutMS=3000,
            w="majority",
            journal=True,
            retryWrites=True,
            **options,
        )
        return client.get_default_database(DATABASE_NAME)
    except (InvalidUri, ValueError, OSError) as error:
        raise ConfigurationError(_refusal(error)) from error


def _refusal(error: Exception) -> str:
    reason = str(error).rstrip(".")
    if "@" in reason:  # a part of the address, perhaps of the password
        reason = "what is special in a name or a password is to be written otherwise, @ as %40"
    return f"The setting mongodb_uri is no address: {reason}."
