"""Callbacks of a transaction run after its commit, and only then."""

from threading import Thread

import pytest

from calendar_app.api.http.request.state import get_services
from calendar_app.calendar.pictures.uploads import Upload
from calendar_app.errors import DuplicateKey
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.transactions import on_commit


def meet(store):
    """Let somebody else write to the first event meanwhile."""
    writer = Thread(target=store["events"].change, args=[{"_id": 0}, {"$set": {"size": 1}}])
    writer.start()
    writer.join()


@pytest.fixture
def store(database):
    return Store(database)


@pytest.fixture
def stored_counts():
    """Return the numbers of events that the callbacks have counted."""
    return []


@pytest.fixture
def insert(store, stored_counts):
    """Return a function that stores an event and registers a callback."""

    def work(number):
        store["events"].insert({"_id": number})
        on_commit(lambda: stored_counts.append(store["events"].count({})))

    return work


def test_callbacks_run_after_the_commit(store, insert, stored_counts):
    def work():
        insert(1)
        insert(2)
        assert stored_counts == []

    store.transact(work)
    assert stored_counts == [2, 2]


def test_failed_transaction_runs_no_callback(store, insert, stored_counts):
    def work():
        insert(1)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        store.transact(work)
    with pytest.raises(DuplicateKey):
        store.transact(lambda: (insert(1), insert(1)))
    assert stored_counts == []
    store.transact(lambda: insert(1))
    assert stored_counts == [1]


def test_aborted_attempt_leaves_no_callback(store, insert, stored_counts):
    store["events"].insert({"_id": 0, "size": 0})
    tries = []

    def work():
        tries.append(1)
        insert(len(tries))
        if len(tries) == 1:
            meet(store)
        store["events"].change({"_id": 0}, {"$set": {"size": 2}})

    store.transact(work)
    assert len(tries) == 2
    assert stored_counts == [2]


def test_callback_of_a_joined_transaction_waits_for_the_commit(store, insert, stored_counts):
    def work():
        store.transact(lambda: insert(1))
        assert stored_counts == []

    store.transact(work)
    assert stored_counts == [1]


def test_callback_outside_a_transaction_runs_at_once(insert, stored_counts):
    insert(1)
    assert stored_counts == [1]


def files_of(database):
    return database["files.files"].distinct("_id")


def test_upload_that_begins_again_leaves_the_files_of_one_picture(app, png, store, database):
    store["events"].insert({"_id": 0, "size": 0})
    pictures, tries = get_services(app).pictures, []

    def work():
        picture = pictures.contribute(Upload(png, "poster.png"), "de")
        if not tries:
            meet(store)
        tries.append(picture)
        store["events"].change({"_id": 0}, {"$set": {"size": 2}})

    store.transact(work)
    assert len(tries) == 2
    assert {name.partition("/")[0] for name in files_of(database)} == {str(tries[1]["_id"])}


def test_upload_leaves_no_files_when_the_transaction_around_it_fails(app, png, store, database):
    def work():
        get_services(app).pictures.contribute(Upload(png, "poster.png"), "de")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        store.transact(work)
    assert files_of(database) == []
    assert database["files.chunks"].count_documents({}) == 0
