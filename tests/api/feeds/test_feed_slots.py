"""So many feeds are made at once; further ones are refused, and nothing else is."""

import pytest

from calendar_app.api.http.request.state import get_services
from calendar_app.calendar.reading.slots import FeedSlots

SUFFIXES = ["ics", "atom", "geojson", "csv"]
CLIENT = "192.0.2.1"


@pytest.fixture
def slots(app):
    """Return the slots of the service: one, for which nobody waits."""
    feeds = get_services(app).feeds
    usual, feeds.slots = feeds.slots, FeedSlots(1, patience=0)
    yield feeds.slots
    feeds.slots = usual


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_feed_without_a_slot_is_refused(anyone, slots, suffix):
    path = f"/events.{suffix}"
    with slots.slot(CLIENT):
        refused = anyone.get(path, per_page=7)
    assert (refused.status_code, refused.code) == (503, "service_unavailable")
    assert int(refused.headers["Retry-After"]) > 0
    assert anyone.get(path, per_page=7).status_code == 200


def test_other_requests_need_no_feed_slot(anyone, slots, make_event):
    event = make_event()["id"]
    with slots.slot(CLIENT):
        for path in ("/events", f"/events/{event}", f"/events/{event}.ics", "/venues"):
            assert anyone.get(path).status_code == 200, path


def test_a_feed_that_has_not_changed_needs_no_slot(anyone, slots):
    # mongod itself writes now and then, after which an answer is made anew.
    for _ in range(3):
        anyone.get("/events.ics")
        with slots.slot(CLIENT):
            if anyone.get("/events.ics").status_code == 200:
                return
    pytest.fail("No answer was given again.")


@pytest.mark.parametrize("wrong", [{"page": 2}, {"per_page": "x"}])
def test_a_refused_feed_gives_its_slot_back(anyone, slots, wrong):
    assert anyone.get("/events.ics", **wrong).status_code in (400, 404)
    with slots.slot(CLIENT):
        pass


@pytest.fixture
def graph_slots(app):
    """Return the slots for graphs of the service: one, for which nobody waits."""
    feeds = get_services(app).feeds
    usual, feeds.graph_slots = feeds.graph_slots, FeedSlots(1, patience=0)
    yield feeds.graph_slots
    feeds.graph_slots = usual


@pytest.mark.usefixtures("slots")
@pytest.mark.parametrize("kind", ["events", "venues", "organizers"])
def test_graphs_leave_the_slots_of_feeds_free(anyone, graph_slots, kind):
    with graph_slots.slot(CLIENT):
        refused = anyone.get(f"/{kind}.jsonld", search="concert")
        assert (refused.status_code, refused.code) == (503, "service_unavailable")
        assert int(refused.headers["Retry-After"]) > 0
        for suffix in SUFFIXES:
            assert anyone.get(f"/events.{suffix}", per_page=8).status_code == 200, suffix


@pytest.mark.usefixtures("graph_slots")
def test_feeds_leave_the_slots_of_graphs_free(anyone, slots):
    with slots.slot(CLIENT):
        assert anyone.get("/events.jsonld").status_code == 200
