"""Series at a time that the clocks skip on one of the dates: that date alone begins later."""

import pytest

# The clocks in Zurich are put forward from two to three o'clock on 31 March 2030.
NIGHT = {"start_date": "2030-03-31 02:30:00", "end_date": "2030-03-31 03:30:00"}
DAILY = {"rrule": "FREQ=DAILY;COUNT=3"}


@pytest.fixture
def times(occurrences):
    """Return a function that lists start and end of the events of a series."""

    def listed(series_id):
        events = occurrences(series_id)
        return [f"{each['start_date'][5:16]}-{each['end_date'][11:16]}" for each in events]

    return listed


def test_skipped_first_date_alone_begins_later(make_weekly, times):
    event = make_weekly(**NIGHT, recurrence=DAILY)
    assert event["recurrence_id"] == "2030-03-31 02:30:00"
    assert times(event["id"]) == ["03-31 03:30-04:30", "04-01 02:30-03:30", "04-02 02:30-03:30"]


def test_preview_of_a_skipped_first_date_is_what_is_stored(preview):
    sent = {"start": NIGHT["start_date"], "end": NIGHT["end_date"]}
    starts = [date["start_date"] for date in preview(DAILY, **sent)["dates"]]
    assert starts == ["2030-03-31 03:30:00", "2030-04-01 02:30:00", "2030-04-02 02:30:00"]


@pytest.mark.parametrize("exdate", ["2030-03-31 02:30:00", "2030-03-31 03:30:00"])
def test_exception_hits_a_skipped_date(make_weekly, times, exdate):
    event = make_weekly(**NIGHT, recurrence=DAILY | {"exdate": [exdate]})
    assert times(event["id"])[0] == "04-01 02:30-03:30"


def test_deleted_skipped_date_comes_back(make_weekly, times, as_admin):
    first = make_weekly(**NIGHT, recurrence=DAILY)["id"]
    as_admin.delete(f"/events/{first}")
    as_admin.patch(f"/events/{first}", status="publish")
    assert times(first)[0] == "03-31 03:30-04:30"
    assert as_admin.get(f"/series/{first}").json["exdate"] == []


@pytest.mark.parametrize("path", ["/events/{}", "/series/{}"])
def test_skipped_first_date_can_be_sent_back(make_weekly, times, as_admin, path):
    first = make_weekly(**NIGHT, recurrence=DAILY)["id"]
    before = times(first)
    path = path.format(first)
    scope = {"scope": "all"} if "events" in path else {}
    as_admin.put(path, **as_admin.get(path).json | scope)
    as_admin.patch(path, title="Fair", **scope)
    assert times(first) == before


def test_series_moves_to_a_skipped_time_and_away(make_weekly, times, as_admin):
    times_before = {"start_date": "2030-03-31 10:00:00", "end_date": "2030-03-31 11:00:00"}
    first = make_weekly(**times_before, recurrence=DAILY)["id"]
    as_admin.patch(f"/events/{first}", scope="all", **NIGHT)
    assert times(first) == ["03-31 03:30-04:30", "04-01 02:30-03:30", "04-02 02:30-03:30"]
    as_admin.patch(f"/events/{first}", scope="all", **times_before)
    assert times(first) == ["03-31 10:00-11:00", "04-01 10:00-11:00", "04-02 10:00-11:00"]


def test_series_is_split_at_a_skipped_date(make_weekly, times, occurrences, as_admin):
    start = {"start_date": "2030-03-30 02:30:00", "end_date": "2030-03-30 03:30:00"}
    first = make_weekly(**start, recurrence=DAILY)["id"]
    second = occurrences(first)[1]["id"]
    as_admin.patch(f"/events/{second}", scope="following", title="Fair")
    assert times(first) == ["03-30 02:30-03:30"]
    assert times(second) == ["03-31 03:30-04:30", "04-01 02:30-03:30"]


def test_feed_says_the_length_of_a_skipped_first_date(make_weekly, anyone):
    make_weekly(**NIGHT, recurrence=DAILY)
    feed = anyone.get("/events.ics").text
    assert "DTSTART;TZID=Europe/Zurich:20300331T023000" in feed
    assert "DURATION:PT1H" in feed
    assert "DTEND" not in feed.partition("BEGIN:VEVENT")[2]
