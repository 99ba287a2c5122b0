"""``indexes``: creates the indexes that lists and look-ups need."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import click

from calendar_app.calendar.reading.languages import require_same_spelling
from calendar_app.cli.application import settings_for_application
from calendar_app.cli.database import opened_store
from calendar_app.domain.kind import Index
from calendar_app.embedded.supervisor import is_own
from calendar_app.indexes import declared_indexes
from calendar_app.kinds import EVENT, KINDS, MEDIA, SERIES
from calendar_app.mongo.backup import require_restored
from calendar_app.mongo.connection import mark_format
from calendar_app.mongo.indexes import (
    SHORT,
    USUAL,
    drop_deferred,
    drop_replaced,
    ensure_indexes,
    history,
    missing_indexes,
)
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import EVERYTHING
from calendar_app.search.vocabulary import Vocabulary, refold
from calendar_app.settings import Settings

# So many events are written faster while their words are in no index.
_MANY = 10_000


@click.command()
@click.option("--keep", is_flag=True, help="Drop none that a running service may need.")
@click.pass_context
def indexes(context: click.Context, keep: bool) -> None:
    """Create the indexes that are missing, and list each with the query it serves.

    Those that others replace, as of other languages, are dropped.
    """
    settings = settings_for_application(context)
    with opened_store(settings) as store:
        missing = make_indexes(store, settings, keep=keep)
        if not keep:
            drop_replaced(store, declared_indexes(settings))
    for collection, declared in declared_indexes(settings).items():
        for index in declared:
            click.echo(f"{collection} ({_fields(index)}): {index.serves}")
    click.echo(f"{len(missing)} created.")


def make_indexes(store: Store, settings: Settings, *, keep: bool = True) -> list[str]:
    """Create the indexes that are missing, and return their names.

    Texts are refolded and words reindexed; faster where none is to ``keep``, but then a service
    that runs meanwhile is not ready. Raises ``ConfigurationError`` where a language
    of the settings is stored in another letter case, and ``RestoreRefused`` where a restore was
    interrupted.
    """
    require_restored(store.database)
    require_same_spelling(store, KINDS, settings.languages)
    declared = declared_indexes(settings)
    vocabulary = Vocabulary(store, settings.chains())
    missing = missing_indexes(store, declared)
    for kind in (*KINDS, MEDIA):
        if not kind.found_by_words:
            refold(store, kind)
    if not keep and vocabulary.is_stale(EVENT, least=_MANY):
        drop_deferred(store, declared)
    vocabulary.reindex(EVENT)
    vocabulary.reindex(SERIES)
    ensure_indexes(store, declared)
    mark_format(store.database)
    return missing


@contextmanager
def filling(store: Store, settings: Settings) -> Iterator[None]:
    """Make deferred indexes after the block, where there are no events before it.

    A mongod of our own keeps little then of what was before.
    """
    declared = declared_indexes(settings)
    empty = store[EVENT.name].first(EVERYTHING, ["_id"]) is None
    if empty:
        drop_deferred(store, declared)
    own = is_own(settings.mongodb_uri, settings.data)
    try:
        with history(store, SHORT if empty else USUAL) if own else nullcontext():
            yield
    finally:
        ensure_indexes(store, declared)


def _fields(index: Index) -> str:
    return ", ".join(name for name, _ in index.fields)
