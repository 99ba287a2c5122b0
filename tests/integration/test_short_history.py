"""While a calendar is filled, our own MongoDB keeps a short history."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from calendar_app.cli.indexing import filling
from calendar_app.storage.mongo.store import Store

WINDOW = "minSnapshotHistoryWindowInSeconds"


@pytest.fixture
def store(bare_database):
    return Store(bare_database)


def history_seconds(store):
    """Return the snapshot history of MongoDB in seconds."""
    return store.database.client.admin.command({"getParameter": 1, WINDOW: 1})[WINDOW]


def keep(store, seconds):
    store.database.client.admin.command({"setParameter": 1, WINDOW: seconds})


def test_it_keeps_less_for_as_long_as_that_takes(store, settings):
    before = history_seconds(store)
    with filling(store, settings):
        during = history_seconds(store)
    # No query of an answer may take longer than ten seconds.
    assert 10 <= during < before == history_seconds(store)


def test_it_keeps_as_much_as_before_when_that_fails(store, settings):
    before = history_seconds(store)
    with pytest.raises(RuntimeError), filling(store, settings):
        raise RuntimeError
    assert history_seconds(store) == before


def test_next_import_resets_the_history_after_a_killed_one(store, settings):
    before = history_seconds(store)
    store["events"].insert({"_id": 1})
    keep(store, 1)
    with filling(store, settings):
        assert history_seconds(store) == before
    assert history_seconds(store) == before


def test_read_succeeds_after_its_snapshot_expired(store):
    things = store["things"]
    things.insert({"_id": 0})

    def write():
        for number in range(1, 4):
            things.upsert({"_id": number}, {"$set": {"seen": True}})
            time.sleep(0.7)

    def read():
        things.first({"_id": 0})
        with ThreadPoolExecutor(1) as elsewhere:
            elsewhere.submit(write).result()
        return things.first({"_id": 0})

    before = history_seconds(store)
    keep(store, 0)
    try:
        assert store.in_snapshot(read) == {"_id": 0}
    finally:
        keep(store, before)


def test_import_into_a_filled_calendar_keeps_the_history(store, settings):
    before = history_seconds(store)
    store["events"].insert({"_id": 1})
    with filling(store, settings):
        assert history_seconds(store) == before


def test_history_of_a_foreign_mongodb_is_unchanged(store, settings):
    before = history_seconds(store)
    with filling(store, replace(settings, mongodb_uri="mongodb://db.example/calendar")):
        assert history_seconds(store) == before
