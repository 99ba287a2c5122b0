"""A copy is right after elections, killed members and killed services, and misses no write."""

import os
import signal
import threading
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from calling import SECRET, Client
from mirrors import Mirror
from replica_set import repeated, three_members

from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.cli.indexing import make_indexes
from calendar_app.settings import Settings
from calendar_app.storage.embedded.supervisor import open_own_mongod
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.store import Store

pytestmark = pytest.mark.timeout(0)

# `make test-changes` writes 400.
WRITES = int(os.environ.get("FOLLOWED_WRITES", "40"))


class Patient:
    """A client that asks again while there is no primary."""

    def __init__(self, client):
        self._client = client

    def get(self, path, **query):
        return repeated(lambda: self._client.get(path, **query))


@pytest.fixture(scope="module")
def replica_set(tmp_path_factory):
    with three_members(tmp_path_factory.mktemp("three")) as replica_set:
        yield replica_set


@contextmanager
def applications(uri):
    """Yield who opens one more application, as another process would."""
    settings = Settings.load(mongodb_uri=uri)
    with ExitStack() as stack:

        def open_app():
            database = open_database(settings.mongodb_uri)
            stack.enter_context(closing(database.client))
            return create_app(settings, database, lambda: datetime.now(UTC))

        database = open_database(settings.mongodb_uri)
        stack.enter_context(closing(database.client))
        make_indexes(Store(database), settings)
        get_services(open_app()).accounts.add("editor", "editor", id=1, secret=SECRET)
        yield open_app


@pytest.fixture(scope="module")
def opened(replica_set):
    with applications(replica_set.uri) as open_app:
        yield open_app


def is_right_after(trouble, open_app):
    """Say whether a copy is the calendar after ``trouble`` amid the writes of four people."""
    numbers = count(1)
    mirror = Mirror(Patient(Client(open_app())))
    day = (datetime.now(UTC) + timedelta(days=9)).date()
    dates = {"start_date": f"{day} 10:00:00", "end_date": f"{day} 12:00:00"}

    def write(client):
        ids = []
        for _ in range(WRITES // 4):
            number = next(numbers)
            # Whoever sends it again after a 503 may write it twice.
            answer = client.post("/events", title=f"Nr. {number}", **dates)
            ids += [answer.json["id"]] if answer.status_code == 201 else []
            if len(ids) > 2:
                client.patch(f"/events/{ids[-2]}", status="draft" if number % 3 else "publish")

    writers = [
        threading.Thread(target=write, args=(Client(open_app(), "editor", 1),)) for _ in range(4)
    ]
    for each in writers:
        each.start()
    trouble()
    while any(each.is_alive() for each in writers):
        mirror.follow()
    return mirror.follow() == mirror.whole() and bool(mirror.stream)


@pytest.mark.parametrize("trouble", ["step_down", "kill_primary"])
def test_a_copy_misses_no_write_while_the_primary_changes(trouble, replica_set, opened):
    assert is_right_after(getattr(replica_set, trouble), opened)


def test_a_copy_misses_no_write_while_the_only_mongod_is_killed(tmp_path):
    def kill():
        os.kill(int((tmp_path / "mongod.lock").read_text()), signal.SIGKILL)

    with open_own_mongod(tmp_path) as mongod, applications(mongod.uri) as open_app:
        assert is_right_after(kill, open_app)
