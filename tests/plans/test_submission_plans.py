"""The queue of contributions and similar events are found by indexes, in few queries."""

import pytest
from calling import Client
from command_recording import CommandRecorder, recorded_database

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.users import Accounts
from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.settings import Settings
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.transactions import count_round_trips_anew, round_trips

SECRET = "abcd EFGH ijkl MNOP qrst UVWX"
OTHER_EVENTS = 300
EVENT = {"start_date": "2030-03-10 19:00", "end_date": "2030-03-10 21:00"}


@pytest.fixture
def recorder():
    return CommandRecorder("find", "aggregate")


@pytest.fixture
def database(mongod_uri, recorder):
    """Return a database with all indexes, which records its commands."""
    with recorded_database(mongod_uri, "submitted", recorder) as recorded:
        yield recorded


@pytest.fixture
def callers(database, clock):
    """Return anybody and an editor of a site with many events and twelve contributions."""
    Accounts(Store(database), clock, 30).add("editor", "editor", secret=SECRET)
    settings = Settings.load(environment={}, submissions=True)
    app = create_app(settings, database, clock)
    anyone, editor = Client(app), Client(app, "editor", 1)
    for number in range(12):
        sent = {**EVENT, "title": f"Hausmusik {number}", "venue": f"Haus {number}"}
        assert anyone.post("/submissions", consent=True, **sent).status_code == 201
    model = database["events"].find_one()
    for key in ("_id", "slugs"):
        model.pop(key, None)
    database["events"].insert_many(
        {**model, "_id": 10_000 + number, "author": 1, "status": "publish", "words": []}
        | {"start_local": clock.now.replace(tzinfo=None), "venues": []}
        for number in range(OTHER_EVENTS)
    )
    return anyone, editor


def _documents_read(database, command):
    """Return how many documents MongoDB looks at for a command."""
    left_out = ("lsid", "txnNumber", "readConcern", "startTransaction", "autocommit")
    explained = {
        n: value for n, value in command.items() if not n.startswith("$") and n not in left_out
    }
    plan = database.command("explain", explained, verbosity="executionStats")
    return max(part.get("totalDocsExamined", 0) for part in _parts_of(plan))


def _parts_of(plan):
    if isinstance(plan, dict):
        yield plan
    for part in plan.values() if isinstance(plan, dict) else plan if isinstance(plan, list) else ():
        yield from _parts_of(part)


def test_queue_with_similar_events_reads_few_of_many(callers, recorder, database):
    _, editor = callers
    recorder.commands.clear()
    count_round_trips_anew()
    queue = editor.get("/submissions").json
    assert len(queue["submissions"]) == 12
    assert all(each["similar"] for each in queue["submissions"])
    assert round_trips() <= 12
    queries = [command for command in recorder.commands if "events" in command.values()]
    assert queries
    for command in queries:
        assert _documents_read(database, command) <= 24


def test_inbox_counts_what_waits_by_an_index_alone(callers, recorder, database, clock):
    assert callers
    app = create_app(Settings.load(environment={}, submissions=True), database, clock)
    inbox = get_services(app).inbox
    recorder.commands.clear()
    assert inbox.numbers(Caller(2, "editor", "editor")).waiting == 12
    queries = [command for command in recorder.commands if "events" in command.values()]
    assert queries
    for command in queries:
        assert _documents_read(database, command) == 0
