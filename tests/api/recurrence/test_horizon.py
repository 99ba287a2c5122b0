"""Occurrences that come as time passes."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from calendar_app.api.http.request.state import get_services
from calendar_app.storage.mongo.transactions import count_round_trips_anew, round_trips


@pytest.fixture
def extend(app):
    return get_services(app).horizon.extend


def test_horizon_moves_on_with_time(make_weekly, occurrences, extend, clock):
    first = make_weekly(recurrence={"rrule": "FREQ=MONTHLY"})["id"]
    before = [event["id"] for event in occurrences(first)]
    assert extend() == 0
    clock.advance(days=60)
    assert extend() == 2
    assert extend() == 0
    events = occurrences(first)
    assert [event["id"] for event in events][:-2] == before
    assert [event["start_date"] for event in events][-2:] == [
        "2032-02-06 10:00:00",
        "2032-03-06 10:00:00",
    ]
    assert events[-1]["slug"] == "market-2032-03-06"


def test_many_series_are_extended_in_as_many_queries_as_one(make_weekly, extend, clock):
    counts = []
    for number in (1, 9):
        for _ in range(number):
            make_weekly(recurrence={"rrule": "FREQ=MONTHLY"})
        clock.advance(days=31)
        count_round_trips_anew()
        assert extend() == (1 if number == 1 else 10)
        counts.append(round_trips())
    assert counts[0] == counts[1]


def test_series_that_begins_beyond_the_horizon_has_its_dates(make_weekly, occurrences, extend):
    times = {"start_date": "2035-03-07 10:00:00", "end_date": "2035-03-07 12:00:00"}
    event = make_weekly(**times)
    assert event["series"]["count"] == len(occurrences(event["id"])) == 5
    assert extend() == 0


def test_series_in_the_last_years_has_its_first_date(make_weekly):
    times = {"start_date": "9998-03-06 10:00:00", "end_date": "9998-03-06 12:00:00"}
    assert make_weekly(**times)["series"]["count"] >= 1


def test_reads_add_no_occurrence(make_weekly, anyone, clock, database):
    first = make_weekly(recurrence={"rrule": "FREQ=MONTHLY"})["id"]
    number = database["events"].count_documents({})
    clock.advance(days=60)
    anyone.get(f"/series/{first}/events")
    assert database["events"].count_documents({}) == number


@pytest.fixture
def monthly(make_weekly, make_venue, make_category):
    """Return a series without end that has a place and a category."""
    venue, category = make_venue(geo_lat=46.8, geo_lng=9.5), make_category()
    return make_weekly(
        recurrence={"rrule": "FREQ=MONTHLY"}, venue=venue["id"], categories=[category["id"]]
    )


def test_added_occurrences_are_as_the_series_is_now(monthly, extend, clock, as_admin):
    place, category = monthly["venue"]["id"], monthly["categories"][0]["id"]
    as_admin.patch(f"/events/{monthly['id']}", title="Fair", scope="all")
    as_admin.patch(f"/venues/{place}", geo_lat=47.0, geo_lng=9.5)
    clock.advance(days=31)
    assert extend() == 1
    near = {"geoloc_lat": 47.0, "geoloc_lng": 9.5, "geoloc_radius": 1}
    listed = as_admin.get("/events", search="fair", start_date="2032-02-01", **near).json
    assert [event["title"] for event in listed["events"]] == ["Fair"]
    count = as_admin.get(f"/categories/{category}").json["count"]
    assert count == as_admin.get(f"/series/{monthly['id']}").json["count"]


def test_ended_and_trashed_series_stay_as_they_are(
    make_weekly, extend, clock, as_admin, occurrences
):
    ended = make_weekly()["id"]
    trashed = make_weekly(recurrence={"rrule": "FREQ=MONTHLY"})["id"]
    as_admin.delete(f"/series/{trashed}")
    clock.advance(days=300)
    assert extend() == 0
    assert len(occurrences(ended)) == 5


def test_deleted_date_does_not_come_back(make_weekly, extend, clock, as_admin, occurrences):
    first = make_weekly(recurrence={"rrule": "FREQ=MONTHLY"})["id"]
    last = occurrences(first)[-1]["id"]
    as_admin.delete(f"/events/{last}", force=True)
    clock.advance(days=31)
    assert extend() == 1
    starts = [event["start_date"] for event in occurrences(first)]
    assert "2032-01-06 10:00:00" not in starts


def test_two_processes_add_each_occurrence_once(make_weekly, extend, clock):
    series = [make_weekly(recurrence={"rrule": "FREQ=DAILY"})["id"] for _ in range(2)]
    clock.advance(days=40)
    with ThreadPoolExecutor() as pool:
        added = sum(each.result() for each in [pool.submit(extend) for _ in range(4)])
    assert added == 40 * len(series)


def test_scheduled_series_is_published_with_all_its_events(make_weekly, publish_after, as_admin):
    first = make_weekly(status="future", date="2030-01-16 12:00:00")["id"]
    assert publish_after(days=2) == 5
    series = as_admin.get(f"/series/{first}").json
    assert (series["status"], series["count"]) == ("publish", 5)
