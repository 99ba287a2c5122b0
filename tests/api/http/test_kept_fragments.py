"""Pages from cached fragments equal fresh ones after any change.

``FRAGMENT_READS=all`` reads all of it after each change, as ``make test-caches`` does; else a part.
"""

import os
from datetime import timedelta
from itertools import count, cycle

import pytest
from browsing import BROWSER

# Of the answers after each change, in turn; no number of readers divides it.
EVERY = 1 if os.environ.get("FRAGMENT_READS") == "all" else 7
# Each is sent by an administrator.
CHANGES = {
    "title": ("/events/{event}", {"title": "Opera"}),
    "translation": ("/events/{event}?translation_language=rm", {"title": "Opera"}),
    "summary": ("/events/{event}", {"excerpt": "Short", "description": "Long"}),
    "times": ("/events/{event}", {"start_date": "2030-01-18 20:00", "end_date": "2030-01-19 1:00"}),
    "flags": ("/events/{event}", {"featured": True, "event_status": "canceled", "cost": "0"}),
    "venue": ("/venues/{venue}", {"venue": "Palace", "geo_lat": 1, "geo_lng": 2}),
    "category": ("/categories/{category}", {"name": "Dance"}),
    "parent": ("/categories/{category}", {"parent": "{other}"}),
    "tag": ("/tags/{tag}", {"name": "old"}),
    "picture": ("/media/{image}", {"alt_text": "A choir"}),
    "picture of a venue": ("/venues/{venue}", {"image": "{image}"}),
    "organizer": ("/organizers/{organizer}", {"organizer": "Band"}),
    "date of a series": ("/events/{date}", {"title": "Another rehearsal", "venue": "{venue}"}),
    "hidden date": ("/events/{later}", {"status": "private"}),
    "series": ("/series/{series}", {"title": "Practice", "venue": "{venue}"}),
    "hidden venue": ("/venues/{venue}", {"status": "private"}),
    "locked series": ("/series/{series}", {"password": "sesame"}),
    "password": ("/events/{event}", {"password": "sesame"}),
    "no password": ("/events/{event}", {"password": ""}),
    "links": ("/events/{event}", {"venue": [], "organizer": [], "tags": []}),
    "no picture": ("/events/{event}", {"image": False}),
    "another event of the category": ("/events/{second}", {"categories": ["{other}"]}),
    "withdrawal": ("/events/{event}", {"status": "draft"}),
}
# What no revision tells of: written past the service, or by a restored backup.
UNVERSIONED = {
    "title": ("events", "event", {"variants.de.title": "Aria"}),
    "slug": ("events", "event", {"variants.de.slug": "aria"}),
    "place": ("venues", "venue", {"variants.de.venue": "Cellar"}),
    "count": ("categories", "category", {"count": 7}),
    "picture": ("media", "image", {"variants.de.alt_text": "A cellar"}),
    "rule": ("series", "series", {"variants.de.title": "Singing"}),
}
WINDOW = {"start_date": "2030-01-01", "end_date": "2030-12-31"}
RESOURCES = [
    ("/events", WINDOW),
    ("/events", WINDOW | {"translation_language": "rm", "fallback": "none"}),
    ("/events", WINDOW | {"translation_language": "all"}),
    ("/events", WINDOW | {"_fields": "events.title,events.venue.venue,total"}),
    ("/events", WINDOW | {"geoloc_lat": 46, "geoloc_lng": 9, "orderby": "distance"}),
    ("/events", WINDOW | {"password": "sesame"}),
    ("/events/{event}", {}),
    ("/events/{event}", {"_fields": "id,json_ld.name"}),
    ("/events/{event}", {"password": "sesame"}),
    ("/series", {}),
    ("/series/{series}", {}),
    ("/series/{series}/events", {"per_page": 3}),
    *((f"/{kind}", {}) for kind in ("venues", "organizers", "categories", "tags", "media")),
    ("/venues/{venue}", {}),
    ("/categories/{category}", {"translation_language": "rm"}),
]
# These go by revisions.
FEEDS = [
    ("/events.ics", {}),
    ("/events.atom", {"translation_language": "rm"}),
    ("/events.geojson", {"password": "sesame"}),
    ("/events.csv", {"fallback": "none"}),
]
PAGES = [
    *(f"/events/{view}/" for view in ("list", "photo", "map", "month", "week", "2030-01-18")),
    *("/rm/events/list/", "/embed/list/", "/embed/month/", "/events/list/?search=Opera"),
    *("/events/list/?password=sesame", "/events/month/?fallback=none"),
    *("/event/concert/", "/rm/event/concert/", "/event/rehearsal/", "/venue/hall/"),
]


