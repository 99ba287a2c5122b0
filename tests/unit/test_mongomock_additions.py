"""mongomock, as tests use it, does as MongoDB where the service relies on it."""

from pathlib import Path

import pytest

from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.transactions import in_transaction

PRODUCT = Path(__file__).parents[2] / "calendar_app"


@pytest.fixture
def store(database):
    store = Store(database)
    store["venues"].insert({"_id": 1, "name": "Stadthalle"})
    return store


class _Refused(Exception):
    """Ends a transaction."""


def _give_up(store, work):
    def attempt():
        work()
        raise _Refused

    with pytest.raises(_Refused):
        store.transact(attempt)


@pytest.mark.parametrize(
    "write",
    [
        lambda venues: venues.insert({"_id": 2}),
        lambda venues: venues.insert_many([{"_id": 2}, {"_id": 3}]),
        lambda venues: venues.change({"_id": 1}, {"$set": {"name": "Kirche"}}),
        lambda venues: venues.change_all({}, {"$unset": {"name": ""}}),
        lambda venues: venues.change_each([({"_id": 2}, {"$inc": {"n": 1}})], upsert=True),
        lambda venues: venues.upsert({"_id": 2}, {"$set": {"name": "Kirche"}}),
        lambda venues: venues.lock_document({"_id": 1}),
        lambda venues: venues.remove({}),
    ],
)
def test_nothing_stays_of_a_transaction_that_failed(store, write):
    _give_up(store, lambda: write(store["venues"]))
    assert store["venues"].find({}) == [{"_id": 1, "name": "Stadthalle"}]
    assert not in_transaction()


def test_sequence_goes_on_where_its_transaction_failed(store):
    taken = []
    _give_up(store, lambda: taken.append(store.next_id("venues")))
    assert store.next_id("venues") == taken[0] + 1


def test_many_changes_say_how_many_documents_were_there(store):
    changes = [({"_id": number}, {"$set": {"seen": True}}) for number in (1, 2)]
    assert store["venues"].change_each(changes, upsert=True) == 1
    assert [each["_id"] for each in store["venues"].find({"seen": True})] == [1, 2]


def test_collections_are_asked_together(store):
    store["events"].insert({"_id": 7, "venue": 1})
    asked = [(name, [{"$match": {"_id": {"$gt": 0}}}]) for name in ("events", "venues", "series")]
    names = [[each["_id"] for each in answer] for answer in store.aggregate_each(asked)]
    assert names == [[7], [1], []]


def test_transaction_asks_several_questions_at_once(store):
    store["events"].insert({"_id": 7, "venue": 1, "title": "Chor"})
    asked = [("venues", {"_id": 1}, ["name"]), ("events", {"venue": 1}, ["title"])]
    assert store.transact(lambda: store.find_each(asked)) == store.find_each(asked)


def test_product_does_not_name_what_tests_run_on():
    naming = [path for path in PRODUCT.rglob("*.py") if "mongomock" in path.read_text().lower()]
    assert naming == []
