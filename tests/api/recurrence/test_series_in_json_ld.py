"""Schema.org JSON-LD names the series of an event, and its schedule."""

import pytest

WEEKLY = {
    "@type": "Schedule",
    "repeatFrequency": "P1W",
    "repeatCount": 5,
    "byDay": "https://schema.org/Wednesday",
    "startDate": "2030-03-06",
    "startTime": "10:00:00",
    "endTime": "12:00:00",
    "scheduleTimezone": "Europe/Zurich",
}


@pytest.fixture
def series_of(anyone):
    """Return a function that reads the series in the JSON-LD of an event."""

    def read(event):
        return anyone.get(f"/events/{event['id']}").json["json_ld"].get("superEvent")

    return read


def test_an_event_names_its_series_with_the_schedule(make_weekly, series_of):
    weekly = {"rrule": "FREQ=WEEKLY;BYDAY=WE;COUNT=5", "exdate": ["2030-03-13 10:00:00"]}
    first = make_weekly(slug="market", recurrence=weekly)
    series = series_of(first)
    assert series["@type"] == "EventSeries"
    assert series["name"] == "Market"
    assert series["url"].endswith("/event/market/")
    assert series["eventSchedule"] == WEEKLY | {"exceptDate": "2030-03-13T10:00:00"}


def test_a_series_is_described_by_itself(make_weekly, anyone):
    first = make_weekly(recurrence={"rrule": "FREQ=WEEKLY;BYDAY=WE;COUNT=5"})
    described = anyone.get(f"/series/{first['series']['id']}").json["json_ld"]
    assert described["@type"] == "EventSeries"
    assert described["@context"] == "https://schema.org"
    assert described["eventSchedule"] == WEEKLY


def test_the_last_day_is_that_of_the_zone(make_weekly, series_of):
    until = {"rrule": "FREQ=DAILY;UNTIL=20300310T230000Z"}
    schedule = series_of(make_weekly(recurrence=until))["eventSchedule"]
    assert schedule["endDate"] == "2030-03-11"


@pytest.mark.parametrize(
    "rule", ["FREQ=MONTHLY;BYDAY=MO,WE;BYSETPOS=1;COUNT=5", "FREQ=YEARLY;BYYEARDAY=65;COUNT=5"]
)
def test_a_rule_that_a_schedule_cannot_say_is_left_out(make_weekly, series_of, rule):
    series = series_of(make_weekly(recurrence={"rrule": rule}))
    assert "eventSchedule" not in series


def test_a_single_event_has_no_series(make_event, series_of):
    assert series_of(make_event()) is None
