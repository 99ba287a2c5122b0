"""Who has an event in their calendar is told when it is withdrawn, and nothing else."""

import pytest
from icalendar import Calendar
from keeping import kept


@pytest.fixture
def feed(anyone):
    """Return a function that reads the feed: its events by their title."""

    def read(client=anyone, **query):
        answer = client.get("/events.ics", **query)
        assert answer.status_code == 200
        return {
            str(component["SUMMARY"]): component
            for component in Calendar.from_ical(answer.data).events
        }

    return read


@kept
def concert(make_event):
    return make_event(title="Concert", description="As it was told.")


def withdraw(client, event, status):
    if status == "trash":
        assert client.delete(f"/events/{event['id']}").status_code == 200
    else:
        assert client.patch(f"/events/{event['id']}", status=status).status_code == 200


@pytest.mark.parametrize("status", ["trash", "draft", "pending", "private"])
def test_an_event_that_is_withdrawn_stays_as_cancelled(feed, as_admin, concert, status):
    before = feed()["Concert"]
    withdraw(as_admin, concert, status)
    after = feed()["Concert"]
    assert (before["STATUS"], after["STATUS"]) == ("CONFIRMED", "CANCELLED")
    assert after["UID"] == before["UID"]
    assert after["SEQUENCE"] > before["SEQUENCE"]
    assert (after.start, after.end) == (before.start, before.end)


@pytest.mark.parametrize("path", ["/events.ics", "/events/{id}.ics"])
def test_a_withdrawn_event_shows_its_title_and_dates_alone(anyone, as_admin, make_event, path):
    event = make_event(
        title="Concert",
        description="Secret words",
        excerpt="Secret words",
        website="https://secret.example/",
        online_url="https://secret.example/room",
        categories=["Secret"],
        venue={"venue": "Secret Hall", "geo_lat": 46, "geo_lng": 9},
        organizer=[{"organizer": "Secret Choir", "email": "secret@example.org"}],
    )
    assert "ecret" in anyone.get(path.format(**event)).text
    withdraw(as_admin, event, "draft")
    answer = anyone.get(path.format(**event))
    (cancelled,) = Calendar.from_ical(answer.data).events
    assert set(cancelled) == {
        *("UID", "DTSTAMP", "SEQUENCE", "STATUS", "SUMMARY", "DTSTART", "DTEND")
    }
    assert "ecret" not in answer.text


def test_changes_of_a_withdrawn_draft_stay_hidden(feed, anyone, as_admin, concert):
    withdraw(as_admin, concert, "draft")
    ics = anyone.get("/events.ics").data
    as_admin.patch(
        f"/events/{concert['id']}",
        title="Secret plan",
        start_date="2031-01-01 10:00:00",
        end_date="2031-01-01 11:00:00",
    )
    assert anyone.get("/events.ics").data == ics
    assert list(feed()) == ["Concert"]


def test_withdrawn_event_stays_in_the_feed_for_thirty_days(
    feed, as_admin, concert, clock, make_event
):
    make_event(title="Later", start_date="2030-06-01 10:00", end_date="2030-06-01 11:00")
    withdraw(as_admin, concert, "trash")
    clock.advance(days=30)
    assert set(feed()) == {"Concert", "Later"}
    clock.advance(days=1)
    assert set(feed()) == {"Later"}


def test_republished_event_is_confirmed_with_a_higher_sequence(feed, as_admin, concert):
    withdraw(as_admin, concert, "trash")
    cancelled = feed()["Concert"]
    as_admin.patch(f"/events/{concert['id']}", status="publish")
    again = feed()["Concert"]
    assert again["STATUS"] == "CONFIRMED"
    assert again["SEQUENCE"] > cancelled["SEQUENCE"]


def test_a_second_withdrawal_counts_from_its_own_day(feed, as_admin, concert, clock):
    withdraw(as_admin, concert, "draft")
    clock.advance(days=20)
    as_admin.patch(f"/events/{concert['id']}", status="publish", title="Second try")
    clock.advance(days=1)
    withdraw(as_admin, concert, "draft")
    clock.advance(days=20)
    assert feed()["Second try"]["STATUS"] == "CANCELLED"


def test_event_that_was_never_public_is_not_in_the_feed(feed, as_admin, make_event):
    withdraw(as_admin, make_event(title="Draft", status="draft"), "trash")
    withdraw(as_admin, make_event(title="Hidden", hide_from_listings=True), "trash")
    assert feed() == {}


def test_permanently_deleted_event_is_not_in_the_feed(feed, as_admin, concert):
    as_admin.delete(f"/events/{concert['id']}", force=True)
    assert feed() == {}


def test_it_is_in_the_feeds_that_it_was_in(feed, as_admin, make_event, make_category):
    music, dance = make_category(name="Music"), make_category(name="Dance")
    event = make_event(title="Concert", categories=[music["id"]])
    withdraw(as_admin, event, "draft")
    as_admin.patch(f"/events/{event['id']}", categories=[dance["id"]])
    assert list(feed(categories="music")) == ["Concert"]
    assert feed(categories="dance") == {}
    assert feed(starts_after="2031-01-01") == {}
    assert list(feed(search="told", include=event["id"])) == []


def test_search_matches_the_last_public_text(feed, as_admin, concert):
    withdraw(as_admin, concert, "draft")
    as_admin.patch(f"/events/{concert['id']}", description="Otherwise.")
    assert list(feed(search="told")) == ["Concert"]
    assert feed(search="otherwise") == {}


def test_who_sees_the_draft_sees_it_once(feed, anyone, as_admin, concert):
    withdraw(as_admin, concert, "draft")
    assert feed(as_admin)["Concert"]["STATUS"] == "CONFIRMED"
    assert feed(anyone)["Concert"]["STATUS"] == "CANCELLED"
    assert as_admin.get("/events.ics").text.count("BEGIN:VEVENT") == 1


def test_protected_text_stays_hidden_after_withdrawal(anyone, as_admin, concert):
    as_admin.patch(f"/events/{concert['id']}", password="sesame")
    withdraw(as_admin, concert, "trash")
    assert "As it was told" not in anyone.get("/events.ics").text


def test_other_formats_do_not_tell(anyone, as_admin, concert):
    withdraw(as_admin, concert, "trash")
    for suffix in ("atom", "geojson", "csv"):
        assert "Concert" not in anyone.get(f"/events.{suffix}").text


def test_single_event_feed_is_cancelled_for_thirty_days(anyone, as_admin, concert, clock):
    withdraw(as_admin, concert, "trash")
    ics_path = f"/events/{concert['id']}.ics"
    (event,) = Calendar.from_ical(anyone.get(ics_path).data).events
    assert event["STATUS"] == "CANCELLED"
    clock.advance(days=31)
    response = anyone.get(ics_path)
    assert (response.status_code, response.code) == (
        anyone.get(f"/events/{concert['id']}").status_code,
        anyone.get(f"/events/{concert['id']}").code,
    )
