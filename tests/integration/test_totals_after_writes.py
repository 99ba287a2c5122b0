"""After a write, totals are brought up to date by a look at what was written, not at the rest."""

from random import Random

import pytest
from asking import Asked, heard
from bson import Timestamp
from pymongo.collection import Collection
from pymongo.errors import OperationFailure

from calendar_app.query.clauses import EVERYTHING, all_of, at_least, equals, one_of
from calendar_app.storage.collection import RecordCollection
from calendar_app.storage.snapshots import at_one_moment, note_moment
from calendar_app.storage.store import Store
from calendar_app.storage.written import WriteLog

pytestmark = pytest.mark.needs_mongodb

# Errors of MongoDB.
UNAUTHORIZED, CAPPED_POSITION_LOST = 13, 136
WANTED = [EVERYTHING, at_least("size", 5), one_of("size", [1, 2]), equals("colour", "red")]


@pytest.fixture
def store(database):
    return Store(database)


@pytest.fixture
def counting(database):
    """Return events whose totals are brought up to date however few they are."""
    return RecordCollection(database, "events", worthwhile=0)


def totals(database, counting, wanted=WANTED):
    def work():
        counting.first(equals("_id", 1))
        return [counting.count(each) for each in wanted]

    return at_one_moment(database, work)


def write_something(store, random, number):
    """Make, change or delete a few documents, alone or in one transaction, here or elsewhere."""
    events, some = store["events"], [random.randrange(60) for _ in range(3)]

    def make():
        events.insert({"_id": 100 + number, "size": random.randrange(9)})

    def make_many():
        events.insert_many([{"_id": 1000 * number + each, "size": each} for each in range(5)])

    def change():
        events.change(one_of("_id", some), {"$set": {"size": random.randrange(9), "colour": "red"}})

    def change_many():
        events.change_all(at_least("size", 7), {"$inc": {"size": -random.randrange(9)}})

    def delete():
        events.remove(one_of("_id", some))

    def all_at_once():
        store.transact(lambda: [make(), change(), delete(), elsewhere()])

    def back_and_forth():
        change()
        store.transact(lambda: [events.insert({"_id": -1}), events.remove(equals("_id", -1))])

    def elsewhere():
        store["venues"].upsert({"_id": 1}, {"$inc": {"size": 1}})

    writes = (make, make_many, change, change_many, delete, all_at_once, back_and_forth, elsewhere)
    random.choice(writes)()


@pytest.mark.parametrize("seed", range(6))
def test_totals_are_those_of_a_fresh_count_after_any_write(database, store, counting, seed):
    random = Random(seed)  # noqa: S311 - nothing secret, and the same at each run
    store["venues"].insert({"_id": 1, "size": 1})
    store["events"].insert_many([{"_id": n, "size": n % 9} for n in range(60)])
    for number in range(1, 25):
        # Totals that nobody asks for a while are brought up to date over several writes.
        asked = WANTED if random.random() < 0.5 else WANTED[:1]
        told = totals(database, counting, asked)
        assert told == [database["events"].count_documents(each) for each in asked]
        write_something(store, random, number)
    assert totals(database, counting) == [database["events"].count_documents(w) for w in WANTED]


class Told(Asked):
    """Keeps commands, and tells the moments of answers as connections of the service do."""

    def succeeded(self, event):
        note_moment(event.reply)


@pytest.fixture
def asked():
    return Told("aggregate", "find", "count")


@pytest.fixture
def watched(mongod_uri, asked):
    """Return a database with a thousand events whose queries are kept."""
    with heard(mongod_uri, "brought_up", asked) as database:
        database["events"].insert_many([{"_id": n, "slugs": [n], "size": n} for n in range(1500)])
        yield database


def counted_in_full(asked, wanted):
    """Return the counts that were asked for of more than what was written."""
    matches = [{"$match": wanted}]
    return [one for one in asked.commands if one.get("pipeline", [])[:1] == matches]


def test_after_a_write_only_what_was_written_is_counted(watched, asked):
    events = RecordCollection(watched, "events", worthwhile=1000)
    wanted = at_least("size", 0)
    assert totals(watched, events, [wanted]) == [1500]
    asked.commands.clear()
    watched["events"].insert_one({"_id": 5000, "slugs": [5000], "size": 5000})
    assert totals(watched, events, [wanted]) == [1501]
    assert not counted_in_full(asked, wanted)
    counts = [one for one in asked.commands if one.get("aggregate") == "events"]
    assert [one["pipeline"][0]["$match"] for one in counts] == 2 * [
        all_of([wanted, one_of("_id", [5000])])
    ]


