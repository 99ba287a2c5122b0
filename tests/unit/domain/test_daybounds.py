"""The bounds of list filters."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from calendar_app.domain.moments import day_bound, default_window

ZURICH = ZoneInfo("Europe/Zurich")
NOW = datetime(2026, 11, 21, 7, 25, 17, tzinfo=UTC)


def bound(value, *, strict=False, opening=True, zone=ZURICH, now=NOW):
    return str(day_bound(value, now=now, zone=zone, strict=strict, opening=opening))


@pytest.mark.parametrize("value", ["2027-09-05", "2027-09-05 10:00:00", "5 September 2027 7pm"])
def test_a_bound_is_the_first_or_last_second_of_its_day(value):
    assert bound(value) == "2027-09-05 00:00:00"
    assert bound(value, opening=False) == "2027-09-05 23:59:59"


@pytest.mark.parametrize(
    "value", ["2027-09-05T23:00:00Z", "2027-09-05T01:00:00+14:00", "2027-09-05 23:30 EST"]
)
def test_day_bound_ignores_the_offset(value):
    assert bound(value) == "2027-09-05 00:00:00"


@pytest.mark.parametrize("value", ["1820271600", 1820271600, "@1820271600"])
def test_the_day_of_a_timestamp_is_the_site_s(value):
    # 2027-09-06 23:00 UTC is the 7th in Zurich.
    assert bound(value) == "2027-09-07 00:00:00"
    assert bound(value, zone=ZoneInfo("America/New_York")) == "2027-09-06 00:00:00"


@pytest.mark.parametrize("value", ["@0", "1970-01-01 00:00:00"])
def test_the_beginning_of_unix_time_is_a_day_like_any_other(value):
    assert bound(value) == "1970-01-01 00:00:00"


def test_the_day_of_a_word_is_the_site_s():
    late = datetime(2026, 11, 21, 23, 30, tzinfo=UTC)
    assert bound("today", now=late) == "2026-11-22 00:00:00"
    assert bound("tomorrow", now=late, opening=False) == "2026-11-23 23:59:59"
    assert bound("now", now=late, zone=ZoneInfo("America/New_York")) == "2026-11-21 00:00:00"


def test_eight_digits_of_a_valid_day_are_a_date():
    assert bound("20270905") == "2027-09-05 00:00:00"
    assert bound("20271305") == "1970-08-23 00:00:00"


@pytest.mark.parametrize("opening", [True, False])
def test_strict_bound_keeps_the_sent_time(opening):
    assert bound("2027-09-05 10:00:31", strict=True, opening=opening) == "2027-09-05 10:00:31"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2027-09-05T10:00:00Z", "2027-09-05 12:00:00"),
        ("2027-09-05T10:00:00+02:00", "2027-09-05 10:00:00"),
        ("2027-09-05 10:00 CEST", "2027-09-05 10:00:00"),
        ("1825000000", "2027-10-31 17:26:40"),
    ],
)
def test_a_strict_bound_with_a_zone_is_converted_to_the_site_s(value, expected):
    assert bound(value, strict=True) == expected


@pytest.mark.parametrize(
    "value", ["", "bad", "garbage", "2027-13-01", None, [], True, "0", 0, "0.0"]
)
@pytest.mark.parametrize("strict", [True, False])
def test_junk_is_refused(value, strict):
    with pytest.raises(ValueError, match=r"."):
        bound(value, strict=strict)


def test_last_day_of_the_calendar_can_be_requested():
    assert bound("9999-12-31", opening=False) == "9999-12-31 23:59:59"
    with pytest.raises(ValueError, match="9999"):
        bound("9999-12-31T23:30:00Z", strict=True)


@pytest.mark.parametrize(
    ("zone", "start"),
    [
        ("Europe/Zurich", "2026-11-21 00:00:00"),
        ("UTC", "2026-11-20 00:00:00"),
        ("America/New_York", "2026-11-20 00:00:00"),
        ("Asia/Tokyo", "2026-11-21 00:00:00"),
    ],
)
def test_the_default_window_opens_with_the_site_s_day_at_yesterday_2359_utc(zone, start):
    assert str(default_window(NOW, ZoneInfo(zone))[0]) == start


def test_the_default_window_closes_with_the_day_in_24_months():
    assert str(default_window(NOW, ZURICH)[1]) == "2028-11-21 23:59:59"


def test_the_default_window_counts_its_months_from_the_site_s_day():
    late = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
    assert str(default_window(late, ZURICH)[1]) == "2028-12-01 23:59:59"


def test_the_default_window_of_29_february_runs_on_into_march():
    leap = datetime(2028, 2, 29, 12, tzinfo=UTC)
    assert str(default_window(leap, ZURICH)[1]) == "2030-03-01 23:59:59"
