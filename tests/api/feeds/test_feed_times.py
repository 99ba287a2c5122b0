"""Times in calendars: on which clocks, in which zones, in which window."""

from datetime import UTC, date, datetime, timedelta

import pytest

pytestmark = pytest.mark.without_mongodb


def zones(calendar):
    return [str(zone["TZID"]) for zone in calendar.timezones]


def test_spellings_of_a_zone_share_a_vtimezone(read, make_event):
    for zone in ("Europe/Zurich", "europe/zurich", "America/New_York", "UTC", "UTC+5:30"):
        make_event(timezone=zone)
    assert zones(read()) == ["America/New_York", "Europe/Zurich", "UTC+05:30"]


def test_a_zone_without_other_clocks_is_written_in_utc(anyone, make_event):
    make_event(start_date="2030-03-10 10:00", end_date="2030-03-10 11:00", timezone="UTC")
    text = anyone.get("/events.ics").text
    assert "DTSTART:20300310T100000Z\r\n" in text
    assert "VTIMEZONE" not in text


def test_the_second_of_two_readings_is_written_in_utc(anyone, make_event):
    event = make_event(
        start_date="2030-10-27T02:30:00+02:00",
        end_date="2030-10-27T02:30:00+01:00",
        timezone="Europe/Zurich",
    )
    assert (event["start_date"], event["end_date"]) == ("2030-10-27 02:30:00",) * 2
    text = anyone.get("/events.ics").text
    assert "DTSTART;TZID=Europe/Zurich:20301027T023000\r\n" in text
    assert "DTEND:20301027T013000Z\r\n" in text


def test_scheduled_event_is_modified_when_it_goes_live(only, make_event, publish_after):
    make_event(date_utc="2030-01-15 13:00:00")
    publish_after(hours=2)
    event = only()
    assert event.decoded("CREATED") == datetime(2030, 1, 15, 13, tzinfo=UTC)
    for name in ("LAST-MODIFIED", "DTSTAMP"):
        assert event.decoded(name) == datetime(2030, 1, 15, 14, tzinfo=UTC)


def test_scheduled_event_is_modified_at_its_last_write(only, read, as_admin, make_event, clock):
    event = f"/events/{make_event(date_utc='2030-01-15 15:00:00')['id']}"
    for hour in (12, 13):
        clock.now = clock.now.replace(hour=hour)
        as_admin.patch(event, title=f"Written at {hour}")
        scheduled = only(as_admin, status="future")
        changed = {scheduled.decoded(name).hour for name in ("LAST-MODIFIED", "DTSTAMP")}
        changed.add(read(as_admin, status="future").decoded("LAST-MODIFIED").hour)
        assert changed == {hour}


def test_a_moment_has_no_end_of_its_own(only, make_event):
    make_event(start_date="2030-03-10 10:00", end_date="2030-03-10 10:00")
    assert "DTEND" not in only()


def test_a_vtimezone_tells_all_changes_since_1970_by_its_rules(read, make_event):
    make_event(timezone="Europe/Zurich")
    (zone,) = read().timezones
    timezone = zone.to_tz(lookup_tzid=False)
    for wall, hours in (("1970-07-01", 1), ("1985-07-01", 2), ("2030-01-01", 1), ("2090-07-01", 2)):
        assert timezone.utcoffset(datetime.fromisoformat(wall)) == timedelta(hours=hours)


@pytest.mark.parametrize("zone", ["Europe/Zurich", "Asia/Gaza"])
def test_vtimezone_is_the_same_for_distant_events(read, make_event, zone):
    for year in (2030, 9998):
        make_event(start_date=f"{year}-03-10", end_date=f"{year}-03-11", timezone=zone)
    occurrences = [
        read(start_date=f"{year}-01-01", end_date=f"{year}-12-31").timezones[0].to_ical()
        for year in (2030, 9998)
    ]
    assert occurrences[0] == occurrences[1]


def test_date_beyond_the_years_of_its_vtimezone_is_in_utc(anyone, make_event):
    make_event(start_date="2100-12-31 23:00", end_date="2101-01-15 12:00", timezone="Africa/Cairo")
    text = anyone.get("/events.ics").text
    assert "DTSTART;TZID=Africa/Cairo:21001231T230000\r\n" in text
    assert "DTEND:21010115T100000Z\r\n" in text


def test_two_offset_names_are_two_zones(read, make_event):
    for name in ("CEST", "UTC+2", "+02:00"):
        make_event(timezone=name)
    calendar = read()
    assert zones(calendar) == ["CEST", "UTC+02:00"]
    used = {event["DTSTART"].params["TZID"] for event in calendar.events}
    assert used == set(zones(calendar))


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        ("9999-12-31", "DTSTART;VALUE=DATE:99991231\r\n"),
        ("9999-12-30", "DTSTART;VALUE=DATE:99991230\r\nDURATION:P2D\r\n"),
    ],
)
def test_the_last_day_of_all_has_no_day_after_it(anyone, make_event, first, expected):
    make_event(start_date=first, end_date="9999-12-31", all_day=True, timezone="UTC")
    text = anyone.get("/events.ics").text
    assert expected in text
    assert "DTEND" not in text


@pytest.fixture
def titles(read, make_event):
    """Return functions that create events around noon and list the titles of a feed."""
    spans = {
        "long ago": (date(2029, 11, 1), date(2029, 12, 15)),
        "just over": (date(2029, 12, 15), date(2029, 12, 16)),
        "still on": (date(2029, 6, 1), date(2030, 6, 1)),
        "far ahead": (date(2045, 1, 1), date(2045, 1, 2)),
    }
    for title, (first, last) in spans.items():
        make_event(title=title, start_date=f"{first} 10:00", end_date=f"{last} 11:00")
    return lambda **query: {str(event["SUMMARY"]) for event in read(**query).events}


def test_feed_begins_with_events_still_running_thirty_days_ago(titles):
    assert titles() == {"just over", "still on", "far ahead"}


def test_end_date_alone_keeps_the_default_start(titles):
    assert titles(end_date="2030-12-31") == {"just over", "still on"}


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ({"start_date": "2029-11-01"}, {"long ago", "just over", "far ahead"}),
        ({"starts_after": "2030-01-01"}, {"far ahead"}),
        ({"ends_before": "2029-12-16"}, {"long ago", "just over"}),
        ({"overlaps_from": "2030-01-01", "overlaps_to": "2030-01-02"}, {"still on"}),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_date_that_is_asked_for_wins(titles, query, matches):
    assert titles(**query) == matches


def test_ids_that_are_asked_for_win(titles, anyone):
    every = anyone.get("/events", start_date="2000-01-01", end_date="2100-01-01").json["events"]
    old = next(event["id"] for event in every if event["title"] == "long ago")
    assert titles(include=old) == {"long ago"}


def test_series_in_utc_is_not_under_another_zone(read, make_event):
    utc = {
        "timezone": "UTC",
        "start_date": "2030-03-20 17:00:00",
        "end_date": "2030-03-20 18:00:00",
    }
    make_event(**utc)
    assert read()["X-WR-TIMEZONE"] == "Europe/Zurich"
    make_event(**utc, recurrence={"rrule": "FREQ=WEEKLY;COUNT=4"})
    assert read()["X-WR-TIMEZONE"] == "UTC"