@pytest.fixture
def ids(make_event, make_category, upload, as_admin):
    image = upload(as_admin)["id"]
    event = make_event(
        title="Concert",
        slug="concert",
        start_date="2030-01-18 19:00:00",
        end_date="2030-01-18 22:00:00",
        categories=["Music"],
        tags=["new"],
        venue={"venue": "Hall", "slug": "hall", "geo_lat": 46, "geo_lng": 9},
        organizer=[{"organizer": "Choir"}],
        image=image,
    )
    second = make_event(title="Second", categories=["Music"])
    rehearsal = make_event(
        title="Rehearsal",
        slug="rehearsal",
        start_date="2030-01-17 19:00:00",
        end_date="2030-01-17 22:00:00",
        recurrence={"rrule": "FREQ=WEEKLY;COUNT=4"},
    )
    number = rehearsal["series"]["id"]
    dates = as_admin.get(f"/series/{number}/events").json["events"]
    return {
        "event": event["id"],
        "second": second["id"],
        "series": number,
        "date": dates[1]["id"],
        "later": dates[2]["id"],
        "venue": event["venue"]["id"],
        "organizer": event["organizer"][0]["id"],
        "category": event["categories"][0]["id"],
        "other": make_category(name="Culture")["id"],
        "tag": event["tags"][0]["id"],
        "image": image,
    }


@pytest.fixture
def readers(new_callers):
    """Return pairs of clients: of a worker that keeps fragments alone, and of one without."""
    names = (None, "subscriber", "admin")
    keeping, anew = new_callers(*names, cache_answers=False), new_callers(*names, cache_memory=0)
    return list(zip(keeping, anew, strict=True))


@pytest.fixture
def assert_same(readers, ids):
    """Return a function that compares the answers of both workers, to each caller in turn."""
    turns, steps = cycle(readers), count()

    def compare(change):
        (keeping, anew), first = next(turns), next(steps) % EVERY
        for path, query in (RESOURCES + FEEDS)[first::EVERY]:
            cached, fresh = (each.get(path.format(**ids), **query) for each in (keeping, anew))
            assert cached.status_code == fresh.status_code
            assert cached.data == fresh.data, (change, path, query)
            assert cached.headers.get("ETag") == fresh.headers.get("ETag"), (change, path)
        for path in PAGES[first::EVERY]:
            cached, fresh = (
                each.send("GET", path, base="", headers=BROWSER) for each in (keeping, anew)
            )
            assert cached.data == fresh.data, (change, path)

    return compare


def _filled(value, ids):
    """Return a value with the ids of this calendar in its gaps."""
    match value:
        case dict():
            return {name: _filled(each, ids) for name, each in value.items()}
        case list():
            return [_filled(each, ids) for each in value]
        case str() if value.startswith("{"):
            return ids[value.strip("{}")]
    return value


def test_answers_from_kept_fragments_equal_fresh_ones_after_any_change(
    as_admin, assert_same, ids, clock
):
    assert_same("nothing")
    for change, (path, body) in CHANGES.items():
        answer = as_admin.patch(path.format(**ids), **_filled(body, ids))
        assert answer.status_code == 200, (change, answer.json)
        assert_same(change)
    clock.now += timedelta(days=3)
    assert_same("days that pass")


def test_fragments_follow_what_no_revision_tells_of(as_admin, database, assert_same, ids, clock):
    def mark(change):
        """Let a write of the service tell of another, and the minute of kept look-ups pass."""
        assert as_admin.patch(f"/tags/{ids['tag']}", description=change).status_code == 200
        clock.now += timedelta(minutes=1)

    assert_same("nothing")
    for change, (collection, name, values) in UNVERSIONED.items():
        before = database[collection].find_one({"_id": ids[name]})
        database[collection].update_one({"_id": ids[name]}, {"$set": values})
        mark(change)
        assert_same(change)
        database[collection].replace_one({"_id": ids[name]}, before)
        mark(f"{change} restored")
        assert_same(f"{change} restored")


def test_deleted_records_leave_no_fragment(as_admin, assert_same, ids):
    assert_same("nothing")
    for kind, name in (
        ("tags", "tag"),
        ("categories", "category"),
        ("venues", "venue"),
        ("organizers", "organizer"),
        ("media", "image"),
        ("events", "date"),
        ("events", "event"),
    ):
        assert as_admin.delete(f"/{kind}/{ids[name]}", force=True).status_code == 200, kind
        assert_same(f"without the {name}")
