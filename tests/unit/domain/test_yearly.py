"""The rule by which dates come once a year."""

from datetime import datetime, timedelta

import pytest

from calendar_app.domain.zones import ruled

SATURDAY = 5


def on(year, day):
    """Return a day in March."""
    return datetime.fromisoformat(f"{year}-03-{day:02}")


def dates(day_of, first=2000, number=40, hour=2):
    return [day_of(year).replace(hour=hour) for year in range(first, first + number)]


def last_sunday(year):
    day = on(year, 31)
    return day - timedelta(days=(day.weekday() + 1) % 7)


def second_sunday(year):
    day = on(year, 8)
    return day + timedelta(days=(6 - day.weekday()) % 7)


def saturday_from_the_24th(year):
    day = on(year, 24)
    return day + timedelta(days=(SATURDAY - day.weekday()) % 7)


@pytest.mark.parametrize(
    ("day_of", "rule"),
    [
        (last_sunday, {"BYDAY": "-1SU"}),
        (second_sunday, {"BYDAY": "2SU"}),
        (saturday_from_the_24th, {"BYMONTHDAY": list(range(24, 31)), "BYDAY": "SA"}),
        (lambda year: on(year, 21), {"BYMONTHDAY": 21}),
    ],
    ids=["last", "second", "from a day", "a day"],
)
def test_a_rule_is_found(day_of, rule):
    assert ruled(dates(day_of)) == (0, {"FREQ": "YEARLY", "BYMONTH": 3, **rule})


def test_years_before_a_rule_change_are_left_out():
    before = dates(second_sunday, 1990, 10)
    assert ruled(before + dates(last_sunday)) == (
        10,
        {"FREQ": "YEARLY", "BYMONTH": 3, "BYDAY": "-1SU"},
    )


def test_another_hour_is_another_rule():
    assert ruled(dates(last_sunday, 1995, 5, hour=1) + dates(last_sunday))[0] == 5


@pytest.mark.parametrize(
    "several",
    [
        dates(last_sunday, number=27),
        dates(last_sunday)[::2] + dates(last_sunday, 2080, 20)[::2],
        [on(2000, 1) + timedelta(days=354 * year) for year in range(40)],
        [],
    ],
    ids=["too few to tell from chance", "gaps", "by the moon", "none"],
)
def test_there_is_not_always_a_rule(several):
    assert ruled(several) == (len(several), {})
