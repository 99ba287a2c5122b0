"""What is scheduled appears when its time has come, without anybody's doing."""

import pytest


@pytest.fixture
def scheduled(make_event):
    """Return an event that is to be published an hour from now, in a category of its own."""
    return make_event(date_utc="2030-01-15 13:00:00", categories=["Theatre"])


def test_what_is_scheduled_is_hidden_until_then(scheduled, anyone, clock):
    clock.advance(minutes=59)

    assert scheduled["status"] == "future"
    assert anyone.get(f"/events/{scheduled['id']}").code == "event-not-accessible"
    assert anyone.get("/events").json["total"] == 0


def test_what_is_scheduled_is_public_from_then_on(scheduled, anyone, clock):
    clock.advance(minutes=61)

    assert anyone.get("/events").json["total"] == 1
    assert anyone.get(f"/events/{scheduled['id']}").json["status"] == "publish"


@pytest.mark.usefixtures("scheduled")
def test_terms_count_what_has_been_published(anyone, clock):
    assert anyone.get("/categories").json["total"] == 0

    clock.advance(minutes=61)

    assert [term["count"] for term in anyone.get("/categories").json["categories"]] == [1]


def test_a_venue_can_be_scheduled_too(make_venue, anyone, clock):
    make_venue(date_utc="2030-01-15 13:00:00")
    assert anyone.get("/venues").json["total"] == 0

    clock.advance(minutes=61)

    assert anyone.get("/venues").json["total"] == 1
