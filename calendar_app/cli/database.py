"""The settings of a command, and the store on their database."""

from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

import click

from calendar_app.cli.configuration import sensible_settings
from calendar_app.embedded.borrowing import borrow_mongod
from calendar_app.mongo.connection import open_database, require_known_format, require_replica_set
from calendar_app.mongo.store import Store
from calendar_app.settings import Settings


def settings_of(context: click.Context) -> Settings:
    """Return the settings that ``--config`` and the environment give."""
    config: Path | None = context.find_root().obj
    return sensible_settings(config)


@contextmanager
def opened_store(settings: Settings, *, to_replace: bool = False) -> Iterator[Store]:
    """Open the store of ``mongodb_uri``, else of our own mongod on the data directory.

    Where no service runs on that directory, a mongod is started for the block. Nobody waits for a
    command, so that ``query_timeout`` does not hold: in a large calendar an index takes minutes.
    Raises ``ConfigurationError`` where a later version wrote the data, unless they are
    ``to_replace``.
    """
    uri = settings.mongodb_uri
    with nullcontext(uri) if uri else borrow_mongod(settings.data, settings.mongod) as address:
        database = open_database(address)
        with closing(database.client):
            require_replica_set(database)
            if not to_replace:
                require_known_format(database)
            yield Store(database)
