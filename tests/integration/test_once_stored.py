"""What follows from a transaction is done when that one is stored, and else not at all."""

from threading import Thread

import pytest

from calendar_app.errors import DuplicateKey
from calendar_app.mongo.store import Store
from calendar_app.mongo.transactions import on_commit

pytestmark = pytest.mark.needs_mongodb


def meet(store):
    """Let somebody else write to the first event meanwhile."""
    other = Thread(target=store["events"].change, args=[{"_id": 0}, {"$set": {"size": 1}}])
    other.start()
    other.join()


@pytest.fixture
def store(database):
    return Store(database)


@pytest.fixture
def seen():
    """Return a list of how many events were stored, as what follows has seen it each time."""
    return []


@pytest.fixture
def insert(store, seen):
    """Return what stores an event, and what follows from that."""

    def work(number):
        store["events"].insert({"_id": number})
        on_commit(lambda: seen.append(store["events"].count({})))

    return work


def test_it_follows_when_everything_is_stored(store, insert, seen):
    def work():
        insert(1)
        insert(2)
        assert seen == []

    store.transact(work)
    assert seen == [2, 2]


def test_nothing_follows_from_what_fails(store, insert, seen):
    def work():
        insert(1)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        store.transact(work)
    with pytest.raises(DuplicateKey):
        store.transact(lambda: (insert(1), insert(1)))
    assert seen == []
    store.transact(lambda: insert(1))
    assert seen == [1]


def test_an_attempt_that_met_another_writer_leaves_nothing_to_do(store, insert, seen):
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
    assert seen == [2]


def test_what_joins_a_transaction_waits_for_its_end(store, insert, seen):
    def work():
        store.transact(lambda: insert(1))
        assert seen == []

    store.transact(work)
    assert seen == [1]


def test_outside_a_transaction_it_follows_at_once(insert, seen):
    insert(1)
    assert seen == [1]
