"""What a feed asks of a real MongoDB: as often for a hundred events as for one, and no 304 more."""

from contextlib import closing

import pytest

from calendar_app.feeds.making import IN_MEMORY
from calendar_app.mongo.connection import count_round_trips_anew, round_trips

pytestmark = pytest.mark.needs_mongodb
SUFFIXES = ["ics", "atom", "geojson", "csv"]
# mongod itself writes now and then, after which an answer is made anew.
TRIES = 3
# An answer that depends on a condition is not kept.
NOT_KEPT = {"If-Match": "*"}


@pytest.fixture
def many(make_event, make_category):
    """Make forty events; half of them link to what no other does."""
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


def asked(client, path, headers=(), **query):
    """Return how often a feed asks until its end, and its answer."""
    answer = client.send("GET", path, headers=headers, query_string=query)
    assert answer.status_code in (200, 304)
    before = round_trips()
    count_round_trips_anew()
    answer.get_data()
    return before + round_trips(), answer


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_long_feed_asks_as_often_as_a_short_one(worker, suffix):
    forgetful = worker(remember_answers=0, remember_feeds=0)
    long, short = (
        min(asked(forgetful, f"/events.{suffix}", per_page=size)[0] for _ in range(TRIES))
        for size in (100, 3)
    )
    # More for each hundred of events, and this is less than a hundred.
    assert long <= short + 1


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_who_has_got_it_costs_no_look_at_the_events_themselves(anyone, suffix):
    whole, answer = asked(anyone, f"/events.{suffix}")
    tag = {"If-None-Match": answer.headers["ETag"]}
    again, unchanged = asked(anyone, f"/events.{suffix}", tag)
    assert unchanged.status_code == 304
    assert again < whole


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_feed_that_has_not_changed_costs_one_question(anyone, suffix):
    path = f"/events.{suffix}"
    first = anyone.get(path)
    answers = [asked(anyone, path) for _ in range(TRIES)]
    assert min(trips for trips, _ in answers) == 1
    assert {answer.data for _, answer in answers} == {first.data}
    unchanged = [
        asked(anyone, path, {"If-None-Match": first.headers["ETag"]}) for _ in range(TRIES)
    ]
    assert min(trips for trips, _ in unchanged) == 1
    assert {answer.status_code for _, answer in unchanged} == {304}


def test_who_has_got_a_feed_makes_no_worker_render_it(anyone, worker, make_event):
    make_event(title="Concert")
    tag = {"If-None-Match": anyone.get("/events.ics").headers["ETag"]}
    other = worker()
    answers = [asked(other, "/events.ics", tag) for _ in range(TRIES + 1)]
    assert {answer.status_code for _, answer in answers} == {304}
    assert min(trips for trips, _ in answers) == 1
    whole = other.get("/events.ics")
    assert (whole.status_code, b"Concert" in whole.data) == (200, True)


def test_a_write_makes_one_event_anew(anyone, as_admin, make_event):
    events = [make_event(venue={"venue": f"Hall {n}"}) for n in range(250)]
    whole, before = asked(anyone, "/events.ics")
    as_admin.patch(f"/events/{events[0]['id']}", title="Changed")
    again, after = asked(anyone, "/events.ics")
    assert b"SUMMARY;LANGUAGE=de:Changed" in after.data
    # Hundreds of events are read a hundred at a time, and this is one.
    assert again < whole
    kept, unkept = (set(answer.text.split("BEGIN:VEVENT")) for answer in (before, after))
    assert len(kept - unkept) == 1


@pytest.mark.parametrize("kind", ["venue", "organizer"])
def test_a_change_of_what_events_link_to_is_in_the_feed(anyone, as_admin, make_event, kind):
    event = make_event(venue={"venue": "Hall"}, organizer=[{"organizer": "Choir"}])
    linked = event[kind][0] if kind == "organizer" else event[kind]
    assert linked[kind] in anyone.get("/events.ics").text
    path = f"/{kind}s/{linked['id']}"
    as_admin.patch(path, **{kind: "Palace"})
    assert "Palace" in anyone.get("/events.ics").text
    as_admin.patch(path, status="private")
    assert "Palace" not in anyone.get("/events.ics").text
    assert "Palace" in as_admin.get("/events.ics").text


def test_a_large_feed_comes_in_pieces(anyone, make_event):
    for _ in range(60):
        make_event(description="word " * 8000)
    whole = anyone.get("/events.ics").data
    assert len(whole) > IN_MEMORY
    with closing(anyone.send("GET", "/events.ics", headers=NOT_KEPT)) as answer:
        pieces = list(answer.iter_encoded())
    assert b"".join(pieces) == whole
    assert max(map(len, pieces)) < len(whole) / 5


def test_a_feed_is_as_of_one_moment(anyone, as_admin, make_event):
    # More than are read together.
    first, *_, last = [make_event(title="Concert") for _ in range(120)]
    answer = anyone.get("/events.geojson")
    as_admin.delete(f"/events/{last['id']}")
    assert {one["id"] for one in answer.json["features"]} >= {first["id"], last["id"]}
    assert last["id"] not in {one["id"] for one in anyone.get("/events.geojson").json["features"]}
