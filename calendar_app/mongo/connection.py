"""Opens the database."""

from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType
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
from pymongo.uri_parser import split_options

from calendar_app.domain.kind import Record
from calendar_app.errors import ConfigurationError
from calendar_app.mongo.snapshots import note_cluster_time

Database = pymongo.database.Database[Record]

DATABASE_NAME = "calendar"
_READS = "everything is read from the primary"
_WRITES = "a write counts once it is safe on the majority"
_VALUES = "texts and dates are stored as they were sent"
# What an address may say of these options, if anything, and the promise that all else breaks.
_KEPT: Mapping[str, tuple[tuple[object, ...], str]] = MappingProxyType(
    {
        "readPreference": (("primary",), _READS),
        "readPreferenceTags": ((), _READS),
        "maxStalenessSeconds": ((-1,), _READS),
        "readConcernLevel": (("local",), _READS),
        "retryReads": ((True,), "an election of the replica set is waited for"),
        "w": (("majority",), _WRITES),
        "wtimeoutMS": ((), _WRITES),
        "journal": ((True,), _WRITES),
        "fsync": ((), _WRITES),
        "retryWrites": ((True,), _WRITES),
        "tz_aware": ((False,), _VALUES),
        "datetime_conversion": ((), _VALUES),
        "unicode_decode_error_handler": (("strict",), _VALUES),
    }
)
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

    Datetimes are naive and mean UTC, or a wall clock where the field says so. Raises
    ``ConfigurationError`` where the address is none, or breaks what the service promises.
    """
    try:
        _require_kept_promises(uri)
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
    except (InvalidUri, KeyError, ValueError, OSError) as error:
        raise ConfigurationError(_refusal(error)) from error


def _require_kept_promises(uri: str) -> None:
    """Raise ``ConfigurationError`` where an option of the address breaks a promise."""
    query = uri.partition("?")[2]
    options = split_options(query) if query else {}
    for name, (values, promise) in _KEPT.items():
        if name in options and options[name] not in values:
            raise ConfigurationError(
                f"The setting mongodb_uri has the option {name}; leave it out, since {promise}."
            )


def _refusal(error: Exception) -> str:
    reason = str(error).rstrip(".")
    if "@" in reason:  # a part of the address, perhaps of the password
        reason = "what is special in a name or a password is to be written otherwise, @ as %40"
    return f"The setting mongodb_uri is no address: {reason}."
