"""Calendar programs get a series as its rule, and expand it to the dates of the list."""

from random import Random

import pytest
import recurring_ical_events
from icalendar import Calendar

RULES = [
    "FREQ=DAILY;INTERVAL=3",
    "FREQ=WEEKLY;BYDAY=MO,WE,SA",
    "FREQ=MONTHLY;BYDAY=-1WE",
    "FREQ=MONTHLY;BYMONTHDAY=6",
]
ALL = {"start_date": "2000-01-01", "end_date": "2032-01-01"}


@pytest.fixture
def feed(anyone):
    """Return a function that reads a feed as a calendar."""

    def read(path="/events.ics", **query):
        response = anyone.get(path, **query)
        assert response.status_code == 200, response.text
        return Calendar.from_ical(response.data)

    return read


@pytest.fixture
def expanded(feed):
    """Return a function that expands a feed to starts and titles in order."""

    def read(**query):
        calendar = feed(**ALL | query)
        events = recurring_ical_events.of(calendar).between((2029, 1, 1), (2032, 1, 1))
        return sorted((wall(event.start), str(event["SUMMARY"])) for event in events)

    return read


@pytest.fixture
def listed(anyone):
    """Return a function that lists starts and titles in order."""

    def read(**query):
        events = anyone.get("/events", per_page=50, **ALL | query).json["events"]
        return sorted((event["start_date"], event["title"]) for event in events)

    return read


@pytest.fixture
def dates_of_both(expanded, listed):
    """Return a function that compares list and feed and returns their dates."""

    def read(**query):
        assert expanded(**query) == listed(**query)
        return expanded(**query)

    return read


def wall(value):
    """Return a moment without its zone, as text."""
    return str(value)[:19]


def test_series_is_one_component_with_its_rule(make_weekly, feed):
    make_weekly()
    (event,) = feed(**ALL).events
    assert event["RRULE"].to_ical() == b"FREQ=WEEKLY;UNTIL=20300403T080000Z"
    assert wall(event.start) == "2030-03-06 10:00:00"
    assert wall(event.end) == "2030-03-06 12:00:00"
    assert "RECURRENCE-ID" not in event


def test_rule_with_week_numbers_names_its_weekday(make_weekly, feed):
    make_weekly(recurrence={"rrule": "FREQ=YEARLY;BYWEEKNO=10,20"})
    (event,) = feed(**ALL).events
    assert event["RRULE"].to_ical() == b"FREQ=YEARLY;BYDAY=WE;BYWEEKNO=10,20"


def test_dates_of_feed_are_those_of_list(make_weekly, dates_of_both):
    make_weekly(recurrence={"rrule": "FREQ=WEEKLY;COUNT=5", "exdate": ["2030-03-20 10:00:00"]})
    assert len(dates_of_both()) == 4


def test_extra_dates_keep_their_own_ends(make_weekly, feed, dates_of_both):
    extra = {"start": "2030-03-07 20:00:00", "end": "2030-03-07 23:00:00"}
    make_weekly(recurrence={"rdate": ["2030-03-08 10:00:00", extra]})
    assert len(dates_of_both()) == 3
    _, override = feed(**ALL).events
    assert wall(override.end) == "2030-03-07 23:00:00"


def test_override_is_a_component_of_its_own(make_weekly, occurrences, as_admin, feed):
    first = make_weekly()
    second = occurrences(first["id"])[1]
    as_admin.patch(f"/events/{second['id']}", title="Fair", start_date="2030-03-13 11:00:00")
    master, override = feed(**ALL).events
    assert override["UID"] == master["UID"]
    assert wall(override["RECURRENCE-ID"].dt) == "2030-03-13 10:00:00"
    assert wall(override.start) == "2030-03-13 11:00:00"
    assert (override["SUMMARY"], master["SUMMARY"]) == ("Fair", "Market")


def test_canceled_date_has_status_cancelled(make_weekly, occurrences, as_admin, feed):
    first = make_weekly()
    third = occurrences(first["id"])[2]
    as_admin.patch(f"/events/{third['id']}", event_status="canceled")
    _, override = feed(**ALL).events
    assert override["STATUS"] == "CANCELLED"


def test_hidden_date_is_an_exception(make_weekly, occurrences, as_admin, feed, dates_of_both):
    first = make_weekly()
    third = occurrences(first["id"])[2]
    as_admin.patch(f"/events/{third['id']}", status="draft")
    assert "2030-03-20 10:00:00" not in dict(dates_of_both())
    assert len(feed(**ALL).events) == 1


def test_hidden_date_and_deleted_date_read_alike(make_weekly, occurrences, as_admin, anyone):
    first = make_weekly()
    third = occurrences(first["id"])[2]
    as_admin.patch(f"/events/{third['id']}", status="draft")
    (hidden,) = Calendar.from_ical(anyone.get("/events.ics", **ALL).data).events
    as_admin.delete(f"/events/{third['id']}")
    (deleted, *_) = Calendar.from_ical(anyone.get("/events.ics", **ALL).data).events
    assert hidden["EXDATE"].to_ical() == deleted["EXDATE"].to_ical()


def test_filter_that_matches_one_date_gives_that_date_alone(
    make_weekly, occurrences, as_admin, dates_of_both
):
    first = make_weekly()
    second = occurrences(first["id"])[1]
    as_admin.patch(f"/events/{second['id']}", title="Fair")
    assert dates_of_both(search="Fair") == [("2030-03-13 10:00:00", "Fair")]


