"""What every kind of test shares: empty databases, on mongomock and on a real mongod."""

import tempfile

import mongomock
import pytest
from mongomock.gridfs import enable_gridfs_integration
from pymongo import WriteConcern

from calendar_app.storage.connection import open_database
from calendar_app.storage.embedded.supervisor import open_own_mongod

enable_gridfs_integration()


def pytest_generate_tests(metafunc):
    """Run what asks for a database on both, and what mongomock cannot do on the real one alone."""
    if "database" in metafunc.fixturenames:
        real_only = metafunc.definition.get_closest_marker("needs_mongodb")
        both = ["mongodb"] if real_only else ["mongomock", "mongodb"]
        metafunc.parametrize("database", both, indirect=True)


@pytest.fixture(scope="session")
def mongod_uri():
    """Return the address of a real mongod; the session fails where none can be started."""
    with (
        tempfile.TemporaryDirectory(prefix="calendar-test-") as directory,
        open_own_mongod(directory) as mongod,
    ):
        yield mongod.uri


@pytest.fixture(scope="session")
def _real_database(mongod_uri):
    database = open_database(mongod_uri)
    yield database
    database.client.close()


@pytest.fixture
def database(request):
    """Return an empty database; indexes that an earlier test made may be there."""
    if request.param == "mongomock":
        yield mongomock.MongoClient()["calendar"]
        return
    real = request.getfixturevalue("_real_database")
    yield real
    _empty(real)


@pytest.fixture
def bare_database(mongod_uri):
    """Return a real database that has no collections, thus no indexes; slower than the other."""
    database = open_database(mongod_uri.replace("/calendar?", "/bare?"))
    yield database
    database.client.drop_database("bare")
    database.client.close()


def _empty(database):
    hasty = WriteConcern(w=1, j=False)
    for name in database.list_collection_names(filter={"type": "collection"}):
        if not name.startswith("system."):
            database.get_collection(name, write_concern=hasty).delete_many({})
