"""On which days an event is on, where the night belongs to the evening."""

from datetime import date, datetime, time, timedelta

import pytest

from calendar_app.domain.evenings import days_of, night_to

FRIDAY, SATURDAY, SUNDAY = date(2030, 3, 29), date(2030, 3, 30), date(2030, 3, 31)
SIX, MIDNIGHT = time(6), time(0)


@pytest.mark.parametrize(
    ("start", "end", "day_ends", "days"),
    [
        ("30 22:00", "31 02:00", SIX, (SATURDAY, SATURDAY)),
        ("30 22:00", "31 06:00", SIX, (SATURDAY, SATURDAY)),  # exactly at the limit
        ("30 22:00", "31 06:01", SIX, (SATURDAY, SUNDAY)),
        ("30 22:00", "31 02:00", MIDNIGHT, (SATURDAY, SUNDAY)),
        ("30 22:00", "31 00:00", MIDNIGHT, (SATURDAY, SATURDAY)),
        ("30 22:00", "31 02:00", time(1, 30), (SATURDAY, SUNDAY)),
        # What begins after midnight is on that day.
        ("31 00:00", "31 02:00", SIX, (SUNDAY, SUNDAY)),
        ("31 05:00", "31 05:00", SIX, (SUNDAY, SUNDAY)),
        ("31 05:00", "31 05:30", SIX, (SUNDAY, SUNDAY)),
        # In this night clocks are put forward.
        ("30 23:00", "31 03:30", SIX, (SATURDAY, SATURDAY)),
        # Several days, and whole ones.
        ("29 18:00", "31 03:00", SIX, (FRIDAY, SATURDAY)),
        ("29 10:00", "31 17:00", SIX, (FRIDAY, SUNDAY)),
        ("30 00:00", "30 23:59:59", SIX, (SATURDAY, SATURDAY)),
        ("29 00:00", "31 23:59:59", SIX, (FRIDAY, SUNDAY)),
    ],
)
def test_night_belongs_to_the_evening_on_which_it_begins(start, end, day_ends, days):
    first, last = (datetime.fromisoformat(f"2030-03-{moment}") for moment in (start, end))
    assert days_of(first, last, day_ends) == days


@pytest.mark.parametrize(
    ("now", "hours"),
    [("30 23:00", 6), ("31 00:00", 0), ("31 02:00", 2), ("31 06:00", 6), ("31 12:00", 6)],
)
def test_the_night_that_is_still_on_lasts_until_now(now, hours):
    present = datetime.fromisoformat(f"2030-03-{now}")
    assert night_to(SUNDAY, present, SIX) == timedelta(hours=hours)
    assert night_to(SUNDAY, present, MIDNIGHT) == timedelta()
