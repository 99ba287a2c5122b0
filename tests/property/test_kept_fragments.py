"""Random writes, by the service and past it: kept fragments never show what was before."""

import os
from datetime import timedelta
from random import Random

import pytest
from browsing import BROWSER

STEPS = int(os.environ.get("FRAGMENT_STEPS", "8"))
SEED = int(os.environ.get("FRAGMENT_SEED", "1"))
READS = 6
WINDOW = {"start_date": "2030-01-01", "end_date": "2030-12-31"}
LISTS = ("/events", "/series", "/venues", "/organizers", "/categories", "/tags")
VIEWS = ("list", "photo", "map", "month", "week", "2030-01-20")
WORDS = ("Opera", "Jazz & more", "<b>Choir</b>", "Ballet", "Été")
PASSWORD = "sesame"


@pytest.fixture
def ids(make_event, make_venue, make_category):
    venues = [make_venue(venue=f"Hall {number}") for number in range(2)]
    categories = [make_category(name=f"Category {number}") for number in range(3)]
    times = {"start_date": "2030-01-20 19:00:00", "end_date": "2030-01-20 22:00:00"}
    events = [
        make_event(
            title=f"Event {number}",
            venue=venues[number % 2]["id"],
            categories=[categories[number % 3]["id"]],
            organizer=[{"organizer": "Choir"}],
            tags=["loud"],
            **times,
        )
        for number in range(4)
    ]
    series = make_event(title="Weekly", recurrence={"rrule": "FREQ=WEEKLY;COUNT=3"}, **times)
    return {
        "venues": [each["id"] for each in venues],
        "categories": [each["id"] for each in categories],
        "organizers": [each["organizer"][0]["id"] for each in events],
        "tags": [each["tags"][0]["id"] for each in events],
        "events": [*(each["id"] for each in events), series["id"]],
        "series": [series["series"]["id"]],
    }


def _of_an_event(random, ids):
    word = random.choice(WORDS)
    return random.choice(
        (
            {"title": word},
            {"excerpt": word},
            {"venue": random.choice((*ids["venues"], []))},
            {"categories": random.sample(ids["categories"], random.randint(0, 2))},
            {"featured": random.random() < 0.5},
            {"event_status": random.choice(("scheduled", "canceled", "postponed"))},
            {"status": random.choice(("publish", "publish", "draft", "private"))},
            {"password": random.choice(("", PASSWORD))},
            {"cost": random.choice(("0", "10", ""))},
            {"start_date": "2030-01-21 19:00:00", "end_date": "2030-01-22 01:00:00"},
        )
    )


def _write(random, client, ids, database, clock):
    """Change one record, mostly by the service."""
    kind = random.choice(("events", "events", "series", "venues", "organizers", *LISTS[-2:]))
    kind = kind.strip("/")
    number, word = random.choice(ids[kind]), random.choice(WORDS)
    label = {"venues": "venue", "organizers": "organizer", "events": "title", "series": "title"}
    name = label.get(kind, "name")
    if random.random() < 0.2:
        values = {f"variants.de.{name}": word}
        database[kind].update_one({"_id": number}, {"$set": values})
        # A write of the service tells of it, and the minute of kept look-ups passes.
        assert client.patch(f"/tags/{ids['tags'][0]}", description=word)
        clock.now += timedelta(minutes=1)
        return
    body = {name: word}
    if kind in ("events", "series"):
        body = _of_an_event(random, ids)
    elif kind in ("venues", "organizers") and random.random() < 0.4:
        body = {"status": random.choice(("publish", "private"))}
    elif kind == "categories" and random.random() < 0.4:
        body = {"parent": random.choice((0, *ids["categories"]))}
    language = random.choice(("de", "rm"))
    # Some are refused, such as a category below itself.
    assert client.patch(f"/{kind}/{number}?translation_language={language}", **body)


def _read(random, ids):
    """Return the path below the host of a random answer, and its parameters."""
    language = random.choice(("", "", "/rm"))
    query = random.choice(({}, {}, {"fallback": "none"}, {"password": PASSWORD}))
    way = random.random()
    if way < 0.35:
        return f"{language}/{random.choice(('events', 'embed'))}/{random.choice(VIEWS)}/", query
    if way < 0.5:
        return f"{language}/", query | {"post_type": "event", "p": random.choice(ids["events"])}
    path = random.choice(LISTS)
    if way < 0.7:
        path = f"{path}/{random.choice(ids[path.strip('/')])}"
    elif path == "/events":
        query = query | WINDOW | random.choice(({}, {"_fields": "events.title,total"}))
    if random.random() < 0.3:
        query = query | {"translation_language": "all"}
    return f"{language}/calendar/events/v1{path}", query


def test_kept_fragments_are_right_after_random_writes(as_admin, new_callers, ids, database, clock):
    random = Random(SEED)  # noqa: S311 - repeatable, not secret
    names = (None, None, "subscriber", "author", "admin")
    keeping, anew = new_callers(*names, cache_answers=False), new_callers(*names, cache_memory=0)
    readers = list(zip(keeping, anew, strict=True))
    for step in range(STEPS):
        _write(random, as_admin, ids, database, clock)
        for _ in range(READS):
            path, query = _read(random, ids)
            cached, fresh = (
                each.send(
                    "GET", path, base="", query_string=query, headers=BROWSER, follow_redirects=True
                )
                for each in random.choice(readers)
            )
            assert cached.status_code == fresh.status_code, (step, path, query)
            assert cached.data == fresh.data, (step, path, query)
            assert cached.headers.get("ETag") == fresh.headers.get("ETag"), (step, path, query)
