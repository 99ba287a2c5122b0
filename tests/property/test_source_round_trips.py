"""Two calendars that read each other's feed: nothing grows, however often they do.

``SOURCE_ROUNDS`` is how often; ``make test-sources`` does it ten times.
"""

import os

import pytest

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.users import Accounts
from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.assembly.indexes import declared_indexes
from calendar_app.storage.mongo.indexes import ensure_indexes
from calendar_app.storage.mongo.store import Store

ROUNDS = int(os.environ.get("SOURCE_ROUNDS", "2"))
BASE = "/calendar/events/v1"
SECRET = "abcd EFGH ijkl MNOP qrst UVWX"
EVENING = {"start_date": "2030-03-01 19:00", "end_date": "2030-03-01 21:00", "status": "publish"}
EVENTS = (
    {"title": "Concert", "venue": {"venue": "Hall"}, "description": "With <b>choir</b>"},
    {"title": "Choir", "recurrence": {"rrule": "FREQ=WEEKLY;COUNT=4"}},
    {"title": "Fair", "event_status": "canceled"},
)


class Town:
    """A calendar that reads the feed of another."""

    def __init__(self, settings, database, clock):
        self.database = database
        Accounts(Store(database), clock, 30).add("mayor", "editor", id=77, secret=SECRET)
        self.editor = Caller(77, "mayor", "editor")
        app = create_app(settings, database, clock)
        self.client = app.test_client()
        self.sources = get_services(app).sources
        feed = {"name": "Town", "kind": "ics", "address": "https://town.example.org/events.ics"}
        self.source = self.sources.add(
            feed | {"status": "publish", "unknown_terms": "create"}, self.editor
        ).id

    def send(self, method, path, **body):
        answer = self.client.open(f"{BASE}{path}", method=method, json=body, auth=("mayor", SECRET))
        assert answer.status_code in (200, 201), answer.json
        return answer.json

    def feed(self):
        return self.client.get(f"{BASE}/events.ics").get_data()

    def read(self, neighbor):
        return self.sources.readings.read(self.source, self.editor, content=neighbor.feed())

    def contents(self):
        events = self.database["events"].find({"status": {"$ne": "trash"}})
        return sorted((each["_id"], each["revision"]) for each in events)


@pytest.fixture
def towns(settings, database, bare_database, clock):
    ensure_indexes(Store(bare_database), declared_indexes(settings))
    return Town(settings, database, clock), Town(settings, bare_database, clock)


def test_two_calendars_that_read_each_other_do_not_grow(towns):
    town, neighbor = towns
    for body in EVENTS:
        town.send("POST", "/events", **EVENING | body)
    neighbor.send("POST", "/events", **EVENING | {"title": "Market"})
    assert neighbor.read(town).numbers == {"new": 3}
    # Its own events come back to it in the feed of the other.
    assert town.read(neighbor).numbers == {"new": 1, "own": 3}
    neighbor.read(town)
    settled = town.contents(), neighbor.contents()
    assert [len(each) for each in settled] == [7, 7]
    for _ in range(ROUNDS):
        assert town.read(neighbor).numbers.keys() <= {"own", "unchanged"}
        assert neighbor.read(town).numbers.keys() <= {"own", "unchanged"}
        assert (town.contents(), neighbor.contents()) == settled


def test_a_change_goes_round_once(towns):
    town, neighbor = towns
    event = town.send("POST", "/events", **EVENING | EVENTS[0])
    neighbor.read(town)
    town.send("PUT", f"/events/{event['id']}", title="Gala")
    assert neighbor.read(town).numbers == {"changed": 1}
    assert town.read(neighbor).numbers == {"own": 1}
    assert town.contents() == [(event["id"], 2)]
