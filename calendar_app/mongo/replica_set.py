"""Refuses a MongoDB that has no transactions, or of which one node alone is asked."""

from calendar_app.errors import ConfigurationError
from calendar_app.mongo.connection import Database
from calendar_app.mongo.error_translation import translate_errors

_HOW = (
    "The MongoDB of mongodb_uri is no replica set, so it has no transactions: "
    "start it with --replSet NAME and run rs.initiate() in mongosh once; one node will do."
)

_ONE_OF_SEVERAL = (
    "The setting mongodb_uri has the option directConnection, and its replica set has several "
    "nodes; write replicaSet=NAME instead, so that the primary is asked."
)


def require_replica_set(database: Database) -> None:
    """Raise ``ConfigurationError`` where a MongoDB stands alone, or one node of several is asked.

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
