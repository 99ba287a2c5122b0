"""Finds out whether a service uses a database, by the name that its connections bear."""

from typing import Any
from urllib.parse import unquote, urlsplit

from pymongo.errors import OperationFailure

from calendar_app.errors import RestoreRefused
from calendar_app.storage.mongo.connection import DATABASE_NAME, Database
from calendar_app.storage.mongo.error_translation import UNAUTHORIZED

_LONGEST_NAME = 128  # bytes: https://github.com/mongodb/specifications, handshake


def service_name(database: str) -> str:
    """Return how a service on this database calls itself to MongoDB."""
    return f"calendar-app on {database}"[:_LONGEST_NAME]


def service_name_of(uri: str) -> str:
    """Return the name of a service on the database that ``uri`` names."""
    return service_name(unquote(urlsplit(uri).path.lstrip("/")) or DATABASE_NAME)


def require_no_service(database: Database) -> None:
    """Raise ``RestoreRefused`` where a service has connections to the server of this database."""
    if any(_connections(database)):
        raise RestoreRefused("A service uses the database. Stop it first.")


def _connections(database: Database) -> list[dict[str, Any]]:
    """Return the service's connections; of other users only where this one may see theirs."""
    of_service = {"$match": {"appName": service_name(database.name)}}
    for all_users in (True, False):
        operations = {"$currentOp": {"allUsers": all_users, "idleConnections": True}}
        try:
            return list(database.client.admin.aggregate([operations, of_service, {"$limit": 1}]))
        except OperationFailure as error:
            if error.code != UNAUTHORIZED:
                raise
    return []
