"""Reads from secondaries show each acknowledged write, while members are locked and lost too."""

import os
from contextlib import ExitStack, closing, nullcontext
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from calling import SECRET, Client
from replica_set import repeated, three_members

from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.cli.indexing import make_indexes
from calendar_app.settings import Settings
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.store import Store

pytestmark = pytest.mark.timeout(0)

# `make test-secondaries` compares 2,000.
READS = int(os.environ.get("SECONDARY_READS", "200"))


@pytest.fixture(scope="module")
def replica_set(tmp_path_factory):
    with three_members(tmp_path_factory.mktemp("three")) as replica_set:
        yield replica_set


@pytest.fixture(scope="module")
def settings(replica_set):
    return Settings.load(mongodb_uri=replica_set.uri, mongodb_reads="secondary")


@pytest.fixture(scope="module")
def opened(settings):
    """Return who opens one more application, as another process would."""
    with ExitStack() as stack:

        def open_app():
            database = open_database(settings.mongodb_uri)
            stack.enter_context(closing(database.client))
            return create_app(settings, database, lambda: datetime.now(UTC))

        database = open_database(settings.mongodb_uri)
        stack.enter_context(closing(database.client))
        make_indexes(Store(database), settings)
        yield open_app


class Calendar:
    """An event that is written through one application, and read through another one."""

    def __init__(self, writer, reader):
        self._writer, self._reader = writer, reader
        day = (datetime.now(UTC) + timedelta(days=9)).date()
        dates = {"start_date": f"{day} 10:00:00", "end_date": f"{day} 12:00:00"}
        event = {"title": "Nr. 0", "status": "publish", **dates}
        self._path = f"/events/{writer.post('/events', **event).json['id']}"
        self._numbers = count(1)

    def read(self, **query):
        return repeated(lambda: self._reader.get("/events", **query))

    def stale_reads(self):
        """Write once, and return how many of two reads do not show it."""
        title = f"Nr. {next(self._numbers)}"
        repeated(lambda: self._writer.patch(self._path, title=title))
        page = repeated(lambda: self._reader.send("GET", "/events/list/", base="")).text
        return (self.read().json["events"][0]["title"] != title) + (title not in page)


@pytest.fixture(scope="module")
def calendar(opened):
    app = opened()
    get_services(app).accounts.add("editor", "editor", id=1, secret=SECRET)
    return Calendar(Client(app, "editor", 1), Client(opened()))


def test_primary_runs_no_query_of_a_list(replica_set, calendar):
    calendar.read()
    primary = replica_set.primary()
    members = (primary, *replica_set.secondaries())
    before = {port: replica_set.aggregates(port) for port in members}
    sizes = range(1, 11)
    for size in sizes:
        calendar.read(per_page=size)
    queries = {port: replica_set.aggregates(port) - before[port] for port in members}
    # One question a request: for the marks of writers.
    assert queries.pop(primary) == len(sizes)
    # The driver takes whichever secondary answers sooner, on a busy machine the same one each time.
    assert sum(queries.values()) >= len(sizes)


def troubled(replica_set, trouble):
    """Bring trouble to the set; return the context manager that ends it."""
    match trouble:
        case "a locked secondary":
            return replica_set.locked(replica_set.secondaries()[0])
        case "an election":
            replica_set.step_down()
        case "a killed primary":
            replica_set.kill_primary()
    return nullcontext()


@pytest.mark.parametrize(
    "trouble", ["no trouble", "a locked secondary", "an election", "a killed primary"]
)
def test_no_read_misses_a_write_in(trouble, replica_set, calendar):
    with troubled(replica_set, trouble):
        assert sum(calendar.stale_reads() for _ in range(READS // 8)) == 0