@pytest.fixture
def last_changed(make_weekly, occurrences, as_admin):
    """Return a function that makes a series and changes its last date."""

    def make(**changes):
        last = occurrences(make_weekly()["id"])[-1]
        as_admin.patch(f"/events/{last['id']}", **changes)

    return make


@pytest.mark.parametrize(
    ("changes", "filters"),
    [
        ({"categories": ["fair"]}, {"categories": "fair"}),
        ({"title": "Fair"}, {"search": "Fair"}),
        ({"event_status": "canceled"}, {"event_status": "canceled"}),
        ({"featured": True}, {"featured": True}),
    ],
)
def test_filter_that_matches_the_last_date_gives_that_alone(
    last_changed, dates_of_both, changes, filters
):
    last_changed(**changes)
    assert len(dates_of_both(**filters)) == 1


def test_feed_that_begins_later_holds_no_earlier_date_that_comes(make_weekly, dates_of_both):
    make_weekly()
    assert len(dates_of_both(start_date="2030-03-21")) == 2


def test_past_dates_may_come_along_with_the_rule(make_weekly, feed, clock):
    make_weekly()
    clock.advance(days=64)
    (event,) = feed().events
    assert event["RRULE"].to_ical() == b"FREQ=WEEKLY;UNTIL=20300403T080000Z"


def test_dates_beyond_the_window_are_left_out(make_weekly, dates_of_both):
    make_weekly(recurrence={"rrule": "FREQ=WEEKLY;COUNT=5"})
    assert len(dates_of_both(end_date="2030-03-21")) == 3


def test_all_day_series_has_dates(make_weekly, feed, expanded):
    make_weekly(all_day=True, start_date="2030-03-06", end_date="2030-03-07")
    (event,) = feed(**ALL).events
    assert (event["DTSTART"].to_ical(), event["DTEND"].to_ical()) == (b"20300306", b"20300308")
    assert [start for start, _ in expanded()][:2] == ["2030-03-06", "2030-03-13"]


def test_clocks_change_within_a_series(make_weekly, dates_of_both):
    make_weekly(recurrence={"rrule": "FREQ=WEEKLY;COUNT=8"})
    assert len(dates_of_both()) == 8


def test_date_alone_bears_the_uid_of_its_series(make_weekly, occurrences, feed):
    first = make_weekly()
    second = occurrences(first["id"])[1]
    (master,) = feed(**ALL).events
    (event,) = feed(f"/events/{second['id']}.ics").events
    assert event["UID"] == master["UID"]
    assert wall(event["RECURRENCE-ID"].dt) == "2030-03-13 10:00:00"


def test_series_that_continues_another_names_it(make_weekly, occurrences, as_admin, feed):
    first = make_weekly()
    third = occurrences(first["id"])[2]
    as_admin.patch(f"/events/{third['id']}?scope=following", title="Fair")
    before, after = sorted(feed(**ALL).events, key=lambda event: event.start)
    assert after["RELATED-TO"] == before["UID"] != after["UID"]


def test_feed_changes_with_its_series(make_weekly, occurrences, as_admin, anyone):
    first = make_weekly()
    tag = anyone.get("/events.ics", **ALL).headers["ETag"]
    as_admin.patch(f"/events/{first['id']}?scope=all", title="Fair")
    renamed = anyone.get("/events.ics", **ALL)
    assert renamed.headers["ETag"] != tag
    assert "SUMMARY;LANGUAGE=de:Fair" in renamed.text
    second = occurrences(first["id"])[1]
    as_admin.patch(f"/events/{second['id']}", title="Other")
    assert "Other" in anyone.get("/events.ics", **ALL).text


def test_withdrawn_series_is_cancelled(make_weekly, as_admin, feed):
    first = make_weekly()
    (master,) = feed(**ALL).events
    as_admin.delete(f"/events/{first['id']}", scope="all")
    events = feed(**ALL).events
    assert {str(event["STATUS"]) for event in events} == {"CANCELLED"}
    assert {event["UID"] for event in events} == {master["UID"]}


def test_series_counts_as_one_towards_the_limit(make_weekly, make_event, worker):
    make_weekly()
    make_event(start_date="2030-03-07 10:00:00", end_date="2030-03-07 12:00:00")
    response = worker(feed_limit=2).get("/events.ics", **ALL)
    assert "X-Feed-Truncated" not in response.headers
    assert len(Calendar.from_ical(response.data).events) == 2


@pytest.mark.parametrize("seed", range(8))
def test_any_series_has_the_dates_of_the_list(
    seed, make_weekly, occurrences, as_admin, dates_of_both
):
    chance = Random(seed)  # noqa: S311 - no secret
    rule = chance.choice(RULES)
    first = make_weekly(recurrence={"rrule": f"{rule};COUNT={chance.randint(5, 6)}"})
    events = occurrences(first["id"])
    hidden, moved, deleted = chance.sample([event["id"] for event in events], 3)
    as_admin.patch(f"/events/{hidden}", status="draft")
    as_admin.patch(f"/events/{moved}", start_date="2030-05-01 08:00:00", title="Moved")
    as_admin.delete(f"/events/{deleted}")
    assert len(dates_of_both()) == len(events) - 2


@pytest.mark.parametrize("suffix", ["atom", "csv", "geojson"])
def test_other_feeds_have_each_date(make_weekly, anyone, suffix):
    make_weekly()
    text = anyone.get(f"/events.{suffix}", **ALL).text
    assert text.count("/event/market/2030-") >= 5
