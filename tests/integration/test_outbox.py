"""The outbox has every write once, in the order of commits, whatever commits late."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from calendar_app.errors import ChangesGone
from calendar_app.storage.mongo.marks import OUTBOX, WRITERS, Before, mark_everything
from calendar_app.storage.mongo.outbox import Outbox, Position
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.transactions import note_before
from calendar_app.storage.query.clauses import EVERYTHING, at_least, equals

DAYS = 30
ANOTHER_PROCESS = """
import sys
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.store import Store
Store(open_database(sys.argv[1]))["events"].insert({"_id": 2})
"""


@pytest.fixture
def store(database):
    store = Store(database)
    store["venues"].insert({"_id": 1, "size": 1})
    return store


@pytest.fixture
def outbox(store):
    return Outbox(store, DAYS)


@pytest.fixture
def follower(outbox):
    """Return who reads all that was written since they read last, in pages of some entries."""
    position = outbox.now()

    def follow(limit=100):
        nonlocal position
        read, more = [], True
        while more:
            # Positions are kept as texts.
            page = outbox.read(Position.parse(position.text), limit)
            assert len(page.entries) <= limit
            position, more = page.next, page.more
            read += [(name, ids) for entry in page.entries for name, ids in entry.written.items()]
        return read

    return follow


def test_each_write_is_read_once_in_the_order_of_commits(store, follower):
    store["events"].insert_many([{"_id": 1}, {"_id": 2}])
    store["venues"].change({"_id": 1}, {"$set": {"size": 2}})
    store["events"].remove(equals("_id", 2))
    assert follower() == [("events", [1, 2]), ("venues", [1]), ("events", [2])]
    assert follower() == []
    store["tags"].insert({"_id": 7})
    assert follower() == [("tags", [7])]


def test_what_a_clause_decides_is_told_by_its_ids(store, follower):
    store["events"].insert_many([{"_id": number, "size": number} for number in range(5)])
    follower()
    store["events"].change_all(at_least("size", 3), {"$inc": {"size": 1}})
    store["events"].remove(at_least("size", 5))
    assert follower() == [("events", [3, 4]), ("events", [4])]


def test_a_transaction_that_fails_or_writes_nothing_is_not_read(store, follower):
    def fail():
        store["events"].insert({"_id": 5})
        raise LookupError

    with suppress(LookupError):
        store.transact(fail)
    store["events"].change({"_id": 99}, {"$set": {"size": 1}})
    store["sessions"].insert({"_id": "unshown"})
    assert follower() == []


def test_what_begins_earlier_and_commits_later_is_read_afterwards(store, follower):
    def work():
        store["events"].insert({"_id": 1})
        with ThreadPoolExecutor(1) as pool:
            for number in (2, 3):
                pool.submit(store["events"].insert, {"_id": number}).result()
                assert pool.submit(follower).result() == [("events", [number])]

    store.transact(work)
    assert follower() == [("events", [1])]


@pytest.mark.parametrize("limit", [1, 2, 7, 100])
def test_pages_add_up_while_many_write(store, follower, limit):
    def write(worker):
        for number in range(12):
            store["events"].insert({"_id": worker * 100 + number})

    with ThreadPoolExecutor(5) as pool:
        writing = [pool.submit(write, worker) for worker in range(1, 5)]
        read = []
        while not all(each.done() for each in writing):
            read += follower(limit)
        read += follower(limit)
    ids = [number for _, own in read for number in own]
    assert sorted(ids) == sorted(w * 100 + number for w in range(1, 5) for number in range(12))
    for worker in range(1, 5):
        own = [number for number in ids if number // 100 == worker]
        assert own == sorted(own)


def test_a_large_transaction_is_read_in_parts(store, follower, monkeypatch):
    monkeypatch.setattr("calendar_app.storage.mongo.marks._MOST_IDS", 10)
    store["events"].insert_many([{"_id": number} for number in range(1, 26)])
    parts = [ids for _, ids in follower(1)]
    assert [len(ids) for ids in parts] == [10, 10, 5]
    assert sorted(number for ids in parts for number in ids) == list(range(1, 26))


def test_writes_of_processes_that_come_and_go_are_read_once(store, follower, database, mongod_uri):
    subprocess.run([sys.executable, "-c", ANOTHER_PROCESS, mongod_uri], check=True)
    store["events"].insert({"_id": 1})
    # An hour later somebody else registers, and all these marks are removed.
    an_hour_ago = datetime.now(UTC) - timedelta(hours=2)
    database[WRITERS].update_many({"at": {"$exists": True}}, {"$set": {"at": an_hour_ago}})
    third = ANOTHER_PROCESS.replace('"_id": 2', '"_id": 3')
    subprocess.run([sys.executable, "-c", third, mongod_uri], check=True)
    assert database[WRITERS].count_documents({"at": {"$exists": True}}) == 1
    assert follower(1) == [("events", [2]), ("events", [1]), ("events", [3])]
    # Whose mark was removed writes again, and a position without it goes on.
    store["events"].insert({"_id": 4})
    assert follower(1) == [("events", [4])]
    assert follower() == []


def test_an_entry_has_the_records_as_they_were(store, outbox):
    position = outbox.now()

    def work():
        store["events"].insert({"_id": 1})
        before = [Before("events", 1, None), Before("venues", 1, {"_id": 1, "size": 1})]
        note_before(before)

    store.transact(work)
    page = outbox.read(position)
    assert page.entries[0].changed == {("events", 1), ("venues", 1)}
    both = {"events": EVERYTHING, "venues": at_least("size", 1)}
    former = outbox.before(position, page.next, both)
    assert former == [("venues", {"_id": 1, "size": 1})]
    assert outbox.before(position, page.next, both, [2]) == []
    assert outbox.before(page.next, page.next, both) == []
    larger = {"venues": at_least("size", 2)}
    assert outbox.before(position, page.next, larger) == []


def test_who_waits_is_woken_by_a_write_elsewhere(store, outbox):
    position = outbox.now()
    assert not outbox.wait(position, 0)
    store["events"].insert({"_id": 1})
    assert outbox.wait(position, 0)


def test_a_position_of_another_database_is_refused(store, outbox, database):
    position = outbox.now()
    store["events"].insert({"_id": 1})
    ahead = outbox.now()
    future = replace(ahead, marks={writer: n + 1 for writer, n in ahead.marks.items()})
    with pytest.raises(ChangesGone):
        outbox.read(future)
    mark_everything(database)
    for each in (position, ahead):
        with pytest.raises(ChangesGone):
            outbox.read(each)
    assert outbox.read(outbox.now()).entries == []


def test_a_position_lives_as_long_as_its_entries_are_kept(store, outbox):
    position = outbox.now()
    store["events"].insert({"_id": 1})
    outbox.forget()
    assert len(outbox.read(position).entries) == 1
    old = replace(position, time=int(time.time()) - DAYS * 86400 - 1)
    with pytest.raises(ChangesGone):
        outbox.read(old)
    Outbox(store, -2).forget()
    assert store[OUTBOX].count(EVERYTHING) == 0