def test_after_a_write_no_question_takes_longer_than_it_may(watched, asked):
    events = RecordCollection(watched, "events", timeout=5000, worthwhile=1000)
    assert totals(watched, events, [EVERYTHING]) == [1500]
    watched["events"].delete_one({"_id": 5})
    asked.commands.clear()
    assert totals(watched, events, [EVERYTHING]) == [1499]
    assert len(asked.commands) == 4
    assert all(0 < one["maxTimeMS"] <= 5000 for one in asked.commands)


def test_after_a_write_elsewhere_nothing_is_counted(watched, asked):
    events = RecordCollection(watched, "events", worthwhile=1000)
    assert totals(watched, events, [EVERYTHING]) == [1500]
    asked.commands.clear()
    watched["venues"].insert_one({"_id": 1})
    assert totals(watched, events, [EVERYTHING]) == [1500]
    assert not [one for one in asked.commands if one.get("aggregate")]


def test_after_many_writes_elsewhere_nothing_is_counted(watched, asked):
    events = RecordCollection(watched, "events", worthwhile=1000)
    assert totals(watched, events, [EVERYTHING]) == [1500]
    watched["venues"].insert_many([{"_id": n, "slugs": [n]} for n in range(3000)])
    watched["events"].delete_one({"_id": 5})
    asked.commands.clear()
    assert totals(watched, events, [EVERYTHING]) == [1499]
    assert not counted_in_full(asked, EVERYTHING)


def test_behind_a_large_write_all_is_counted(watched, asked):
    events = RecordCollection(watched, "events", worthwhile=1000)
    assert totals(watched, events, [EVERYTHING]) == [1500]
    asked.commands.clear()
    more = [{"_id": n, "slugs": [n], "size": n} for n in range(2000, 3200)]
    watched["events"].insert_many(more)
    assert totals(watched, events, [EVERYTHING]) == [2700]
    assert counted_in_full(asked, EVERYTHING)


def test_a_collection_that_was_emptied_and_filled_anew_is_counted(watched):
    events = RecordCollection(watched, "events", worthwhile=1000)
    assert totals(watched, events, [EVERYTHING]) == [1500]
    watched.drop_collection("events")
    watched["events"].insert_many([{"_id": n} for n in range(1200)])
    assert totals(watched, events, [EVERYTHING]) == [1200]


def moment(store):
    return store.at_one_moment(lambda: (store["events"].first(EVERYTHING), store.moment())[1])


def test_a_log_that_does_not_reach_back_tells_nothing(database, store):
    store["events"].insert({"_id": 1})

    now, log = moment(store), WriteLog(database)
    assert log.between("events", Timestamp(1, 1), now) is None
    assert log.between("events", now, Timestamp(now.time + 60, 1)) is None
    store["events"].remove(equals("_id", 1))
    assert log.between("events", now, moment(store)) == {1}


@pytest.mark.parametrize(("code", "told"), [(UNAUTHORIZED, None), (CAPPED_POSITION_LOST, {1})])
def test_a_log_that_could_not_be_read_once_is_read_again_unless_it_is_forbidden(
    database, store, monkeypatch, code, told
):
    def refuse(*_, **__):
        raise OperationFailure("Refused.", code)

    store["events"].insert({"_id": 0})
    before, log = moment(store), WriteLog(database)
    store["events"].insert({"_id": 1})
    after = moment(store)
    with monkeypatch.context() as refusing:
        refusing.setattr(Collection, "find", refuse)
        assert log.between("events", before, after) is None
    assert log.between("events", before, after) == told


def test_a_transaction_that_takes_several_entries_of_the_log_is_counted(database, store, counting):
    store["events"].insert_many([{"_id": n, "size": n} for n in range(5)])
    assert totals(database, counting, [EVERYTHING]) == [5]
    large = "x" * 9_000_000

    def work():
        store["events"].insert({"_id": 10, "text": large})
        store["events"].insert({"_id": 11, "text": large})
        store["events"].remove(equals("_id", 3))

    store.transact(work)
    assert totals(database, counting, [EVERYTHING]) == [6]
