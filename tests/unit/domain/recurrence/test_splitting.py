"""A series that is split at one of its dates gives the same dates in two parts."""

from datetime import datetime

import pytest
from unit.domain.recurrence.series import recurrence, starts, weekly_meeting, whole_day

from calendar_app.domain.recurrence.changing import ended_before, from_date
from calendar_app.domain.recurrence.expansion import span_at
from calendar_app.domain.recurrence.rules import InvalidRecurrence

LIMIT = 40


def split(event, series, date):
    """Return both parts and the time of the first event of the second."""
    begin = datetime.fromisoformat(date)
    first = span_at(event, begin, series.rdates)
    return ended_before(series, event, begin), from_date(series, event, begin), first


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=WEEKLY",
        "FREQ=WEEKLY;COUNT=9",
        "FREQ=WEEKLY;UNTIL=20270301",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=WE,SU",
        "FREQ=DAILY;INTERVAL=7;COUNT=8",
        "FREQ=WEEKLY;BYDAY=WE,FR;COUNT=11",
    ],
)
def test_both_parts_together_give_the_dates_of_the_whole(rule):
    event = weekly_meeting()
    series = recurrence(event, rrule=rule, exdate=["2026-12-30 10:00"], rdate=["2027-02-07 11:00"])
    begun, rest, first = split(event, series, "2026-12-16 10:00")
    before, after = starts(event, begun), starts(first, rest, limit=LIMIT)
    whole = starts(event, series, limit=LIMIT)
    assert (before + after)[: len(whole)] == whole
    assert before[-1] < "2026-12-16 10:00" == after[0]


def test_the_date_before_a_split_may_be_years_earlier():
    event = weekly_meeting()
    series = recurrence(event, rrule="FREQ=YEARLY;INTERVAL=3")
    begun, rest, _ = split(event, series, "2032-12-02 10:00")
    assert begun.rules == ("FREQ=YEARLY;INTERVAL=3;UNTIL=20291202T090000Z",)
    assert rest.rules == series.rules


def test_the_count_is_divided():
    event = weekly_meeting()
    series = recurrence(event, rrule="FREQ=WEEKLY;COUNT=10")
    begun, rest, _ = split(event, series, "2026-12-23 10:00")
    assert begun.rules == ("FREQ=WEEKLY;UNTIL=20261216T090000Z",)
    assert rest.rules == ("FREQ=WEEKLY;COUNT=7",)


def test_the_end_of_whole_days_is_a_day():
    event = whole_day("2026-12-02", "2026-12-02")
    begun, _, _ = split(event, recurrence(event, rrule="FREQ=WEEKLY"), "2026-12-16 00:00")
    assert begun.rules == ("FREQ=WEEKLY;UNTIL=20261209",)


def test_a_date_apart_from_the_rule_may_begin_the_second_part():
    event = weekly_meeting()
    series = recurrence(event, rrule="FREQ=WEEKLY;COUNT=5", rdate=["2026-12-11 18:00"])
    begun, rest, first = split(event, series, "2026-12-11 18:00")
    assert starts(event, begun) == ["2026-12-02 10:00", "2026-12-09 10:00"]
    assert starts(first, rest) == [
        "2026-12-11 18:00",
        "2026-12-16 10:00",
        "2026-12-23 10:00",
        "2026-12-30 10:00",
    ]


def test_a_rule_without_end_cannot_begin_apart_from_its_dates():
    event = weekly_meeting()
    series = recurrence(event, rrule="FREQ=WEEKLY", rdate=["2026-12-11 18:00"])
    with pytest.raises(InvalidRecurrence, match="cannot begin on this date"):
        split(event, series, "2026-12-11 18:00")


def test_only_dates_are_divided():
    event = weekly_meeting()
    series = recurrence(event, rdate=["2026-12-05 09:00", "2026-12-08 09:00", "2026-12-09 09:00"])
    begun, rest, first = split(event, series, "2026-12-08 09:00")
    assert starts(event, begun) == ["2026-12-02 10:00", "2026-12-05 09:00"]
    assert starts(first, rest) == ["2026-12-08 09:00", "2026-12-09 09:00"]
