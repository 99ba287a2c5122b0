"""Build large calendars once, in several processes, with the indexes last."""

import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import lru_cache

from documents import DocumentBuilder
from population import Population

from calendar_app.calendar.reading.links import TAXONOMIES
from calendar_app.calendar.search.vocabulary import Vocabulary
from calendar_app.cli.indexing import make_indexes
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import EVENT, TAG
from calendar_app.domain.statuses import PUBLISH
from calendar_app.settings import Settings
from calendar_app.storage.mongo.collection import UNJOURNALED
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.store import Store

_AT_ONCE = 1000
_NOTE = "built"
# To be raised where the same number of events would be built otherwise.
_VERSION = 2


def open_calendar(uri: str, settings: Settings, events: int) -> tuple[Store, Population]:
    """Open a calendar with this number of events; build it at the first run."""
    store = store_of(uri, settings, events)
    build = store[_NOTE].first({"_id": _VERSION})
    if build is None:
        store.database.client.drop_database(store.database.name)
        build = {"_id": _VERSION, "events": events, "today": _midnight()}
        _fill(uri, settings, Population(events, build["today"]))
        store[_NOTE].insert(build)
    _index(Store(store.database), settings)  # which takes longer than any question may
    return store, Population(build["events"], build["today"])


def store_of(uri: str, settings: Settings, events: int) -> Store:
    """Return the store of the calendar of so many events."""
    client = open_database(uri).client
    return Store(client[f"calendar_{events}"], settings.query_timeout)


def _fill(uri: str, settings: Settings, population: Population) -> None:
    counts: Counter[int] = Counter()
    firsts = range(0, population.events, _AT_ONCE)
    began = time.monotonic()
    with ProcessPoolExecutor(os.cpu_count(), initializer=os.nice, initargs=(10,)) as pool:
        work = [pool.submit(_stored, uri, settings, population, first) for first in firsts]
        for number, future in enumerate(work, 1):
            counts += future.result()
            _print_progress(number * _AT_ONCE, population.events, began)
    store = store_of(uri, settings, population.events)
    store.advance_sequence(EVENT.sequence, population.first_event + population.events)
    store.advance_sequence(TAG.sequence, population.categories + population.tags)
    for kind, records in DocumentBuilder(population, settings.timezone).linked(counts):
        for first in range(0, len(records), _AT_ONCE):
            _insert(store, kind, records[first : first + _AT_ONCE])


def _stored(uri: str, settings: Settings, population: Population, first: int) -> Counter[int]:
    """Store a batch of events, and return how many published ones each term has."""
    store = _opened(uri, settings, population.events)
    numbers = range(first, min(first + _AT_ONCE, population.events))
    events = DocumentBuilder(population, settings.timezone).events(numbers)
    Vocabulary(store, settings.chains()).index_words([(EVENT, {}, event) for event in events])
    _insert(store, EVENT, events)
    return Counter(term for event in events for term in _counted(event))


def _insert(store: Store, kind: Kind, records: Sequence[Record]) -> None:
    collection = store.database.get_collection(kind.name, write_concern=UNJOURNALED)
    collection.insert_many(records, ordered=False)


@lru_cache
def _opened(uri: str, settings: Settings, events: int) -> Store:
    return store_of(uri, settings, events)


def _counted(event: Record) -> list[int]:
    published = event["status"] == PUBLISH
    return [term for name in TAXONOMIES for term in event[name]] if published else []


def _index(store: Store, settings: Settings) -> None:
    """Update the indexes."""
    make_indexes(store, settings, keep=False)


def _print_progress(stored: int, total: int, began: float) -> None:
    rate = stored / (time.monotonic() - began)
    sys.stderr.write(f"\r{stored:,} of {total:,} events, {rate:,.0f} a second ")


def _midnight() -> datetime:
    return datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
