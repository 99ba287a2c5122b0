"""Random writes: a worker that keeps its feeds sends what a new one makes of the same calendar."""

import os
from random import Random

import pytest

STEPS = int(os.environ.get("FEED_STEPS", "8"))
SEED = int(os.environ.get("FEED_SEED", "1"))
FEEDS = (
    "/events.ics",
    "/events.ics?recurrence=flat",
    "/events.atom?per_page=3",
    "/events.csv?per_page=3&page=2",
    "/events.csv?orderby=modified&order=desc",
    "/events.geojson?search=opera",
    "/events.geojson?orderby=title",
    "/events.csv?first_in_series=true",
    "/events.jsonld",
    "/events.jsonld?per_page=3",
)
WORDS = ("Opera", "Jazz & more", "Ballet", "Opera buffa")


@pytest.fixture
def ids(make_event, make_venue):
    venues = [make_venue(venue=f"Hall {number}")["id"] for number in range(2)]
    events = [_event(make_event, number, venues)["id"] for number in range(6)]
    weekly = make_event(
        title="Weekly",
        start_date="2030-01-20 19:00:00",
        end_date="2030-01-20 22:00:00",
        recurrence={"rrule": "FREQ=WEEKLY;COUNT=3"},
    )
    return {"venues": venues, "events": [*events, weekly["id"]]}


def _event(make_event, number, venues):
    day = f"2030-01-{20 + number} "
    links = {"venue": venues[number % 2], "tags": ["loud"]}
    return make_event(start_date=f"{day}19:00:00", end_date=f"{day}22:00:00", **links)


def _write(random, client, make_event, ids):
    """Create, change or remove one event, or change a venue."""
    number, day = random.choice(ids["events"]), f"2030-01-{random.randint(16, 28)} "
    match random.randint(0, 9):
        case 0:
            ids["events"].append(_event(make_event, random.randint(0, 8), ids["venues"])["id"])
        case 1:
            client.delete(f"/events/{number}")
        case 2:
            client.patch(f"/venues/{random.choice(ids['venues'])}", venue=random.choice(WORDS))
        case 3:
            client.patch(f"/events/{number}", status=random.choice(("draft", "publish", "private")))
        case 4:
            client.patch(f"/events/{number}", password=random.choice(("", "sesame")))
        case 5 | 6:
            client.patch(
                f"/events/{number}", start_date=f"{day}19:00:00", end_date=f"{day}22:00:00"
            )
        case _:
            client.patch(f"/events/{number}", title=random.choice(WORDS), venue=ids["venues"][0])


def test_kept_feeds_are_right_after_random_writes(as_admin, worker, new_worker, make_event, ids):
    random = Random(SEED)  # noqa: S311 - repeatable, not secret
    # What keeps nothing is as new as on its first day.
    keeping, fresh = worker(cache_answers=False), new_worker(cache_memory=0)
    for step in range(STEPS):
        for path in FEEDS:
            keeping.send("GET", path)
        _write(random, as_admin, make_event, ids)
        for path in FEEDS:
            kept, anew = (each.send("GET", path) for each in (keeping, fresh))
            assert kept.status_code == anew.status_code, (step, path)
            assert kept.data == anew.data, (step, path)
            assert kept.headers.get("ETag") == anew.headers.get("ETag"), (step, path)
