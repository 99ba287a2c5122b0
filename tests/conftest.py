"""Fixtures for all tests: empty databases, callers of every role, and records."""

import dataclasses
import gc
import tempfile
from collections import Counter
from contextlib import closing, contextmanager
from copy import deepcopy
from functools import partial
from io import BytesIO
from itertools import count

import hypothesis
import mongomock
import mongomock_additions
import pytest
from calling import SECRET, SITE, Client
from clock import NOON, Clock
from emptying import WrittenDocuments, replace_all
from PIL import Image
from pymongo.database import Database

from calendar_app.accounts.users import Accounts
from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.assembly.indexes import declared_indexes
from calendar_app.settings import Settings
from calendar_app.storage.embedded.supervisor import open_own_mongod
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.indexes import ensure_indexes
from calendar_app.storage.mongo.store import Store

pytest_plugins = ["running"]

mongomock_additions.install()

# How long an example takes says how busy the machine is.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")


def pytest_collection(session):
    """Collect no garbage while tests are collected, which last; it took an eighth of it."""
    # The process that hands tests out collects none, and ends no collection.
    if not session.config.pluginmanager.has_plugin("dsession"):
        gc.disable()


def pytest_collection_finish():
    """Let the collector of garbage pass over tests and modules, which last; it took an eighth."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000)


# Two authors and two contributors, to test ownership.
USERS = {
    "admin": "administrator",
    "editor": "editor",
    "author": "author",
    "contributor": "contributor",
    "subscriber": "subscriber",
    "author2": "author",
    "contributor2": "contributor",
}


@pytest.fixture(scope="session")
def mongod_uri():
    """Return the address of a real mongod; the session fails where none can be started."""
    with (
        tempfile.TemporaryDirectory(prefix="calendar-test-") as directory,
        open_own_mongod(directory) as mongod,
    ):
        yield mongod.uri


@pytest.fixture(scope="session")
def _mongomock():
    database = mongomock.MongoClient()["calendar"]
    return database, partial(replace_all, database)


@pytest.fixture(scope="session")
def _mongodb(mongod_uri):
    with _indexed(mongod_uri) as database:
        collections = WrittenDocuments(database)
        yield database, collections.replace, collections


@pytest.fixture(scope="module")
def _lasting_mongomock(_user_documents):
    database = mongomock.MongoClient()["lasting"]
    _add_users(database, _user_documents)
    return database


@pytest.fixture(scope="module")
def _lasting_mongodb(mongod_uri, _user_documents):
    with _indexed(mongod_uri.replace("/calendar?", "/lasting?")) as database:
        _add_users(database, _user_documents)
        yield database
        database.client.drop_database(database.name)


@contextmanager
def _indexed(uri):
    database = open_database(uri)
    settings = Settings.load(environment={}, languages=["de", "rm"], default_language="de")
    with closing(database.client):
        ensure_indexes(Store(database), declared_indexes(settings))
        yield database


@pytest.fixture
def database(request):
    """Return a database with nothing but the users of ``app``; the real one has all indexes.

    Tests that are ``lasting`` share one with those of their file, as these have left it.
    """
    if request.node.get_closest_marker("lasting"):
        return request.getfixturevalue(f"_lasting_{request.param}")
    database, replace, *_ = request.getfixturevalue(f"_{request.param}")
    with_users = "app" in request.fixturenames
    replace(request.getfixturevalue("_user_documents") if with_users else {})
    return database


@pytest.fixture(scope="module")
def _filled_before():
    return {}


@pytest.fixture
def _keep(database, request, _filled_before):
    """Return a function that fills MongoDB once for a file; see ``keeping``."""
    if not isinstance(database, Database) or request.node.get_closest_marker("lasting"):
        return lambda _, filling: filling()
    collections = request.getfixturevalue("_mongodb")[2]

    def fill(name, filling):
        collections.require_unwritten()
        if name in _filled_before:
            result, documents = _filled_before[name]
            collections.restore(documents)
        else:
            result = filling()
            _filled_before[name] = deepcopy(result), collections.read_changed()
        return deepcopy(result)

    return fill


@pytest.fixture
def bare_uri(mongod_uri):
    """Return the address of a real database that has no collections, thus no indexes."""
    uri = mongod_uri.replace("/calendar?", "/bare?")
    yield uri
    database = open_database(uri)
    with closing(database.client):
        database.client.drop_database("bare")


@pytest.fixture
def bare_database(bare_uri):
    """Return that database; slower than the other one."""
    database = open_database(bare_uri)
    with closing(database.client):
        yield database


@pytest.fixture(scope="session")
def _clock():
    return Clock()


@pytest.fixture
def clock(_clock):
    """Return a clock that shows noon (UTC) of 15 January 2030."""
    _clock.now = NOON
    return _clock


@pytest.fixture(scope="session")
def settings():
    """Return the settings of a site in Zurich, in German and Romansh."""
    return Settings.load(
        environment={},
        site_url=SITE,
        languages=["de", "rm"],
        default_language="de",
        timezone="Europe/Zurich",
    )


@pytest.fixture(scope="session")
def _user_documents():
    """Return the documents of all users; made once, since hashing secrets is slow on purpose."""
    database = mongomock.MongoClient()["calendar"]
    accounts = Accounts(Store(database), lambda: NOON, 30)
    for number, (name, role) in enumerate(USERS.items(), start=1):
        accounts.add(name, role, id=number, secret=SECRET)
    return {name: list(database[name].find()) for name in ("users", "keys", "sequences")}


def _add_users(database, documents):
    for name, rows in documents.items():
        database[name].insert_many(rows)


@pytest.fixture(scope="session")
def _apps():
    return {}


@pytest.fixture
def app(settings, database, clock, _apps):
    """Return the service over the database; with one user of every role.

    Cached per database and settings, since creating it is slower than most tests.
    """
    key = (id(database), settings)
    if key not in _apps:
        _apps[key] = create_app(settings, database, clock)
    return _apps[key]


@pytest.fixture
def publish_after(app, clock):
    """Return a function that advances the clock and publishes due events, like the timer."""

    def publish(**duration):
        clock.advance(**duration)
        return get_services(app).scheduler.publish_due()

    return publish


@pytest.fixture
def anyone(app):
    """Return a client that does not say who calls."""
    return Client(app)


def _calling_as(name):
    @pytest.fixture(name=f"as_{name}")
    def signed_in(app):
        return Client(app, name, list(USERS).index(name) + 1)

    return signed_in


as_admin = _calling_as("admin")
as_editor = _calling_as("editor")
as_author = _calling_as("author")
as_contributor = _calling_as("contributor")
as_subscriber = _calling_as("subscriber")
as_author2 = _calling_as("author2")
as_contributor2 = _calling_as("contributor2")


@pytest.fixture
def calling_as(app):
    """Return a function that makes a client of a user's name; ``None`` calls as nobody."""

    def client(name):
        return Client(app, name, list(USERS).index(name) + 1 if name else 0)

    return client


