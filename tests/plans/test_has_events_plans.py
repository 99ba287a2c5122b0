"""Which venues have events is found without a look at each of a great many events."""

from copy import deepcopy
from datetime import timedelta

import pytest

pytestmark = pytest.mark.lasting

EVENTS = 8000
LOOKED_AT = 6000
UNUSED = 400


@pytest.fixture
def calendar(database, make_event, make_venue):
    """Have a large venue with nearly all events, all past, and a small one with one to come."""
    if not database["events"].find_one():
        event = make_event(
            start_date="2029-12-01 19:00:00",
            end_date="2029-12-01 22:00:00",
            venue=make_venue(venue="Large")["id"],
        )
        last = make_event(
            start_date="2030-06-01 19:00:00",
            end_date="2030-06-01 22:00:00",
            venue=make_venue(venue="Small")["id"],
        )
        make_venue(venue="Unused")
        stored = database["events"].find_one({"_id": event["id"]})
        copies = (earlier(stored, last["id"] + number) for number in range(1, EVENTS))
        database["events"].insert_many(copies)
    return database


def earlier(event, number):
    """Return a copy of an event, some hours earlier."""
    copy = deepcopy(event) | {"_id": number}
    del copy["slugs"]
    for name in ("start", "start_local", "end", "end_local"):
        copy[name] -= timedelta(hours=number)
    return copy


@pytest.fixture
def many_unused(calendar):
    """Have more venues without events than are asked for one by one."""
    venue = calendar["venues"].find_one({"variants.de.venue": "Unused"})
    del venue["slugs"]
    ids = range(100_000, 100_000 + UNUSED)
    calendar["venues"].insert_many(deepcopy(venue) | {"_id": number} for number in ids)
    yield
    calendar["venues"].delete_many({"_id": {"$in": list(ids)}})


def listed(client, **query):
    venues = client.get("/venues", **query, per_page=50).json["venues"]
    return {venue["venue"] for venue in venues}


def looked_at(database, work):
    """Return how many documents MongoDB has looked at meanwhile."""

    def so_far():
        status = database.client.admin.command("serverStatus")
        return status["metrics"]["queryExecutor"]["scannedObjects"]

    before = so_far()
    work()
    return so_far() - before


QUERIES = [
    ({"has_events": True}, {"Large", "Small"}),
    ({"has_events": False}, {"Unused"}),
    ({"only_with_upcoming": True}, {"Small"}),
]


@pytest.mark.parametrize("name", [None, "contributor", "admin"])
@pytest.mark.parametrize(("query", "names"), QUERIES)
def test_has_events_does_not_examine_all_events_of_a_venue(
    calendar, calling_as, name, query, names
):
    client = calling_as(name)

    def ask():
        assert listed(client, **query) == names

    assert looked_at(calendar, ask) < LOOKED_AT


@pytest.mark.parametrize(("query", "names"), QUERIES)
def test_many_venues_without_events_are_counted(many_unused, anyone, query, names):
    del many_unused
    assert listed(anyone, **query) == names
