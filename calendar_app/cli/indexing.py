"""Creates the indexes of a calendar, and fills an empty calendar before the slow ones.

Apart from the other commands, so that an import starts without the application.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from calendar_app.assembly.indexes import declared_indexes
from calendar_app.assembly.services import vocabulary_of
from calendar_app.calendar.reading.languages import require_same_spelling
from calendar_app.calendar.search.vocabulary import refold
from calendar_app.domain.kinds import EVENT, KINDS, MEDIA, SERIES
from calendar_app.settings import Settings
from calendar_app.storage.embedded.supervisor import is_own
from calendar_app.storage.mongo.indexes import (
    SHORT,
    USUAL,
    deferred,
    drop_deferred,
    ensure_indexes,
    history,
    missing_indexes,
)
from calendar_app.storage.mongo.marks import WRITERS, mark_everything
from calendar_app.storage.mongo.restoring import require_restored
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import EVERYTHING

# So many events are written faster while their words are in no index.
_MANY = 10_000


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
    vocabulary = vocabulary_of(settings, store)
    missing = missing_indexes(store, declared)
    for kind in (*KINDS, MEDIA):
        if not kind.found_by_words:
            refold(store, kind)
    if not keep and vocabulary.is_stale(EVENT, least=_MANY):
        drop_deferred(store, declared)
    vocabulary.reindex(EVENT)
    vocabulary.reindex(SERIES)
    ensure_indexes(store, declared)
    if store[WRITERS].first(EVERYTHING, ["_id"]) is None:
        # What earlier versions have written has no marks, and without any nothing is kept.
        mark_everything(store.database)
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
    is_embedded = is_own(settings.mongodb_uri, settings.data)
    try:
        with history(store, SHORT if empty else USUAL) if is_embedded else nullcontext():
            yield
    finally:
        ensure_indexes(store, deferred(declared))
