"""Refuses a MongoDB that has no transactions."""

from calendar_app.errors import ConfigurationError
from calendar_app.mongo.connection import Database
from calendar_app.mongo.error_translation import translate_errors

_HOW = (
    "The MongoDB of mongodb_uri is no replica set, so it has no transactions: "
    "start it with --replSet NAME and run rs.initiate() in mongosh once; one node will do."
)


def require_replica_set(database: Database) -> None:
    """Raise ``ConfigurationError`` where a MongoDB stands alone, ``Unavailable`` if it is away."""
    with translate_errors():
        hello = database.client.admin.command("hello")
    if "setName" not in hello and hello.get("msg") != "isdbgrid":
        raise ConfigurationError(_HOW)
