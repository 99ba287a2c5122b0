"""Writes that wait for no disk are made once they are asked for."""

import pytest
from pymongo.errors import BulkWriteError

from calendar_app.storage.mongo.store import Store

NUMBERED = {"$inc": {"number": 1}}


@pytest.fixture
def words(database):
    return Store(database)["vocabulary"]


def there(words):
    return sorted(word["_id"] for word in words.find({}))


def test_existing_documents_stay_unchanged(words, database):
    words.add_unjournaled([{"_id": "a", "endings": ["a"]}])
    words.add_unjournaled([{"_id": word} for word in "abc"])
    assert there(words) == ["a", "b", "c"]
    assert database["vocabulary"].find_one({"_id": "a"}) == {"_id": "a", "endings": ["a"]}


def test_a_document_is_made_then_changed(words):
    assert words.upsert_unjournaled({"_id": "a"}, NUMBERED) == {"_id": "a", "number": 1}
    assert words.upsert_unjournaled({"_id": "a"}, NUMBERED) == {"_id": "a", "number": 2}


@pytest.mark.parametrize("number", [100, 101, 3000])
def test_many_documents_are_stored_however_large_they_are_together(words, number):
    words.add_unjournaled([{"_id": 0}])
    words.add_unjournaled([{"_id": each, "endings": "x" * 8000} for each in range(number)])
    assert words.count({}) == number


def test_other_write_errors_are_raised(words):
    with pytest.raises(BulkWriteError):
        words.add_unjournaled([{"_id": "a"}, {"_id": ["no", "list"]}])
