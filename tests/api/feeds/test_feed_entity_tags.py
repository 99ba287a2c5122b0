"""An entity tag of a feed holds exactly as long as the feed reads the same."""

import pytest

SUFFIXES = ["ics", "atom", "geojson", "csv"]


@pytest.fixture
def event(make_event):
    return make_event(
        title="Concert",
        categories=["Music"],
        tags=["new"],
        venue={"venue": "Hall", "geo_lat": 46, "geo_lng": 9},
        organizer=[{"organizer": "Choir"}],
    )


@pytest.fixture(params=SUFFIXES)
def read_feed(request, anyone, event):
    """Return a function that reads a feed: its text and its tag."""
    assert event

    def feed(client=anyone, **query):
        answer = client.get(f"/events.{request.param}", **query)
        assert answer.status_code == 200
        return answer.text, answer.headers["ETag"]

    return feed


CHANGES = {
    "the event": lambda event: (f"/events/{event['id']}", {"title": "Opera"}),
    "the venue": lambda event: (f"/venues/{event['venue']['id']}", {"city": "Chur"}),
    "the place": lambda event: (f"/venues/{event['venue']['id']}", {"geo_lat": 1, "geo_lng": 2}),
    "its state": lambda event: (f"/venues/{event['venue']['id']}", {"status": "private"}),
    "the organizer": lambda event: (
        f"/organizers/{event['organizer'][0]['id']}",
        {"organizer": "Band"},
    ),
    "the category": lambda event: (
        f"/categories/{event['categories'][0]['id']}",
        {"name": "Dance"},
    ),
    "a translation": lambda event: (
        f"/events/{event['id']}?translation_language=rm",
        {"title": "Concert"},
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_change_of_a_feed_changes_its_etag(read_feed, as_admin, event, change):
    before, old = read_feed()
    path, body = CHANGES[change](event)
    assert as_admin.patch(path, **body).status_code == 200
    after, new = read_feed()
    # It may change with what this format does not show; never the other way round.
    assert after == before or new != old


@pytest.mark.parametrize("change", ["the event", "the venue"])
def test_change_that_every_format_shows_changes_feed_and_etag(read_feed, as_admin, event, change):
    before, old = read_feed()
    path, body = CHANGES[change](event)
    as_admin.patch(path, **body)
    after, new = read_feed()
    assert (after != before, new != old) == (True, True)


@pytest.mark.parametrize("kind", ["venue", "organizer"])
def test_permanent_deletion_changes_the_etag(read_feed, as_admin, event, kind):
    linked = event[kind][0] if kind == "organizer" else event[kind]
    before, old = read_feed()
    assert as_admin.delete(f"/{kind}s/{linked['id']}", force=True).status_code == 200
    after, new = read_feed()
    assert after == before or new != old


def test_created_and_removed_events_change_the_etag(read_feed, make_event, as_admin):
    tags = [read_feed()[1]]
    number = make_event()["id"]
    tags.append(read_feed()[1])
    as_admin.delete(f"/events/{number}")
    tags.append(read_feed()[1])
    assert tags[0] != tags[1] != tags[2]


def test_an_event_that_leaves_the_window_changes_it(read_feed, clock):
    before, old = read_feed()
    clock.advance(days=120)
    after, new = read_feed()
    assert (after != before, new != old) == (True, True)


def test_it_does_not_hold_for_another_language_or_reader(read_feed, as_admin, event):
    as_admin.patch(f"/events/{event['id']}", password="sesame")
    tags = {
        read_feed()[1],
        read_feed(translation_language="rm")[1],
        read_feed(password="sesame")[1],
        read_feed(password="wrong")[1],
        read_feed(as_admin)[1],
        read_feed(fallback="none")[1],
    }
    assert len(tags) == 6


def test_no_write_no_change(read_feed, as_admin, event):
    before = read_feed()
    assert as_admin.patch(f"/events/{event['id']}", title="Concert").status_code == 200
    assert read_feed() == before


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_feed_shows_the_records_at_the_time_of_the_request(anyone, as_admin, make_event, suffix):
    # More than are read together, and than are sent at once.
    *_, last = [make_event(description="word " * 100) for _ in range(101)]
    before = anyone.get(f"/events.{suffix}")
    as_admin.patch(f"/events/{last['id']}", title="Late")
    after = anyone.get(f"/events.{suffix}")
    assert (b"Late" in before.data, b"Late" in after.data) == (False, True)
    assert before.headers["ETag"] != after.headers["ETag"]


@pytest.mark.parametrize("kind", ["venue", "organizer"])
def test_change_of_a_hidden_record_changes_neither_feed_nor_etag(read_feed, as_admin, event, kind):
    linked = event[kind][0] if kind == "organizer" else event[kind]
    path = f"/{kind}s/{linked['id']}"
    as_admin.patch(path, status="draft")
    before = read_feed()
    changed = as_admin.patch(path, description="Otherwise", phone="1", **{kind: "Secret"})
    assert changed.status_code == 200
    assert read_feed() == before


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_weak_etag_matches_if_none_match_but_never_if_match(anyone, suffix):
    tag = anyone.get(f"/events.{suffix}").headers["ETag"]
    for read_feed in (tag, tag.removeprefix("W/")):
        again = anyone.send("GET", f"/events.{suffix}", headers={"If-None-Match": read_feed})
        guarded = anyone.send("GET", f"/events.{suffix}", headers={"If-Match": read_feed})
        assert (again.status_code, guarded.status_code) == (304, 412)
    anything = anyone.send("GET", f"/events.{suffix}", headers={"If-Match": "*"})
    assert anything.status_code == 200


def test_etag_of_a_single_event_feed_is_strong(anyone, event):
    tag = anyone.get(f"/events/{event['id']}.ics").headers["ETag"]
    guarded = anyone.send("GET", f"/events/{event['id']}.ics", headers={"If-Match": tag})
    assert guarded.status_code == 200