@pytest.fixture
def app_of_worker(settings, database, clock, _apps):
    """Return a function that gives the service of another worker, with some settings changed.

    Within a test each call gives another one; they are kept for other tests like ``app``.
    """
    given = Counter()

    def give(**changed):
        own = dataclasses.replace(settings, **changed)
        given[own] += 1
        key = (id(database), own, given[own])
        if key not in _apps:
            _apps[key] = create_app(own, database, clock)
        return _apps[key]

    return give


@pytest.fixture
def worker(app_of_worker):
    """Return a function that makes a client of another worker on the same database."""

    def client(name=None, **changed):
        app = app_of_worker(**changed)
        return Client(app, name, list(USERS).index(name) + 1 if name else 0)

    return client


@pytest.fixture
def new_callers(settings, database, clock):
    """Return a function that makes clients of a worker that has kept and counted nothing yet.

    Revisions and ids begin again with each test: what a worker has kept of a record of one test
    would be taken for that of another.
    """

    def clients(*names, **changed):
        app = create_app(dataclasses.replace(settings, **changed), database, clock)
        return [Client(app, name, list(USERS).index(name) + 1 if name else 0) for name in names]

    return clients


@pytest.fixture
def new_worker(new_callers):
    """Return a function that makes the only client of such a worker."""

    def client(name=None, **changed):
        (only,) = new_callers(name, **changed)
        return only

    return client


def _maker(kind, collection, **usual):
    """Return a fixture that creates records with default fields.

    ``by`` is the client that creates, else the administrator. The ``{}`` in a usual value is a
    number that no other record has.
    """

    @pytest.fixture(name=f"make_{kind}")
    def maker(as_admin):
        numbers = count(1)

        def make(by=None, **changes):
            number = next(numbers)
            body = {name: value.format(number) for name, value in usual.items()} | changes
            answer = (by or as_admin).post(f"/{collection}", **body)
            assert answer.status_code == 201, answer.json
            return answer.json

        return make

    return maker


@pytest.fixture(scope="session")
def png():
    """Return a picture that is large enough to have smaller sizes."""
    file = BytesIO()
    Image.new("RGB", (400, 300), "navy").save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def upload(as_author, png):
    """Return a function that uploads a picture, by default as an author."""

    def take(by=as_author, name="poster.png", **texts):
        answer = by.send("POST", "/media", data={"file": (BytesIO(png), name), **texts})
        assert answer.status_code == 201, answer.json
        return answer.json

    return take


make_event = _maker(
    "event",
    "events",
    title="Event {}",
    start_date="2030-03-10 19:00:00",
    end_date="2030-03-10 22:00:00",
)
make_venue = _maker("venue", "venues", venue="Venue {}")
make_organizer = _maker("organizer", "organizers", organizer="Organizer {}")
make_category = _maker("category", "categories", name="Category {}")
make_tag = _maker("tag", "tags", name="Tag {}")
