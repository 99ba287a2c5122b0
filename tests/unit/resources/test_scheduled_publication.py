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


def test_an_event_that_is_published_again_keeps_no_note_of_having_been_off(
    make_event, as_admin, anyone, clock, database
):
    event = make_event()["id"]
    for _ in range(2):
        as_admin.patch(f"/events/{event}", status="draft")
        in_an_hour = f"{clock.now:%Y-%m-%d} {clock.now.hour + 1:02}:00:00"
        as_admin.patch(f"/events/{event}", status="publish", date_utc=in_an_hour)
        clock.advance(minutes=61)

        assert anyone.get(f"/events/{event}").json["status"] == "publish"
        assert "withdrawn" not in database["events"].find_one({"_id": event})


def test_a_note_of_how_an_event_was_holds_no_other_note(make_event, as_admin, database):
    event = make_event()["id"]
    database["events"].update_one({"_id": event}, {"$set": {"withdrawn": {"record": {}}}})
    as_admin.patch(f"/events/{event}", status="draft")

    assert "withdrawn" not in database["events"].find_one({"_id": event})["withdrawn"]["record"]
