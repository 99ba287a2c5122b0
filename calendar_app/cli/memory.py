"""``memory``: the commands of the translation memory, where the site has it."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from calendar_app.cli.database import opened_store
from calendar_app.cli.maintenance import settings_for_application
from calendar_app.errors import ConfigurationError
from calendar_app.parts.part import commands_of
from calendar_app.settings import Settings
from calendar_app.storage.mongo.store import Store


@contextmanager
def _opened(context: click.Context) -> Iterator[tuple[Settings, Store]]:
    settings = settings_for_application(context)
    if not settings.translation_memory:
        raise ConfigurationError("There is no memory: the setting translation_memory is false.")
    with opened_store(settings) as store:
        yield settings, store


memory: click.Group = commands_of("translation_memory")(_opened)
