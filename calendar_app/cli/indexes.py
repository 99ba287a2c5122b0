"""``indexes``: creates the indexes that lists and look-ups need."""

import click

from calendar_app.app import INDEXES
from calendar_app.catalogue.places import name_coordinates
from calendar_app.cli.database import opened_store, settings_of
from calendar_app.domain.kind import Index
from calendar_app.storage.indexes import ensure_indexes, missing_indexes
from calendar_app.storage.store import Store


@click.command()
@click.pass_context
def indexes(context: click.Context) -> None:
    """Create the indexes that are missing, and list each with the query it serves."""
    with opened_store(settings_of(context)) as store:
        missing = make_indexes(store)
    for collection, declared in INDEXES.items():
        for index in declared:
            click.echo(f"{collection} ({_fields(index)}): {index.serves}")
    click.echo(f"{len(missing)} created.")


def make_indexes(store: Store) -> list[str]:
    """Create the indexes that are missing, and return their names.

    What is stored already gets the form that they need.
    """
    missing = missing_indexes(store, INDEXES)
    if missing:
        name_coordinates(store)
    ensure_indexes(store, INDEXES)
    return missing


def _fields(index: Index) -> str:
    return ", ".join(name for name, _ in index.fields)
