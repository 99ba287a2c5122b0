"""The dates of a series on the clocks of its zone."""

from datetime import datetime

import pytest
from unit.domain.recurrence.series import recurrence, starts, weekly_meeting, whole_day
from unit.domain.spans import settled, span_texts

from calendar_app.domain.recurrence.expansion import expand


def occurrences(event, limit=10, **parts):
    return expand(recurrence(event, **parts), event, until=None, limit=limit)


def night(start, end):
    return settled(start=start, end=end)


def test_the_event_itself_comes_first_and_counts_though_the_rule_does_not_give_it():
    event = weekly_meeting()
    dates = starts(event, recurrence(event, rrule="FREQ=WEEKLY;BYDAY=FR;COUNT=3"))
    assert dates == ["2026-12-02 10:00", "2026-12-04 10:00", "2026-12-11 10:00"]


def test_a_rule_keeps_the_wall_clock_when_clocks_change():
    event = settled(start="2027-03-25 10:00", end="2027-03-25 12:00")
    before, after = occurrences(event, rrule="FREQ=WEEKLY;COUNT=2")
    assert span_texts(before.span)[2:] == ("2027-03-25 09:00:00", "2027-03-25 11:00:00")
    assert span_texts(after.span)[2:] == ("2027-04-01 08:00:00", "2027-04-01 10:00:00")


def test_a_time_that_clocks_skip_moves_forward_and_keeps_its_recurrence_id():
    event = night("2027-03-27 02:30", "2027-03-27 03:30")
    skipped = occurrences(event, rrule="FREQ=DAILY;COUNT=3")[1]
    assert skipped.recurrence_id == datetime.fromisoformat("2027-03-28 02:30")
    assert span_texts(skipped.span)[:2] == ("2027-03-28 03:30:00", "2027-03-28 04:30:00")


def test_a_time_that_clocks_show_twice_is_the_first():
    event = night("2027-10-30 02:30", "2027-10-30 02:45")
    twice = occurrences(event, rrule="FREQ=DAILY;COUNT=2")[1]
    assert span_texts(twice.span)[2] == "2027-10-31 00:30:00"


def test_an_event_keeps_its_hours_across_a_change_of_clocks():
    event = night("2027-03-20 22:00", "2027-03-21 04:00")
    longer = occurrences(event, rrule="FREQ=WEEKLY;COUNT=2")[1]
    assert span_texts(longer.span)[:2] == ("2027-03-27 22:00:00", "2027-03-28 05:00:00")


def test_days_keep_their_number_across_a_change_of_clocks():
    event = whole_day("2027-03-20", "2027-03-21")
    weekend = occurrences(event, rrule="FREQ=WEEKLY;COUNT=2")[1]
    assert span_texts(weekend.span)[:2] == ("2027-03-27 00:00:00", "2027-03-28 23:59:59")
    assert weekend.span.all_day


@pytest.mark.parametrize(
    ("until", "last"),
    [
        ("20261216T090000Z", "2026-12-16 10:00"),
        ("20261216T085959Z", "2026-12-09 10:00"),
        ("20261216T100000", "2026-12-16 10:00"),
        ("20261216", "2026-12-16 10:00"),
        ("20261215", "2026-12-09 10:00"),
    ],
)
def test_until_is_in_utc_or_on_the_clocks_of_the_event_or_a_whole_day(until, last):
    event = weekly_meeting()
    assert starts(event, recurrence(event, rrule=f"FREQ=WEEKLY;UNTIL={until}"))[-1] == last


@pytest.mark.parametrize("until", ["20261216", "20261215T230000Z", "20261216T120000"])
def test_until_of_whole_days_is_a_day(until):
    event = whole_day("2026-12-02", "2026-12-02")
    series = recurrence(event, rrule=f"FREQ=WEEKLY;UNTIL={until}")
    assert series.rules == ("FREQ=WEEKLY;UNTIL=20261216",)
    assert starts(event, series)[-1] == "2026-12-16 00:00"


def test_times_of_day_are_ignored_for_whole_days():
    event = whole_day("2026-12-02", "2026-12-02")
    assert recurrence(event, rrule="FREQ=DAILY;BYHOUR=9,12;BYMINUTE=30").rules == ("FREQ=DAILY",)


def test_date_of_several_rules_occurs_once():
    event = weekly_meeting()
    rules = ["FREQ=WEEKLY;COUNT=3", "FREQ=DAILY;INTERVAL=14;COUNT=2"]
    dates = starts(event, recurrence(event, rrule=rules, rdate=["2026-12-09 10:00"]))
    assert dates == ["2026-12-02 10:00", "2026-12-09 10:00", "2026-12-16 10:00"]


def test_times_that_coincide_in_a_gap_are_one_date():
    event = night("2027-03-27 02:30", "2027-03-27 03:00")
    rule = "FREQ=DAILY;BYHOUR=2,3;COUNT=5"
    assert starts(event, recurrence(event, rrule=rule)) == [
        "2027-03-27 02:30",
        "2027-03-27 03:30",
        "2027-03-28 03:30",
        "2027-03-29 02:30",
    ]


