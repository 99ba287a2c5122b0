"""Values are kept until something that answers show is written, by whomever."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest
from serving import wait_for
from shared_writes import ASKED, CASES, share, share_alone

from calendar_app.cli.indexing import make_indexes
from calendar_app.errors import DuplicateKey
from calendar_app.settings import Settings
from calendar_app.storage.mongo.marks import WRITERS, mark_everything
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.transactions import count_round_trips_anew, round_trips

ANOTHER_PROCESS = """
import sys
from pathlib import Path
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.last_write import share_last_write
from calendar_app.storage.mongo.store import Store

uri, *files = sys.argv[1:]
database = open_database(uri)
for file in files:
    share_last_write(database, Path(file))
Store(database)["events"].insert({"_id": 2})
"""
ENDS_AFTER_THE_COMMIT = """
import os
from calendar_app.storage.mongo.last_write import LastWrite

LastWrite.end = lambda _: os._exit(0)
"""
WRITES = {
    "insert": lambda events: events.insert({"_id": 2}),
    "insert many": lambda events: events.insert_many([{"_id": 2}, {"_id": 3}]),
    "change": lambda events: events.change({"_id": 1}, {"$set": {"size": 2}}),
    "change all": lambda events: events.change_all({}, {"$set": {"size": 2}}),
    "change each": lambda events: events.change_each([({"_id": 1}, {"$set": {"size": 2}})]),
    "upsert": lambda events: events.upsert({"_id": 2}, {"$set": {"size": 2}}),
    "remove": lambda events: events.remove({"_id": 1}),
}


@pytest.fixture(params=CASES)
def shared_file(request, database, tmp_path, monkeypatch):
    """Return the file that tells the last write to all processes; none where others may write."""
    if request.param == ASKED:
        return None
    file = tmp_path / "last-write"
    share_alone(monkeypatch, database, file)
    return file


@pytest.fixture
def store(database, clock, shared_file):
    """Return a store with a clock that stands, so that no edition ends by itself."""
    del shared_file
    store = Store(database, clock=clock)
    store["events"].insert({"_id": 1, "size": 1})
    return store


@pytest.fixture
def elsewhere(database, clock):
    """Return the store of another process."""
    return Store(database, clock=clock)


@pytest.fixture
def edition(store):
    """Return who asks the edition that one would read now."""
    return store.latest_edition


def outlasts(edition, work):
    """Say whether the edition is the same after some work."""
    before = edition()
    work()
    return edition() is before


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_every_write_of_another_process_ends_the_edition(edition, elsewhere, write):
    before = edition()
    write(elsewhere["events"])
    assert edition() is not before


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_every_write_in_a_transaction_ends_the_edition(edition, elsewhere, write):
    before = edition()
    elsewhere.transact(lambda: write(elsewhere["events"]))
    assert edition() is not before


@pytest.mark.parametrize(
    "work",
    [
        lambda store: store.database.client["neighbor"]["notes"].insert_one({}),
        lambda store: store.database.client.admin.command("appendOplogNote", 1, data={"no": "op"}),
        lambda store: store.next_id("events"),
        lambda store: store["sessions"].insert({}),
        lambda store: store["events"].change({"_id": 99}, {"$set": {"size": 9}}),
        lambda store: store.transact(lambda: store["events"].lock_document({"_id": 1})),
        lambda store: store.transact(lambda: store["events"].find({})),
    ],
    ids=["neighbor", "no-op", "id", "session", "nothing matches", "lock", "read"],
)
def test_the_edition_outlasts_what_no_answer_shows(edition, elsewhere, work):
    assert outlasts(edition, lambda: work(elsewhere))


def test_a_transaction_that_fails_leaves_no_mark(edition, elsewhere):
    def work():
        elsewhere["events"].insert({"_id": 5})
        raise LookupError

    def fail():
        with suppress(LookupError):
            elsewhere.transact(work)

    assert outlasts(edition, fail)


def test_a_refused_write_is_refused_as_ever(store):
    with pytest.raises(DuplicateKey):
        store["events"].insert({"_id": 1})


def test_what_begins_earlier_and_commits_later_ends_the_edition(edition, store, elsewhere):
    editions = [edition()]

    def work():
        elsewhere["events"].insert({"_id": 7})
        with ThreadPoolExecutor(1) as pool:
            pool.submit(store["events"].upsert, {"_id": 8}, {"$set": {"size": 1}}).result()
            editions.append(pool.submit(edition).result())

    elsewhere.transact(work)
    editions.append(edition())
    assert len(set(map(id, editions))) == 3


def test_many_writers_never_meet_at_their_marks(edition, store, database):
    """Transactions of different documents that run at once are each attempted only once."""
    number = 6
    together, attempts = Barrier(number), []

    def write(writer):
        def work():
            attempts.append(writer)
            store["events"].insert({"_id": 100 + writer})
            if attempts.count(writer) == 1:
                together.wait()

        store.transact(work)

    store.transact(lambda: [store["events"].insert({"_id": 50})])
    before = edition()
    database.drop_collection("other")
    database.create_collection("other")  # so that nothing is left to be made
    with ThreadPoolExecutor(number) as pool:
        list(pool.map(write, range(number)))
    assert edition() is not before
    assert sorted(attempts) == list(range(number))


def test_an_earlier_snapshot_keeps_nothing_beside_a_later_one(store, elsewhere):
    def work():
        store["events"].find({})
        elsewhere["events"].insert({"_id": 9})
        with ThreadPoolExecutor(1) as pool:
            later = pool.submit(store.latest_edition).result()
        store.cached_values()["key"] = "of the earlier one"
        return later

    assert store.in_snapshot(work) is store.latest_edition()
    assert store.in_snapshot(lambda: (store["events"].find({}), store.cached_values())[1]) == {}


def test_a_new_writer_removes_the_marks_of_those_that_have_gone(
    edition, store, database, mongod_uri, shared_file
):
    idle_writer = {"_id": "gone", "n": 3, "at": datetime.now(UTC) - timedelta(days=1)}
    database[WRITERS].insert_one(idle_writer)
    before = edition()
    insert_elsewhere(mongod_uri, shared_file)
    assert database[WRITERS].find_one({"_id": "gone"}) is None
    assert edition() is not before
    assert store["events"].count({}) == 2


def insert_elsewhere(uri, shared_file=None, first=""):
    """Insert an event in another process, which shares the last write or does not."""
    files = [shared_file] if shared_file else []
    subprocess.run([sys.executable, "-c", first + ANOTHER_PROCESS, uri, *files], check=True)


def test_mongodb_is_not_asked_while_no_process_here_writes(edition, shared_file):
    before = edition()
    count_round_trips_anew()
    assert edition() is before
    assert round_trips() == (0 if shared_file else 1)


def test_a_write_by_a_process_that_shares_nothing_is_seen_within_seconds(
    database, clock, mongod_uri, tmp_path, monkeypatch
):
    share(monkeypatch, database, tmp_path / "last-write")
    edition = Store(database, clock=clock).latest_edition
    before = edition()
    insert_elsewhere(mongod_uri)
    wait_for(lambda: edition() is not before, 3)


def test_what_a_process_wrote_that_ended_before_it_could_say_so_is_seen(
    edition, shared_file, mongod_uri
):
    before = edition()
    insert_elsewhere(mongod_uri, shared_file, ENDS_AFTER_THE_COMMIT)
    after = edition()
    assert after is not before
    assert edition() is after


def test_what_everything_changed_ends_the_edition(edition, database):
    before = edition()
    mark_everything(database)
    assert edition() is not before


def test_shown_collections_are_never_written_without_a_mark(store):
    with pytest.raises(ValueError, match="events"):
        store["events"].add_unjournaled([{"_id": 4}])
    with pytest.raises(ValueError, match="events"):
        store["events"].upsert_unjournaled({"_id": 4}, {"$set": {"size": 1}})


def test_edition_ends_at_the_full_minute(edition, clock):
    before = edition()
    clock.advance(seconds=59)
    assert edition() is before
    clock.advance(seconds=1)
    assert edition() is not before


def test_what_an_earlier_version_has_written_is_kept(database, clock):
    database["events"].insert_one({"_id": 1})
    store = Store(database, clock=clock)
    make_indexes(store, Settings.load())
    assert outlasts(store.latest_edition, lambda: None)
    assert store.latest_edition() is not None
