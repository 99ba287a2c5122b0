"""Answers of the database come whole, also where they are large."""

import pytest

from calendar_app.storage.mongo.store import Store

NUMBERS = range(400)
EVERY = [{"$match": {}}]


@pytest.fixture
def store(database):
    return Store(database)


@pytest.fixture
def notes(store):
    store["notes"].insert_many([{"_id": number} for number in NUMBERS])
    return store["notes"]


def find_ids(notes):
    return [note["_id"] for note in notes.find({}, order=[("_id", 1)])]


def aggregate_ids(notes):
    return sorted(note["_id"] for note in notes.aggregate(EVERY))


@pytest.mark.parametrize("read", [find_ids, aggregate_ids])
def test_large_result_is_complete_and_its_cursor_closed(store, notes, database, read):
    notes.change_all({}, {"$set": {"text": "x" * 50_000}})
    before = open_cursors(database)
    assert store.in_snapshot(lambda: read(notes)) == list(NUMBERS)
    assert open_cursors(database) == before


def open_cursors(database):
    return database.command("serverStatus")["metrics"]["cursor"]["open"]["total"]


def test_no_fields_mean_the_id_alone(store, notes):
    notes.change_all({}, {"$set": {"text": "x"}})
    document = store.in_snapshot(lambda: notes.first({"_id": 1}, []))
    assert document == {"_id": 1}
