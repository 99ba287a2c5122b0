"""Records of several collections are read by their ids in one query."""

import pytest

from calendar_app.storage.mongo.store import Store


@pytest.fixture
def store(database):
    store = Store(database)
    for name in ("venues", "organizers", "tags"):
        store[name].insert_many([{"_id": number, "name": f"{name} {number}"} for number in (1, 2)])
    return store


def test_records_with_equal_ids_are_distinguished(store):
    assert store.find_by_ids({"venues": [1], "organizers": [1], "tags": [2]}) == {
        "venues": [{"_id": 1, "name": "venues 1"}],
        "organizers": [{"_id": 1, "name": "organizers 1"}],
        "tags": [{"_id": 2, "name": "tags 2"}],
    }


def test_missing_records_are_left_out(store):
    records = store.find_by_ids({"venues": [7], "organizers": [2, 7], "media": [1]})
    assert records == {
        "venues": [],
        "organizers": [{"_id": 2, "name": "organizers 2"}],
        "media": [],
    }


def test_single_or_no_collection_can_be_read(store):
    assert store.find_by_ids({"tags": [1]}) == {"tags": [{"_id": 1, "name": "tags 1"}]}
    assert store.find_by_ids({}) == {}


def test_there_may_be_many_of_them(store):
    store["venues"].insert_many([{"_id": number} for number in range(1000, 1500)])
    store["tags"].insert_many([{"_id": number} for number in range(1000, 1500)])
    many = list(range(1000, 1500))
    records_by_name = store.find_by_ids({"venues": many, "tags": many})
    assert {name: len(records) for name, records in records_by_name.items()} == {
        "venues": 500,
        "tags": 500,
    }
