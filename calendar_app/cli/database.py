"""The checked settings of a command, and the store on their database."""

from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

import click

from calendar_app.calendar.pace import Pace
from calendar_app.domain.addresses import Peers, networks_of
from calendar_app.domain.cache_rules import read_rules
from calendar_app.domain.words import collations
from calendar_app.domain.zones import require_zone
from calendar_app.settings import Settings
from calendar_app.storage.embedded.supervisor import borrow_mongod, is_own, open_calendar
from calendar_app.storage.mongo.connection import require_replica_set
from calendar_app.storage.mongo.formats import require_known_format
from calendar_app.storage.mongo.presence import present
from calendar_app.storage.mongo.store import Store


def sensible_settings(file: Path | None = None) -> Settings:
    """Return the settings that ``file`` and the environment give.

    Raises ``ConfigurationError`` where one makes no sense.
    """
    settings = Settings.load(file)
    require_zone(settings.timezone)
    collations(settings.languages, settings.collations)
    Peers.named("trusted_proxies", settings.trusted_proxies)
    networks_of("import_networks", settings.import_networks)
    networks_of("source_networks", settings.source_networks)
    read_rules(settings.cache_control)
    return settings


def settings_of(context: click.Context) -> Settings:
    """Return the settings that ``--config`` and the environment give."""
    config: Path | None = context.find_root().obj
    return sensible_settings(config)


@contextmanager
def opened_store(
    settings: Settings, *, to_replace: bool = False, to_migrate: bool = False
) -> Iterator[Store]:
    """Open the store of ``mongodb_uri``, else of our own mongod on the data directory.

    Where no service runs on that directory, a mongod is started for the block. Nobody waits for a
    command, so that ``query_timeout`` does not hold: in a large calendar an index takes minutes.
    Nor does it pause for other work of its process.
    Raises ``ConfigurationError`` where this version does not read the format of the data, unless
    they are ``to_replace``, or of an earlier one ``to_migrate``.
    """
    uri = settings.mongodb_uri
    with nullcontext(uri) if uri else borrow_mongod(settings.data, settings.mongod) as address:
        database = open_calendar(address, settings.data, own=is_own(uri, settings.data))
        with closing(database.client), Pace.without_pauses():
            require_replica_set(database)
            if to_replace:
                yield Store(database)
                return
            require_known_format(database, to_migrate=to_migrate)
            with present(database):
                yield Store(database)
