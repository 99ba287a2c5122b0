"""The pairs of an event that has become another one are pairs of that."""

from datetime import datetime

import mongomock
import pytest

from calendar_app.domain.kinds import EVENT, SERIES
from calendar_app.sources.doubles import Doubles
from calendar_app.storage.mongo.store import Store

NOW = datetime.fromisoformat("2030-01-01")


@pytest.fixture
def doubles():
    store = Store(mongomock.MongoClient()["calendar"])
    store["events"].insert_many([{"_id": number} for number in (1, 2, 3)])
    return Doubles(store, (EVENT, SERIES), lambda: NOW)


def pair(first, second, state="open"):
    ids = [first, second]
    return {"_id": f"{first} {second}", "events": ids, "owners": ids, "state": state}


@pytest.mark.parametrize(
    ("present", "taken", "after"),
    [
        ([], ["1 3"], {"1 3": "open"}),
        ([pair(1, 3)], [], {"1 3": "open"}),
        # What people have decided stays so.
        ([pair(1, 3, "different")], [], {"1 3": "different"}),
    ],
)
def test_open_pair_is_one_of_the_event_that_stays(doubles, present, taken, after):
    stored = doubles.store["source_doubles"]
    stored.insert_many([pair(2, 3), *present])
    pairs = doubles.take_over(2, 1)
    assert ([each["_id"] for each in pairs.pairs], list(pairs.made)) == (["2 3"], taken)
    assert {each["_id"]: each["state"] for each in stored.find({})} == after


def test_pair_of_the_two_events_is_gone(doubles):
    stored = doubles.store["source_doubles"]
    stored.insert(pair(1, 2))
    assert doubles.take_over(2, 1).made == []
    assert stored.find({}) == []


def test_decided_pair_stays_that_of_the_former_event(doubles):
    stored = doubles.store["source_doubles"]
    stored.insert(pair(2, 3, "different"))
    assert doubles.take_over(2, 1).pairs == []
    assert [each["_id"] for each in stored.find({})] == ["2 3"]
