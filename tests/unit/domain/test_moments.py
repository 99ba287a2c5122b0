"""How dates are understood; the present is Saturday, 21 November 2026, 08:25:17 in Zurich."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from calendar_app.domain.moments import Moment, is_timestamp, parse_moment

ZURICH = ZoneInfo("Europe/Zurich")
NEW_YORK = ZoneInfo("America/New_York")
NOW = datetime(2026, 11, 21, 8, 25, 17, 654321, ZURICH)


def at(text):
    return datetime.fromisoformat(text)


def wall(value, now=NOW):
    return str(parse_moment(value, now).wall)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-10", "2026-01-10 00:00:00"),
        ("2026-1-5", "2026-01-05 00:00:00"),
        ("  2026-01-10  ", "2026-01-10 00:00:00"),
        ("2026-01-10 10:00", "2026-01-10 10:00:00"),
        ("2026-01-10 10:00:31", "2026-01-10 10:00:31"),
        ("2026-01-10 10:00:31.999", "2026-01-10 10:00:31"),
        ("2026-01-10T10:00:31", "2026-01-10 10:00:31"),
        ("2026-01-10t10:00", "2026-01-10 10:00:00"),
        ("2027-09-05T10", "2027-09-05 10:00:00"),
        ("20270905T100000", "2027-09-05 10:00:00"),
        ("20270905T1000", "2027-09-05 10:00:00"),
        ("20270905 10:00", "2027-09-05 10:00:00"),
        ("20270905 100000", "2027-09-05 10:00:00"),
        ("20270905 1000", "2027-09-05 10:00:00"),
        ("2027-09-05 1930", "2027-09-05 19:30:00"),
        ("2027-1-5 9:5:0", "2027-01-05 09:05:00"),
        ("2027-1-5T9:5", "2027-01-05 09:05:00"),
        ("9:5:3", "2026-11-21 09:05:03"),
        ("T19:0", "2026-11-21 19:00:00"),
        ("2027/09/05", "2027-09-05 00:00:00"),
        ("10/02/2026", "2026-10-02 00:00:00"),
        ("11/01/2027 3:00 PM", "2027-11-01 15:00:00"),
        ("10/02/26", "2026-10-02 00:00:00"),
        ("10/02/70", "1970-10-02 00:00:00"),
        ("10/02", "2026-10-02 00:00:00"),
        ("10-02-2026", "2026-02-10 00:00:00"),
        ("10.02.2026", "2026-02-10 00:00:00"),
        ("01.11.2027 19:30", "2027-11-01 19:30:00"),
        ("5 September 2027", "2027-09-05 00:00:00"),
        ("5. Sept. 2027", "2027-09-05 00:00:00"),
        ("5th Sep 2027 7.30pm", "2027-09-05 19:30:00"),
        ("5-Sep-2027", "2027-09-05 00:00:00"),
        ("5-Sep-27", "2027-09-05 00:00:00"),
        ("5 Sep 69", "2069-09-05 00:00:00"),
        ("5 Sep 70", "1970-09-05 00:00:00"),
        ("5. Sep 27 19:00", "2027-09-05 19:00:00"),
        ("5 Sep 2027 1930", "2027-09-05 19:30:00"),
        ("5 Sep 1900", "1900-09-05 00:00:00"),
        ("Sep 5, 27 7pm", "2027-09-05 19:00:00"),
        ("05-SEP-27 07.00.00 PM", "2027-09-05 19:00:00"),
        ("5 Sep 10am", "2026-09-05 10:00:00"),
        ("5 Sep 19.30", "2026-09-05 19:30:00"),
        ("5 Sep -26 days", "2026-08-10 00:00:00"),
        ("Sun Nov 22 19:00:00 2026", "2026-11-22 19:00:00"),
        ("2027-09-05 7:00\u202fPM", "2027-09-05 19:00:00"),
        ("2027-09-05\xa07:00\xa0PM", "2027-09-05 19:00:00"),
        ("5 September", "2026-09-05 00:00:00"),
        ("September 5, 2027 7pm", "2027-09-05 19:00:00"),
        ("september 5th 2027 12am", "2027-09-05 00:00:00"),
        ("Sep 5 12 p.m.", "2026-09-05 12:00:00"),
        ("Sep 5 10:00", "2026-09-05 10:00:00"),
        ("2027-Sep-05", "2027-09-05 00:00:00"),
        ("Sep 2027", "2027-09-01 00:00:00"),
        ("2027 September", "2027-09-01 00:00:00"),
        ("2027-09", "2027-09-01 00:00:00"),
        ("september", "2026-09-21 00:00:00"),
        ("10:00", "2026-11-21 10:00:00"),
        ("9999-12-31", "9999-12-31 00:00:00"),
        ("last day of december 9999", "9999-12-31 00:00:00"),
        ("0001-01-01", "0001-01-01 00:00:00"),
    ],
)
def test_written_dates_are_a_wall_clock_without_a_zone(text, expected):
    moment = parse_moment(text, NOW)
    assert (str(moment.wall), moment.zone) == (expected, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-02-30", "2026-03-02 00:00:00"),
        ("2027-02-30 10:00:00", "2027-03-02 10:00:00"),
        ("31 April 2027", "2027-05-01 00:00:00"),
        ("2027-09-05 24:00", "2027-09-06 00:00:00"),
        ("2027-12-31 23:59:60", "2028-01-01 00:00:00"),
        ("2027-01-00", "2026-12-31 00:00:00"),
        ("2027-00-15", "2026-12-15 00:00:00"),
    ],
)
def test_days_and_times_that_overflow_roll_over(text, expected):
    assert wall(text) == expected


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2027-09-05T10:00:00Z", "2027-09-05 10:00"),
        ("2027-09-05 10:00 UTC", "2027-09-05 10:00"),
        ("2027-09-05T10:00:00.000+02:00", "2027-09-05 08:00"),
        ("2027-09-05 10:00 -0530", "2027-09-05 15:30"),
        ("2027-09-05T10:00+05", "2027-09-05 05:00"),
        ("2027-09-05 10:00 GMT+2", "2027-09-05 08:00"),
        ("20270905T100000Z", "2027-09-05 10:00"),
        ("2027-09-05 10:00 CEST", "2027-09-05 08:00"),
        ("2027-09-05 10:00 cet", "2027-09-05 09:00"),
        ("2027-09-05 10:00 (EST)", "2027-09-05 15:00"),
        ("2027-09-05 10:00 America/New_York", "2027-09-05 14:00"),
        ("2027-09-05 10:00 etc/gmt+5", "2027-09-05 15:00"),
        ("Sun, 05 Sep 2027 10:00:00 +0200", "2027-09-05 08:00"),
        ("Sun Sep  5 10:00:00 UTC 2027", "2027-09-05 10:00"),
        ("Sun, 05 Sep 27 10:00:00 +0200", "2027-09-05 08:00"),
        ("Sunday, 05-Sep-27 10:00:00 UTC", "2027-09-05 10:00"),
        ("Sun Sep 05 2027 10:00:00 GMT+0200 (CEST)", "2027-09-05 08:00"),
        (
            "Sun Sep 05 2027 10:00:00 GMT+0200 (Central European Summer Time)",
            "2027-09-05 08:00",
        ),
        ("Sun Sep 05 2027 10:00:00 GMT+0900 (日本標準時)", "2027-09-05 01:00"),
        ("20270905 100000 UTC", "2027-09-05 10:00"),
        ("tomorrow 9am EST", "2026-11-22 14:00"),
        ("now UTC", "2026-11-21 07:25:17"),
    ],
)
def test_a_zone_in_the_text_fixes_the_instant(text, instant):
    moment = parse_moment(text, NOW)
    assert moment.instant(ZURICH) == moment.instant(NEW_YORK) == at(instant)


@pytest.mark.parametrize(
    ("value", "instant"),
    [
        ("20271305", "1970-08-23 14:55:05"),
        ("@0", "1970-01-01 00:00:00"),
        ("@20270905", "1970-08-23 14:48:25"),
        ("1825000000", "2027-10-31 16:26:40"),
        (" 1825000000 ", "2027-10-31 16:26:40"),
        ("1825000000.0", "2027-10-31 16:26:40"),
        (1825000000, "2027-10-31 16:26:40"),
        (1825000000.0, "2027-10-31 16:26:40"),
        ("@1789000000", "2026-09-10 00:26:40"),
        ("@1789000000 +1 day", "2026-09-11 00:26:40"),
        ("-86400", "1969-12-31 00:00:00"),
        (-86400, "1969-12-31 00:00:00"),
        ("@-86400", "1969-12-31 00:00:00"),
    ],
)
def test_figures_alone_count_seconds_since_1970_in_utc(value, instant):
    moment = parse_moment(value, NOW)
    assert moment.zone is not None
    assert moment.instant(NEW_YORK) == at(instant)
    assert is_timestamp(value)


@pytest.mark.parametrize(
    "text", ["2027-09-05", "20270905", "20270905T100000", "tomorrow", "2027-09"]
)
def test_days_and_words_are_no_timestamps(text):
    assert not is_timestamp(text)


@pytest.mark.parametrize(
    ("text", "wall"),
    [
        ("5.9.2027", "2027-09-05 00:00:00"),
        ("05.09.27", "2027-09-05 00:00:00"),
        ("5.9.27 19:30", "2027-09-05 19:30:00"),
        ("5.9.27 19.30.15", "2027-09-05 19:30:15"),
        ("5.9.27 10.11.12", "2027-09-05 10:11:12"),
        ("5.9.", f"{NOW.year}-09-05 00:00:00"),
        ("5.9. 19:30", f"{NOW.year}-09-05 19:30:00"),
        ("20270905", "2027-09-05 00:00:00"),
        ("20270905 19:30", "2027-09-05 19:30:00"),
        (20270905, "2027-09-05 00:00:00"),
        ("1970-01-01 00:00:00", "1970-01-01 00:00:00"),
    ],
)
def test_days_are_read_as_they_are_written_in_switzerland_and_in_figures(text, wall):
    moment = parse_moment(text, NOW)
    assert (moment.wall, moment.zone) == (at(wall), None)


@pytest.mark.parametrize("text", ["10.30", "19.30.00", "22:11:26"])
def test_number_beyond_a_month_is_a_time(text):
    assert parse_moment(text, NOW).wall.date() == NOW.date()


def test_moment_without_a_zone_is_local_in_any_zone():
    moment = Moment(at("2027-05-05 20:00"))
    assert moment.in_zone(NEW_YORK) == moment.in_zone(ZURICH) == at("2027-05-05 20:00")
    assert moment.instant(NEW_YORK) - moment.instant(ZURICH) == timedelta(hours=6)


def test_a_moment_with_a_zone_is_converted():
    moment = Moment(at("2027-05-05 20:00"), NEW_YORK)
    assert moment.in_zone(ZURICH) == at("2027-05-06 02:00")
    assert moment.instant(ZURICH) == at("2027-05-06 00:00")


def test_a_moment_beyond_the_calendar_is_refused_not_raised():
    with pytest.raises(ValueError, match="9999"):
        Moment(at("9999-12-31 23:00"), UTC).in_zone(ZURICH)
    with pytest.raises(ValueError, match="9999"):
        Moment(at("0001-01-01 00:00")).instant(ZURICH)
