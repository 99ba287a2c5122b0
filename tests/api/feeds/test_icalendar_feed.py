"""A calendar program that asks for events gets them as RFC 5545 has it."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar

pytestmark = pytest.mark.without_mongodb

ZURICH = ZoneInfo("Europe/Zurich")


def calendar(answer):
    assert (answer.status_code, answer.mimetype) == (200, "text/calendar"), answer.text
    return Calendar.from_ical(answer.data)


@pytest.fixture
def feed(anyone):
    """Return a function that reads the feed as a calendar."""
    return lambda **query: calendar(anyone.get("/events.ics", **query))


def only_event(feed, **query):
    (event,) = feed(**query).events
    return event


@pytest.mark.parametrize("zone", ["Europe/Zurich", "UTC"])
def test_a_feed_without_events_has_the_zone_of_the_site(worker, zone):
    empty = calendar(worker(timezone=zone).get("/events.ics"))
    assert [str(component["TZID"]) for component in empty.subcomponents] == [zone]


def test_an_event_is_at_its_time_in_its_zone(feed, make_event):
    make_event(
        title="Concert",
        start_date="2030-03-10 19:00:00",
        end_date="2030-03-10 22:00:00",
        timezone="Europe/Zurich",
    )
    event = only_event(feed)
    assert event.start == datetime(2030, 3, 10, 19, tzinfo=ZURICH)
    assert event.end == datetime(2030, 3, 10, 22, tzinfo=ZURICH)
    assert event["DTSTART"].params["TZID"] == "Europe/Zurich"
    assert (event["SUMMARY"], event["STATUS"]) == ("Concert", "CONFIRMED")


def test_an_all_day_event_has_dates_and_ends_before_the_next_day(feed, make_event):
    make_event(start_date="2030-03-12", end_date="2030-03-13", all_day=True)
    event = only_event(feed)
    assert (event["DTSTART"].dt, event["DTEND"].dt) == (date(2030, 3, 12), date(2030, 3, 14))


def test_the_uid_is_the_same_in_every_language_and_after_a_change(feed, as_admin, make_event):
    number = make_event(title="Konzert")["id"]
    first = only_event(feed, translation_language="de")
    as_admin.patch(f"/events/{number}?translation_language=rm", title="Concert")
    second = only_event(feed, translation_language="rm")
    assert (first["SUMMARY"], second["SUMMARY"]) == ("Konzert", "Concert")
    assert first["UID"] == second["UID"]
    assert second["SEQUENCE"] > first["SEQUENCE"]


def test_the_same_events_make_the_same_bytes(anyone, make_event, clock):
    make_event()
    before = anyone.get("/events.ics")
    clock.advance(hours=3)
    after = anyone.get("/events.ics")
    assert (before.data, before.headers["ETag"]) == (after.data, after.headers["ETag"])


def test_who_has_got_it_gets_no_second_copy(anyone, make_event):
    make_event()
    tag = anyone.get("/events.ics").headers["ETag"]
    again = anyone.send("GET", "/events.ics", headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    make_event()
    assert anyone.send("GET", "/events.ics", headers={"If-None-Match": tag}).status_code == 200


def test_head_has_the_headers_and_no_body(anyone, make_event):
    make_event()
    response, head = anyone.get("/events.ics"), anyone.send("HEAD", "/events.ics")
    assert (head.status_code, head.data) == (200, b"")
    assert head.headers["ETag"] == response.headers["ETag"]
    assert head.headers["Content-Type"] == "text/calendar; charset=utf-8"


def test_parameters_are_refused_as_by_the_list(anyone):
    answer = anyone.get("/events.ics", start_date="never", venue="999")
    assert (answer.status_code, sorted(answer.invalid_params)) == (400, ["start_date", "venue"])
    assert anyone.get("/events.ics", translation_language="xx").invalid_params == [
        "translation_language"
    ]
