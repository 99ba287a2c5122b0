"""Recurrences as JSON and as properties of iCalendar."""

import re
from datetime import datetime

import pytest
from unit.domain.recurrence.series import recurrence, weekly_meeting, whole_day

from calendar_app.domain.recurrence.changing import restored, unused, without
from calendar_app.domain.recurrence.notation import as_json, as_lines, from_lines, parse
from calendar_app.domain.recurrence.rules import OUT_OF_RANGE, InvalidRecurrence

EXTRA = {"start": "2026-12-06 10:00:00", "end": "2026-12-06 18:00:00"}


def lines(series, event, tzid):
    return [
        ";".join([name, *(f"{key}={text}" for key, text in parameters.items())]) + f":{value}"
        for name, value, parameters in as_lines(series, event, tzid)
    ]


def test_json_can_be_sent_back():
    event = weekly_meeting()
    sent = {
        "rrule": ["FREQ=WEEKLY;COUNT=3;BYDAY=WE", "FREQ=DAILY;INTERVAL=5"],
        "rdate": ["2026-12-05 10:00:00", EXTRA],
        "exdate": ["2026-12-09 10:00:00"],
    }
    assert as_json(recurrence(event, sent)) == sent


def test_no_recurrence_has_three_empty_parts():
    event = weekly_meeting()
    assert as_json(recurrence(event)) == {"rrule": "", "rdate": [], "exdate": []}
    assert not recurrence(event)


def test_lines_are_in_the_zone_of_the_event_and_mean_the_same():
    event = weekly_meeting()
    series = recurrence(
        event,
        rrule="FREQ=WEEKLY",
        rdate=["2026-12-05 10:00", EXTRA],
        exdate=["2026-12-09 10:00", "2026-12-16 10:00"],
    )
    notation = lines(series, event, "Europe/Zurich")
    assert notation == [
        "RRULE:FREQ=WEEKLY",
        "RDATE;TZID=Europe/Zurich:20261205T100000",
        "RDATE;VALUE=PERIOD;TZID=Europe/Zurich:20261206T100000/20261206T180000",
        "EXDATE;TZID=Europe/Zurich:20261209T100000,20261216T100000",
    ]
    assert recurrence(event, "\r\n".join(notation)) == series


def test_lines_of_utc_and_of_whole_days_have_no_zone():
    event = weekly_meeting(timezone="UTC")
    series = recurrence(event, rrule="FREQ=WEEKLY", exdate=["2026-12-09 10:00"])
    assert lines(series, event, "")[1] == "EXDATE:20261209T100000Z"
    day = whole_day("2026-12-02", "2026-12-02")
    series = recurrence(day, rrule="FREQ=WEEKLY", exdate=["2026-12-09"])
    assert lines(series, day, "Europe/Zurich")[1] == "EXDATE;VALUE=DATE:20261209"
    assert recurrence(day, "\n".join(lines(series, day, "Europe/Zurich"))) == series


def test_an_exception_is_added_once_and_taken_back():
    series = recurrence(weekly_meeting(), rrule="FREQ=WEEKLY")
    date = datetime.fromisoformat("2026-12-09 10:00")
    shorter = without(without(series, weekly_meeting(), date), weekly_meeting(), date)
    assert shorter.exdates == (date,)
    assert restored(shorter, weekly_meeting(), date) == series


def test_a_date_that_the_rule_has_not_is_no_exception():
    series = recurrence(weekly_meeting(), rrule="FREQ=WEEKLY;COUNT=2")
    date = datetime.fromisoformat("2026-12-30 10:00")
    assert without(series, weekly_meeting(), date) == series


def test_exceptions_that_hit_nothing_are_found():
    event = weekly_meeting()
    series = recurrence(event, rrule="FREQ=WEEKLY", exdate=["2026-12-09 10:00", "2026-12-09 11:00"])
    assert [str(wall) for wall in unused(series, event)] == ["2026-12-09 11:00:00"]


def test_until_in_the_second_of_two_equal_hours_keeps_that_hour():
    night = weekly_meeting(start="2026-10-24 02:30", end="2026-10-24 02:45")
    series = recurrence(night, rrule="FREQ=DAILY;UNTIL=20261025T013000Z")
    assert series.rules == ("FREQ=DAILY;UNTIL=20261025T013000Z",)


def test_a_period_beyond_the_last_year_is_refused():
    with pytest.raises(InvalidRecurrence, match=re.escape(str(OUT_OF_RANGE))):
        from_lines("RDATE;VALUE=PERIOD:99991201T100000Z/P40D")


def test_long_text_in_the_place_of_a_date_is_named_by_its_begin():
    now = datetime(2026, 12, 6)  # noqa: DTZ001  # a wall clock
    with pytest.raises(InvalidRecurrence, match=f": {'x' * 40}[.]$"):
        parse({"rdate": ["x" * 41]}, now)
