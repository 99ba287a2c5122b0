"""Feeds need as many queries for a hundred events as for one, and few for a 304."""

from contextlib import closing

import pytest

from calendar_app.feeds.answering import IN_MEMORY
from calendar_app.storage.mongo.transactions import count_round_trips_anew, round_trips

SUFFIXES = ["ics", "atom", "geojson", "csv"]
# mongod itself writes now and then, after which an answer is made anew.
TRIES = 3
# An answer that depends on a condition is not kept.
NOT_KEPT = {"If-Match": "*"}


@pytest.fixture
def many(make_event, make_category):
    """Create forty events; half of them have links of their own."""
    return [
        make_event(
            venue={"venue": f"Venue {number}"},
            organizer=[{"organizer": f"Organizer {number}"}],
            categories=[make_category()["id"]],
        )
        if number % 2
        else make_event()
        for number in range(40)
    ]


def counted_read(client, path, headers=(), **query):
    """Return how often a feed asks until its end, and its answer."""
    answer = client.send("GET", path, headers=headers, query_string=query)
    assert answer.status_code in (200, 304)
    before = round_trips()
    count_round_trips_anew()
    answer.get_data()
    return before + round_trips(), answer


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_long_feed_takes_as_many_queries_as_a_short_one(worker, suffix):
    forgetful = worker(cache_memory=0)
    long, short = (
        min(counted_read(forgetful, f"/events.{suffix}", per_page=size)[0] for _ in range(TRIES))
        for size in (100, 3)
    )
    # More for each hundred of events, and this is less than a hundred.
    assert long <= short + 1


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_304_of_a_feed_reads_no_events(anyone, suffix):
    whole, answer = counted_read(anyone, f"/events.{suffix}")
    tag = {"If-None-Match": answer.headers["ETag"]}
    again, unchanged = counted_read(anyone, f"/events.{suffix}", tag)
    assert unchanged.status_code == 304
    assert again < whole


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_unchanged_feed_takes_one_query(anyone, suffix):
    path = f"/events.{suffix}"
    first = anyone.get(path)
    answers = [counted_read(anyone, path) for _ in range(TRIES)]
    assert min(trips for trips, _ in answers) == 1
    assert {answer.data for _, answer in answers} == {first.data}
    unchanged = [
        counted_read(anyone, path, {"If-None-Match": first.headers["ETag"]}) for _ in range(TRIES)
    ]
    assert min(trips for trips, _ in unchanged) == 1
    assert {answer.status_code for _, answer in unchanged} == {304}


def test_304_of_a_feed_renders_nothing(anyone, worker, make_event):
    make_event(title="Concert")
    tag = {"If-None-Match": anyone.get("/events.ics").headers["ETag"]}
    second_worker = worker()
    answers = [counted_read(second_worker, "/events.ics", tag) for _ in range(TRIES + 1)]
    assert {answer.status_code for _, answer in answers} == {304}
    assert min(trips for trips, _ in answers) == 1
    whole = second_worker.get("/events.ics")
    assert (whole.status_code, b"Concert" in whole.data) == (200, True)


def test_write_renders_only_the_changed_event(anyone, as_admin, make_event):
    events = [make_event(venue={"venue": f"Hall {n}"}) for n in range(250)]
    whole, before = counted_read(anyone, "/events.ics")
    as_admin.patch(f"/events/{events[0]['id']}", title="Changed")
    again, after = counted_read(anyone, "/events.ics")
    assert b"SUMMARY;LANGUAGE=de:Changed" in after.data
    # Hundreds of events are read a hundred at a time, and this is one.
    assert again < whole
    cached, uncached = (set(answer.text.split("BEGIN:VEVENT")) for answer in (before, after))
    assert len(cached - uncached) == 1


@pytest.mark.parametrize("kind", ["venue", "organizer"])
def test_change_of_a_linked_record_is_in_the_feed(anyone, as_admin, make_event, kind):
    event = make_event(venue={"venue": "Hall"}, organizer=[{"organizer": "Choir"}])
    linked = event[kind][0] if kind == "organizer" else event[kind]
    assert linked[kind] in anyone.get("/events.ics").text
    path = f"/{kind}s/{linked['id']}"
    as_admin.patch(path, **{kind: "Palace"})
    assert "Palace" in anyone.get("/events.ics").text
    as_admin.patch(path, status="private")
    assert "Palace" not in anyone.get("/events.ics").text
    assert "Palace" in as_admin.get("/events.ics").text


def test_large_feed_is_streamed(anyone, make_event):
    for _ in range(60):
        make_event(description="word " * 8000)
    whole = anyone.get("/events.ics").data
    assert len(whole) > IN_MEMORY
    with closing(anyone.send("GET", "/events.ics", headers=NOT_KEPT)) as answer:
        pieces = list(answer.iter_encoded())
    assert b"".join(pieces) == whole
    assert max(map(len, pieces)) < len(whole) / 5


def test_feed_reads_a_single_snapshot(anyone, as_admin, make_event):
    # More than are read together.
    first, *_, last = [make_event(title="Concert") for _ in range(120)]
    answer = anyone.get("/events.geojson")
    as_admin.delete(f"/events/{last['id']}")
    assert {feature["id"] for feature in answer.json["features"]} >= {first["id"], last["id"]}
    assert last["id"] not in {
        feature["id"] for feature in anyone.get("/events.geojson").json["features"]
    }
