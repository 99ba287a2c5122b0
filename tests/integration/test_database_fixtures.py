"""The database fixtures isolate their tests."""

import pytest

from calendar_app.storage.mongo.store import Store


@pytest.mark.parametrize("_time", ["first", "second"])
def test_each_test_gets_an_empty_database(database, _time):
    events = Store(database)["events"]
    assert events.count({}) == 0
    events.insert({"_id": 1})


@pytest.mark.parametrize("time", ["kept", "dropped", "made again", "last"])
def test_a_collection_may_be_dropped_and_made_again(database, time):
    spare = database["spare"]
    assert spare.count_documents({}) == 0
    spare.insert_one({"_id": 1})
    if time == "dropped":
        spare.drop()


def test_mongodb_fixture_has_transactions(database):
    store = Store(database)

    def fail():
        store["events"].insert({"_id": 1})
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - it has no message
        store.transact(fail)
    assert store["events"].count({}) == 0


@pytest.mark.parametrize("_time", ["first", "second"])
def test_a_bare_database_has_no_collections(bare_database, _time):
    assert bare_database.list_collection_names() == []
    bare_database["events"].create_index("title")
