"""What a feed asks of a real MongoDB: as often for a hundred events as for one, and no 304 more."""

import pytest

from calendar_app.storage.connection import count_round_trips_anew, round_trips

pytestmark = pytest.mark.needs_mongodb
SUFFIXES = ["ics", "atom", "geojson", "csv"]


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
def test_a_long_feed_asks_as_often_as_a_short_one(anyone, suffix):
    asked(anyone, f"/events.{suffix}")
    long, _ = asked(anyone, f"/events.{suffix}")
    short, _ = asked(anyone, f"/events.{suffix}", per_page=3)
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


def test_a_feed_comes_in_pieces(anyone, make_event):
    for _ in range(20):
        make_event(description="word " * 2000)
    whole = anyone.get("/events.ics")
    pieces = list(anyone.get("/events.ics").iter_encoded())
    assert b"".join(pieces) == whole.data
    assert len(pieces) > 5
    assert max(map(len, pieces)) < len(whole.data) / 5


def test_an_event_that_is_withdrawn_on_the_way_is_left_out(anyone, as_admin, make_event):
    """What is selected first is read later; rights count when it is read."""
    # More than are read at once, and than are sent at once.
    first, *_, draft, gone = [make_event() for _ in range(120)]
    answer = anyone.get("/events.geojson")
    as_admin.delete(f"/events/{gone['id']}")
    as_admin.patch(f"/events/{draft['id']}", status="draft", title="Secret plan")
    features = {one["id"]: one["properties"] for one in answer.json["features"]}
    assert len(features) == 118
    assert first["id"] in features
    assert "Secret plan" not in answer.text
