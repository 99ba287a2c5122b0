"""Makes a mongod that just started the writable primary of a replica set of its own."""

import socket
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from pymongo import MongoClient
from pymongo.errors import OperationFailure, PyMongoError

from calendar_app.embedded.process import REPLICA_SET
from calendar_app.errors import Unavailable
from calendar_app.mongo.connection import DATABASE_NAME

_PATIENCE = 60  # seconds; after a crash mongod replays its journal first
_POLL = 0.02  # seconds
_NOT_YET_INITIALIZED = 94

StillWanted = Callable[[], bool]


def address(path: str) -> str:
    """Return the URI of the replica set behind the socket at ``path``."""
    return f"mongodb://{quote(path, safe='')}/{DATABASE_NAME}?replicaSet={REPLICA_SET}"


def make_primary(path: str, still_wanted: StillWanted) -> None:
    """Wait until the mongod behind the socket at ``path`` can be written.

    ``Unavailable`` where ``still_wanted`` says no meanwhile, or where it takes a minute.
    """
    until = time.monotonic() + _PATIENCE
    _wait(lambda: _listens(path), still_wanted, until)
    _wait(lambda: _has_configuration(path), still_wanted, until)
    _wait(lambda: is_primary(path), still_wanted, until)


def wait_until_primary(path: str, still_wanted: StillWanted) -> None:
    """Wait until somebody else has made it that, as ``make_primary`` waits."""
    _wait(lambda: is_primary(path), still_wanted, time.monotonic() + _PATIENCE)


def is_primary(path: str) -> bool:
    """Say whether the mongod behind the socket can be written."""
    try:
        with _client(path) as client:
            return bool(client.admin.command("hello")["isWritablePrimary"])
    except PyMongoError:
        return False


def _wait(is_ready: Callable[[], bool], still_wanted: StillWanted, until: float) -> None:
    while not is_ready():
        if not still_wanted() or time.monotonic() > until:
            raise Unavailable("The mongod does not start.")
        time.sleep(_POLL)


def _listens(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(path) == 0


def _has_configuration(path: str) -> bool:
    """Give the set its configuration: this mongod alone, under the path it has at present."""
    try:
        with _client(path) as client:
            _configure(client, path)
    except PyMongoError:
        # It still reads its configuration, or has been given one at the same moment.
        return False
    return True


def _configure(client: MongoClient[dict[str, Any]], path: str) -> None:
    alone = {"_id": REPLICA_SET, "members": [{"_id": 0, "host": path}]}
    try:
        present = client.admin.command("replSetGetConfig")["config"]
    except OperationFailure as error:
        if error.code != _NOT_YET_INITIALIZED:
            raise
        client.admin.command("replSetInitiate", alone)
        return
    if [member["host"] for member in present["members"]] != [path]:
        moved = present | {"version": present["version"] + 1, "members": alone["members"]}
        client.admin.command("replSetReconfig", moved, force=True)


def _client(path: str) -> MongoClient[dict[str, Any]]:
    """Connect anew: a connection made before the set has a primary never gets sessions."""
    return MongoClient(
        f"mongodb://{quote(path, safe='')}/?directConnection=true",
        serverSelectionTimeoutMS=2000,
        socketTimeoutMS=10_000,
    )
