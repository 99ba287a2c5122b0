"""A feed from cached fragments equals a feed built afresh, after any change."""

import pytest

from calendar_app.calendar.feeds.contents import FragmentCache

SUFFIXES = ["ics", "atom", "geojson", "csv"]
CHANGES = {
    "title": ("/events/{event}", {"title": "Opera"}),
    "translation": ("/events/{event}?translation_language=rm", {"title": "Opera"}),
    "password": ("/events/{event}", {"password": "sesame"}),
    "venue": ("/venues/{venue}", {"venue": "Palace", "geo_lat": 1, "geo_lng": 2}),
    "hidden venue": ("/venues/{venue}", {"status": "private"}),
    "organizer": ("/organizers/{organizer}", {"organizer": "Band"}),
    "category": ("/categories/{category}", {"name": "Dance"}),
    "tag": ("/tags/{tag}", {"name": "old"}),
    "picture": ("/media/{image}", {"alt_text": "A choir"}),
    "links": ("/events/{event}", {"venue": [], "organizer": [], "categories": [], "tags": []}),
    "no picture": ("/events/{event}", {"image": False}),
    "withdrawal": ("/events/{event}", {"status": "draft"}),
}
REQUESTS = [
    *((suffix, {}) for suffix in SUFFIXES),
    ("ics", {"translation_language": "rm"}),
    ("ics", {"password": "sesame"}),
    ("ics", {"fallback": "none"}),
]


@pytest.fixture
def ids(make_event, upload, as_admin):
    image = upload(as_admin)["id"]
    event = make_event(
        title="Concert",
        categories=["Music"],
        tags=["new"],
        venue={"venue": "Hall", "geo_lat": 46, "geo_lng": 9},
        organizer=[{"organizer": "Choir"}],
        image=image,
    )
    make_event(title="Second")
    return {
        "event": event["id"],
        "venue": event["venue"]["id"],
        "organizer": event["organizer"][0]["id"],
        "category": event["categories"][0]["id"],
        "tag": event["tags"][0]["id"],
        "image": image,
    }


@pytest.fixture
def readers(anyone, as_admin, as_subscriber, worker):
    """Return pairs of clients: of a worker with a fragment cache, and of one without."""
    forgetful = {"remember_feeds": 0, "remember_answers": 0}
    return [
        (anyone, worker(**forgetful)),
        (as_admin, worker("admin", **forgetful)),
        (as_subscriber, worker("subscriber", **forgetful)),
    ]


def test_cached_feed_equals_a_fresh_feed(as_admin, readers, ids):
    for change, (path, body) in CHANGES.items():
        assert as_admin.patch(path.format(**ids), **body).status_code == 200
        for suffix, query in REQUESTS:
            for keeping, anew in readers:
                cached, rebuilt = (
                    each.get(f"/events.{suffix}", **query) for each in (keeping, anew)
                )
                assert cached.data == rebuilt.data, (change, suffix, query)


def test_most_recently_used_fragments_stay_cached():
    cache = FragmentCache(room=10)
    cache.keep(b"1", b"12345")
    cache.keep(b"2", b"12345")
    cache.find([b"1"])
    cache.keep(b"3", b"12345")
    assert cache.find([b"1", b"2", b"3"]) == {b"1": b"12345", b"3": b"12345"}


def test_fragment_larger_than_the_cache_is_not_cached():
    cache = FragmentCache(room=10)
    cache.keep(b"1", b"12345678901")
    assert cache.find([b"1"]) == {}
