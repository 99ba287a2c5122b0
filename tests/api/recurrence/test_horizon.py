"""Occurrences that come as time passes."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from calendar_app.http.request.current import get_services


@pytest.fixture
def extend(app):
    return lambda: get_services(app).horizon.extend()


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
    assert events[-1]["slug"] == "market/2032-03-06"


def test_reads_add_no_occurrence(make_weekly, anyone, clock, database):
    first = make_weekly(recurrence={"rrule": "FREQ=MONTHLY"})["id"]
    number = database["events"].count_documents({})
    clock.advance(days=60)
    anyone.get(f"/series/{first}/events")
    assert database["events"].count_documents({}) == number


@pytest.mark.needs_mongodb
def test_added_occurrences_are_as_the_series_is_now(
    make_weekly, make_venue, make_category, occurrences, extend, clock, as_admin, anyone
):
    category, venue = make_category(), make_venue(geo_lat=46.8, geo_lng=9.5)
    first = make_weekly(
        recurrence={"rrule": "FREQ=MONTHLY"}, venue=venue["id"], categories=[category["id"]]
    )["id"]
    as_admin.patch(f"/events/{first}", title="Fair", scope="all")
    as_admin.patch(f"/venues/{venue['id']}", geo_lat=47.0, geo_lng=9.5)
    clock.advance(days=31)
    assert extend() == 1
    added = occurrences(first)[-1]
    assert added["title"] == "Fair"
    near = {"geoloc_lat": 47.0, "geoloc_lng": 9.5, "geoloc_radius": 1}
    listed = anyone.get("/events", search="fair", start_date="2032-02-01", **near).json
    assert [event["id"] for event in listed["events"]] == [added["id"]]
    count = anyone.get(f"/categories/{category['id']}").json["count"]
    assert count == anyone.get(f"/series/{first}").json["count"]


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


@pytest.mark.needs_mongodb
def test_two_processes_add_each_occurrence_once(make_weekly, occurrences, extend, clock):
    series = [make_weekly(recurrence={"rrule": "FREQ=DAILY"})["id"] for _ in range(6)]
    clock.advance(days=40)
    with ThreadPoolExecutor() as pool:
        added = sum(each.result() for each in [pool.submit(extend) for _ in range(4)])
    assert added == 40 * len(series)


def test_scheduled_series_is_published_with_all_its_events(
    make_weekly, occurrences, publish_after, anyone, as_admin, extend
):
    first = make_weekly(status="future", date="2030-01-16 12:00:00")["id"]
    assert anyone.get("/events").json["total"] == 0
    assert publish_after(days=2) == 5
    assert len(occurrences(first)) == 5
    assert as_admin.get(f"/series/{first}").json["status"] == "publish"
