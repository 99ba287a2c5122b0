"""Opens the database, refuses unusable ones, and measures it."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import pymongo.database
from pymongo import MongoClient, timeout
from pymongo.errors import ConfigurationError as InvalidUri
from pymongo.errors import PyMongoError
from pymongo.monitoring import (
    CommandFailedEvent,
    CommandListener,
    CommandStartedEvent,
    CommandSucceededEvent,
)
from pymongo.uri_parser import split_options

from calendar_app.domain.kind import Record
from calendar_app.errors import ConfigurationError
from calendar_app.storage.mongo.error_translation import translate_errors
from calendar_app.storage.mongo.secondaries import keep_to_member
from calendar_app.storage.mongo.transactions import count_round_trip, note_cluster_time

Database = pymongo.database.Database[Record]

DATABASE_NAME = "calendar"
_READS = "the setting mongodb_reads says what is read from the primary"
_WRITES = "a write counts once it is safe on the majority"
_VALUES = "texts and dates are stored as they were sent"
# What an address may say of these options, if anything, and the promise that all else breaks.
_CHECKED_OPTIONS: Mapping[str, tuple[tuple[object, ...], str]] = MappingProxyType(
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


class _Listener(CommandListener):
    """Counts the commands of the current request, and notes the cluster time of replies."""

    def started(self, event: CommandStartedEvent) -> None:
        del event
        count_round_trip()

    def succeeded(self, event: CommandSucceededEvent) -> None:
        note_cluster_time(event.reply)

    def failed(self, event: CommandFailedEvent) -> None:
        """Leave it at that: a command is counted when it starts."""


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
            server_selector=keep_to_member,
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
    for name, (values, promise) in _CHECKED_OPTIONS.items():
        if name in options and options[name] not in values:
            raise ConfigurationError(
                f"The setting mongodb_uri has the option {name}; leave it out, since {promise}."
            )


def _refusal(error: Exception) -> str:
    reason = str(error).rstrip(".")
    if "@" in reason:  # a part of the address, perhaps of the password
        reason = "what is special in a name or a password is to be written otherwise, @ as %40"
    return f"The setting mongodb_uri is no address: {reason}."


# Refuses a MongoDB that has no transactions, or of which one node alone is asked.

_HOW = (
    "The MongoDB of mongodb_uri is no replica set, so it has no transactions: "
    "start it with --replSet NAME and run rs.initiate() in mongosh once; one node will do."
)

_ONE_OF_SEVERAL = (
    "The setting mongodb_uri has the option directConnection, and its replica set has several "
    "nodes; write replicaSet=NAME instead, so that the primary is asked."
)


def require_replica_set(database: Database) -> None:
    """Raise ``ConfigurationError`` for a standalone MongoDB, or a direct connection to one node.

    ``Unavailable`` comes where it is away.
    """
    with translate_errors():
        hello = database.client.admin.command("hello")
    if "setName" not in hello and hello.get("msg") != "isdbgrid":
        raise ConfigurationError(_HOW)
    nodes = {*hello.get("hosts", ()), *hello.get("passives", ())}
    if database.client.options.direct_connection and nodes - {hello.get("me")}:
        # As a secondary it answers reads too.
        raise ConfigurationError(_ONE_OF_SEVERAL)


# Measures the database for those who watch over it.

_PATIENCE = 1.5  # seconds; who watches waits for three, and a busy machine takes its time


@contextmanager
def watching() -> Iterator[None]:
    """Let the questions of the block fail where their answers take too long together."""
    with timeout(_PATIENCE):
        yield


@dataclass(frozen=True, slots=True)
class DatabaseHealth:
    """The response time in seconds, and the free disk in bytes; ``None`` where unknown."""

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
    except (PyMongoError, KeyError):
        # A user without that right, or a server that does not tell.
        return DatabaseHealth(seconds)
    return DatabaseHealth(seconds, free)
