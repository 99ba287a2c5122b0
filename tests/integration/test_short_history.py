"""While a large calendar is filled, a MongoDB of our own keeps little of what was before."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from calendar_app.cli.indexes import filling
from calendar_app.mongo.store import Store

pytestmark = pytest.mark.needs_mongodb

WINDOW = "minSnapshotHistoryWindowInSeconds"
MANY, FEW = 10_000, 100


@pytest.fixture
def store(bare_database):
    return Store(bare_database)


def kept(store):
    """Return for how many seconds MongoDB keeps what was before."""
    return store.database.client.admin.command({"getParameter": 1, WINDOW: 1})[WINDOW]


def keep(store, seconds):
    store.database.client.admin.command({"setParameter": 1, WINDOW: seconds})


def test_it_keeps_less_for_as_long_as_that_takes(store, settings):
    before = kept(store)
    with filling(store, settings, MANY):
        during = kept(store)
    # No query of an answer may take longer than ten seconds.
    assert 10 <= during < before == kept(store)


def test_it_keeps_as_much_as_before_when_that_fails(store, settings):
    before = kept(store)
    with pytest.raises(RuntimeError), filling(store, settings, MANY):
        raise RuntimeError
    assert kept(store) == before


def test_it_keeps_as_much_as_ever_for_a_small_calendar(store, settings):
    before = kept(store)
    with filling(store, settings, FEW):
        assert kept(store) == before


def test_the_next_import_sets_back_what_one_that_was_killed_has_left(store, settings):
    before = kept(store)
    keep(store, 1)
    with filling(store, settings, FEW):
        assert kept(store) == before
    assert kept(store) == before


def test_an_answer_is_given_when_its_moment_is_forgotten(store):
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

    before = kept(store)
    keep(store, 0)
    try:
        assert store.in_snapshot(read) == {"_id": 0}
    finally:
        keep(store, before)


def test_it_keeps_as_much_as_ever_where_events_are_there(store, settings):
    before = kept(store)
    store["events"].insert({"_id": 1})
    with filling(store, settings, MANY):
        assert kept(store) == before


def test_a_mongodb_of_somebody_else_keeps_what_it_is_told_to(store, settings):
    before = kept(store)
    with filling(store, replace(settings, mongodb_uri="mongodb://db.example/calendar"), MANY):
        assert kept(store) == before