def test_an_extra_date_has_the_length_of_the_event_or_an_end_of_its_own():
    event = weekly_meeting()
    longer = {"start": "2026-12-09 10:00", "end": "2026-12-09 18:00"}
    dates = occurrences(event, rrule="FREQ=WEEKLY;COUNT=2", rdate=["2026-12-05 09:00", longer])
    assert [span_texts(each.span)[1] for each in dates] == [
        "2026-12-02 12:00:00",
        "2026-12-05 11:00:00",
        "2026-12-09 18:00:00",
    ]


def test_exceptions_leave_out_dates_and_may_leave_out_the_first():
    event = weekly_meeting()
    exceptions = ["2026-12-02 10:00", "2026-12-16 10:00", "2026-12-17 10:00"]
    series = recurrence(event, rrule="FREQ=WEEKLY;COUNT=4", exdate=exceptions)
    assert starts(event, series) == ["2026-12-09 10:00", "2026-12-23 10:00"]


def test_a_week_number_alone_means_the_weekday_of_the_start():
    event = weekly_meeting()
    dates = starts(event, recurrence(event, rrule="FREQ=YEARLY;BYWEEKNO=1"), limit=3)
    assert dates == ["2026-12-02 10:00", "2027-01-06 10:00", "2028-01-05 10:00"]


@pytest.mark.parametrize(
    ("start", "rule", "expected"),
    [
        # 2021 has 52 weeks; its last one ends on 2 January 2022.
        ("2021-01-02", "BYWEEKNO=53;BYDAY=SA", ["2027-01-02", "2033-01-01"]),
        ("2021-01-02", "BYWEEKNO=-1;BYDAY=SA", ["2022-01-01", "2022-12-31"]),
        ("2021-01-02", "BYWEEKNO=53", ["2027-01-02", "2033-01-01"]),
        ("2024-12-30", "BYWEEKNO=1;BYDAY=MO", ["2025-12-29", "2027-01-04"]),
        ("2024-12-30", "INTERVAL=2;BYWEEKNO=1;BYDAY=MO", ["2027-01-04", "2029-01-01"]),
        ("2024-12-29", "WKST=SU;BYWEEKNO=1;BYDAY=SU", ["2026-01-04", "2027-01-03"]),
        ("2026-12-28", "BYWEEKNO=53;BYMONTH=12;BYDAY=MO", ["2032-12-27", "2037-12-28"]),
        ("2026-12-28", "BYWEEKNO=53;BYDAY=MO,FR;BYSETPOS=-1", ["2027-01-01", "2032-12-31"]),
    ],
)
def test_numbered_weeks_belong_to_the_year_with_most_of_their_days(start, rule, expected):
    event = settled(start=f"{start} 10:00", end=f"{start} 12:00")
    dates = starts(event, recurrence(event, rrule=f"FREQ=YEARLY;{rule}"), limit=3)
    assert [date[:10] for date in dates] == [start, *expected]


@pytest.mark.parametrize(
    ("position", "days"),
    [
        (1, ["2026-12-02", "2026-12-07", "2026-12-14"]),
        (2, ["2026-12-02", "2026-12-09", "2026-12-16"]),
        (-1, ["2026-12-02", "2026-12-04", "2026-12-11"]),
    ],
)
def test_positions_of_a_week_count_from_its_begin_though_the_event_starts_later(position, days):
    event = weekly_meeting()
    rule = f"FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS={position};COUNT=3"
    dates = starts(event, recurrence(event, rrule=rule))
    assert dates == [f"{day} 10:00" for day in days]


def test_weekdays_with_and_without_a_number_add_up():
    event = weekly_meeting()
    rule = "FREQ=MONTHLY;BYDAY=WE,1FR;COUNT=7"
    assert starts(event, recurrence(event, rrule=rule)) == [
        f"{day} 10:00"
        for day in (
            "2026-12-02",
            "2026-12-04",
            "2026-12-09",
            "2026-12-16",
            "2026-12-23",
            "2026-12-30",
            "2027-01-01",
        )
    ]


def test_dates_end_with_the_limit_and_with_the_latest_start():
    event = weekly_meeting()
    daily = recurrence(event, rrule="FREQ=DAILY")
    assert len(starts(event, daily, limit=7)) == 7
    assert starts(event, daily, until="2026-12-04 10:00")[-1] == "2026-12-04 10:00"
    assert starts(event, daily, until="2026-12-04 09:59")[-1] == "2026-12-03 10:00"


def test_a_fixed_offset_has_no_changes_of_clocks():
    event = weekly_meeting(start="2027-03-25 10:00", end="2027-03-25 12:00", timezone="UTC+5.5")
    dates = occurrences(event, rrule="FREQ=WEEKLY;COUNT=2")
    assert span_texts(dates[1].span)[2] == "2027-04-01 04:30:00"


@pytest.mark.parametrize("rule", ["FREQ=DAILY;INTERVAL=4", "FREQ=WEEKLY;INTERVAL=3;BYDAY=TU,WE"])
def test_dates_from_a_later_day_are_the_rest_of_all_dates(rule):
    event, since = weekly_meeting(), datetime.fromisoformat("2027-04-14 00:00")
    series = recurrence(event, rrule=rule)
    every = [each.recurrence_id for each in expand(series, event, until=None, limit=50)]
    later = [each.recurrence_id for each in expand(series, event, since=since, until=None, limit=5)]
    rest = [each for each in every if each >= since]
    assert [each for each in later if each >= since] == rest[:5]
