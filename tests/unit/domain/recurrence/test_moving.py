"""A series that is moved in time takes all its dates along."""

from datetime import datetime, timedelta

import pytest
from unit.domain.recurrence.series import recurrence, starts, weekly_meeting
from unit.domain.spans import settled

from calendar_app.domain.recurrence.changing import shifted
from calendar_app.domain.recurrence.rules import InvalidRecurrence


def moved(event, series, start, **changes):
    """Return the series at a new start, and its time."""
    begin = datetime.fromisoformat(start)
    end = begin + (event.end_local - event.start_local)
    new = settled(stored=event, start=start, end=str(end), **changes)
    return shifted(series, event, new), new


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=WEEKLY;COUNT=6",
        "FREQ=WEEKLY;BYDAY=WE,SU;UNTIL=20270301",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,SU;COUNT=20",
        "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=-1;COUNT=8",
        "FREQ=DAILY;INTERVAL=3;COUNT=9",
        "FREQ=DAILY;BYDAY=MO,WE;COUNT=9",
        "FREQ=DAILY;UNTIL=20261220T090000Z",
    ],
)
@pytest.mark.parametrize("days", [-3, -1, 1, 2, 6])
def test_every_date_moves_by_the_same_step(rule, days):
    event = weekly_meeting()
    series = recurrence(event, rrule=rule, rdate=["2027-02-07 11:00"], exdate=["2026-12-30 10:00"])
    step = timedelta(days, hours=1)
    later, new = moved(event, series, str(event.start_local + step))
    expected = [
        f"{datetime.fromisoformat(day) + step:%Y-%m-%d %H:%M}" for day in starts(event, series)
    ]
    assert starts(new, later) == expected


@pytest.mark.parametrize(
    ("rule", "start", "moved_rule"),
    [
        ("FREQ=MONTHLY", "2026-12-04 10:00", "FREQ=MONTHLY"),
        ("FREQ=MONTHLY;BYMONTHDAY=2", "2026-12-04 10:00", "FREQ=MONTHLY;BYMONTHDAY=4"),
        ("FREQ=MONTHLY;BYMONTHDAY=2,15", "2026-12-04 10:00", "FREQ=MONTHLY;BYMONTHDAY=4,17"),
        ("FREQ=MONTHLY;BYDAY=1WE", "2026-12-11 10:00", "FREQ=MONTHLY;BYDAY=2FR"),
        ("FREQ=YEARLY;BYMONTH=12;BYDAY=1WE", "2027-01-08 10:00", "FREQ=YEARLY;BYMONTH=1;BYDAY=2FR"),
        (
            "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=2",
            "2027-01-02 10:00",
            "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=2",
        ),
        ("FREQ=WEEKLY;BYHOUR=10", "2026-12-02 14:00", "FREQ=WEEKLY;BYHOUR=14"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "2026-12-02 14:00", "FREQ=MONTHLY;BYMONTHDAY=-1"),
    ],
)
def test_days_of_months_follow_the_start(rule, start, moved_rule):
    event = weekly_meeting()
    later, _ = moved(event, recurrence(event, rrule=rule), start)
    assert later.rules == (moved_rule,)


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=MONTHLY;BYMONTHDAY=2,28",
        "FREQ=YEARLY;BYWEEKNO=20",
        "FREQ=YEARLY;BYYEARDAY=100",
        "FREQ=MONTHLY;BYDAY=1WE,3WE",
        "FREQ=MONTHLY;BYDAY=WE;BYMONTHDAY=2",
        "FREQ=WEEKLY;BYMONTH=12",
    ],
)
def test_days_that_cannot_follow_are_refused(rule):
    event = weekly_meeting()
    with pytest.raises(InvalidRecurrence, match="cannot move"):
        moved(event, recurrence(event, rrule=rule), "2026-12-04 10:00")


def test_another_zone_keeps_the_wall_clock_of_the_end():
    event = weekly_meeting()
    series = recurrence(event, rrule="FREQ=WEEKLY;UNTIL=20261216T090000Z")
    later, new = moved(event, series, "2026-12-02 10:00", timezone="America/New_York")
    assert later.rules == ("FREQ=WEEKLY;UNTIL=20261216T150000Z",)
    assert starts(new, later)[-1] == "2026-12-16 10:00"


def test_extra_dates_with_an_end_grow_with_the_event():
    event = weekly_meeting()
    extra = {"start": "2026-12-05 10:00", "end": "2026-12-05 18:00"}
    series = recurrence(event, rdate=[extra])
    new = settled(stored=event, end="2026-12-02 13:00")
    (later,) = shifted(series, event, new).rdates
    assert str(later.end) == "2026-12-05 19:00:00"
