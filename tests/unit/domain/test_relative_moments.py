"""Dates in words; the present is Saturday, 21 November 2026, 08:25:17 in Zurich."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from calendar_app.domain.moments import parse_moment

ZURICH = ZoneInfo("Europe/Zurich")
NOW = datetime(2026, 11, 21, 8, 25, 17, 654321, ZURICH)


def wall(value, now=NOW):
    return str(parse_moment(value, now).wall)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("now", "2026-11-21 08:25:17"),
        ("today", "2026-11-21 00:00:00"),
        ("midnight", "2026-11-21 00:00:00"),
        ("noon", "2026-11-21 12:00:00"),
        ("TOMORROW", "2026-11-22 00:00:00"),
        ("yesterday noon", "2026-11-20 12:00:00"),
        ("tomorrow 9am", "2026-11-22 09:00:00"),
        ("9am tomorrow", "2026-11-22 09:00:00"),
        ("next wednesday 4pm", "2026-11-25 16:00:00"),
        ("wed", "2026-11-25 00:00:00"),
        ("saturday", "2026-11-21 00:00:00"),
        ("this saturday", "2026-11-21 00:00:00"),
        ("next saturday", "2026-11-28 00:00:00"),
        ("last saturday", "2026-11-14 00:00:00"),
        ("last friday", "2026-11-20 00:00:00"),
        ("last sunday", "2026-11-15 00:00:00"),
        ("monday next week", "2026-11-23 00:00:00"),
        ("sunday next week", "2026-11-29 00:00:00"),
        ("monday this week", "2026-11-16 00:00:00"),
        ("this week", "2026-11-16 08:25:17"),
        ("next week", "2026-11-23 08:25:17"),
        ("last week", "2026-11-09 08:25:17"),
        ("previous week 10:00", "2026-11-09 10:00:00"),
        ("next weeks", "2026-11-28 08:25:17"),
        ("+1 week", "2026-11-28 08:25:17"),
        ("next month", "2026-12-21 08:25:17"),
        ("last year", "2025-11-21 08:25:17"),
        ("+5 days 11am", "2026-11-26 11:00:00"),
        ("+5 days", "2026-11-26 08:25:17"),
        ("-2 weeks", "2026-11-07 08:25:17"),
        ("2 days", "2026-11-23 08:25:17"),
        ("1 week ago", "2026-11-14 08:25:17"),
        ("1 week 2 days ago", "2026-11-12 08:25:17"),
        ("+90 min", "2026-11-21 09:55:17"),
        ("+1 hour -20 secs", "2026-11-21 09:24:57"),
        ("-1 year +1 month", "2025-12-21 08:25:17"),
        ("2027-01-31 +1 month", "2027-03-03 00:00:00"),
        ("2027-09-05 10:00 +1 day", "2027-09-06 10:00:00"),
        ("first day of next month", "2026-12-01 08:25:17"),
        ("last day of next month 8pm", "2026-12-31 20:00:00"),
        ("last day of february 2027", "2027-02-28 00:00:00"),
        ("last day of february 2028", "2028-02-29 00:00:00"),
    ],
)
def test_words_are_read_from_the_present_in_the_site_zone(text, expected):
    moment = parse_moment(text, NOW)
    assert (str(moment.wall), moment.zone) == (expected, None)


def test_tomorrow_is_the_day_after_the_site_s_today():
    late = datetime(2026, 11, 21, 23, 30, tzinfo=UTC).astimezone(ZURICH)
    assert wall("tomorrow", late) == "2026-11-23 00:00:00"


def test_hours_pass_through_the_change_of_the_clocks():
    eve = datetime(2027, 3, 28, 1, 30, tzinfo=ZURICH)
    assert wall("+1 hour", eve) == "2027-03-28 03:30:00"
    assert wall("+1 day", eve) == "2027-03-29 01:30:00"
