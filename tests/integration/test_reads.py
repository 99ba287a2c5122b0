"""What is read comes whole, also where it is large and where a connection breaks."""

import pytest
from pymongo.database import Database
from pymongo.errors import AutoReconnect, OperationFailure, ServerSelectionTimeoutError

from calendar_app.errors import Unavailable
from calendar_app.storage.store import Store

pytestmark = pytest.mark.needs_mongodb

NUMBERS = range(400)
EVERY = [{"$match": {}}]


@pytest.fixture
def store(database):
    return Store(database)


@pytest.fixture
def notes(store):
    store["notes"].insert_many([{"_id": number} for number in NUMBERS])
    return store["notes"]


@pytest.fixture
def breaking(monkeypatch):
    """Return what lets the next command fail."""
    command = Database.command

    def let(error=None):
        def broken(*_, **__):
            monkeypatch.setattr(Database, "command", command)
            raise error or AutoReconnect

        monkeypatch.setattr(Database, "command", broken)

    return let


def found(notes):
    return [note["_id"] for note in notes.find({}, order=[("_id", 1)])]


def made(notes):
    return sorted(note["_id"] for note in notes.aggregate(EVERY))


@pytest.mark.parametrize("read", [found, made])
def test_where_the_connection_breaks_it_is_asked_once_more(store, notes, breaking, read):
    breaking()
    assert store.at_one_moment(lambda: read(notes)) == list(NUMBERS)


@pytest.mark.parametrize("code", [6, 7, 89, 134, 262, 9001])
def test_what_passes_is_asked_once_more(store, notes, breaking, code):
    breaking(OperationFailure("", code))
    assert store.at_one_moment(lambda: found(notes)) == list(NUMBERS)


@pytest.mark.parametrize("error", [ServerSelectionTimeoutError(), OperationFailure("", 26)])
def test_what_lasts_is_told_at_once(store, notes, breaking, error):
    breaking(error)
    with pytest.raises((Unavailable, OperationFailure)):
        store.at_one_moment(lambda: found(notes))


def test_a_transaction_that_loses_its_connection_stores_nothing(store, notes, breaking):
    def work():
        notes.insert({"_id": "new"})
        breaking()
        return found(notes)

    with pytest.raises(Unavailable):
        store.transact(work)
    assert notes.first({"_id": "new"}) is None


@pytest.mark.parametrize("read", [found, made])
def test_more_than_fits_into_one_answer_comes_whole_and_leaves_nothing_open(
    store, notes, database, read
):
    notes.change_all({}, {"$set": {"text": "x" * 50_000}})
    before = open_cursors(database)
    assert store.at_one_moment(lambda: read(notes)) == list(NUMBERS)
    assert open_cursors(database) == before


def open_cursors(database):
    return database.command("serverStatus")["metrics"]["cursor"]["open"]["total"]


def test_no_fields_mean_the_id_alone(store, notes):
    notes.change_all({}, {"$set": {"text": "x"}})
    one = store.at_one_moment(lambda: notes.first({"_id": 1}, []))
    assert one == {"_id": 1}
