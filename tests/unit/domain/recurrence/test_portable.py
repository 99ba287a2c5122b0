"""Recurrences in the form that most programs read: one rule, and a start that is named."""

from datetime import datetime

import pytest
from unit.domain.recurrence.series import recurrence, starts, weekly_meeting

from calendar_app.domain.recurrence.changing import by_first_rule, portable

# On a Wednesday.
START = "2026-12-02 10:00"


def extra(series):
    return [f"{date.start:%Y-%m-%d %H:%M}" for date in series.rdates]


@pytest.mark.parametrize(
    ("rules", "named"),
    [
        ("FREQ=WEEKLY;COUNT=3", []),
        ("FREQ=WEEKLY;BYDAY=WE,FR", []),
        ("FREQ=WEEKLY;BYDAY=FR;COUNT=3", [START]),
        ("FREQ=MONTHLY;BYMONTHDAY=1", [START]),
        (["FREQ=WEEKLY;BYDAY=FR", "FREQ=MONTHLY;BYMONTHDAY=2"], []),
    ],
)
def test_start_is_named_where_no_rule_gives_it(rules, named):
    event = weekly_meeting()
    series = recurrence(event, rrule=rules)
    assert extra(portable(series, event)) == named
    assert starts(event, portable(series, event), limit=9) == starts(event, series, limit=9)


def test_start_without_a_rule_is_not_named_twice():
    event = weekly_meeting()
    series = recurrence(event, rdate=["2026-12-20 10:00"])
    assert portable(series, event) == series


@pytest.mark.parametrize(
    ("rules", "exdates", "kept_exdates"),
    [
        (["FREQ=WEEKLY;COUNT=3", "FREQ=WEEKLY;BYDAY=FR;COUNT=4"], [], []),
        (["FREQ=WEEKLY;BYDAY=FR;COUNT=4", "FREQ=WEEKLY;COUNT=3"], ["2026-12-09 10:00"], []),
        (
            ["FREQ=DAILY;INTERVAL=2;COUNT=9", "FREQ=WEEKLY;BYDAY=WE,FR;COUNT=6"],
            ["2026-12-04 10:00", "2026-12-09 10:00"],
            ["2026-12-04 10:00"],
        ),
    ],
)
def test_first_rule_stands_for_all_with_the_dates_of_the_others(rules, exdates, kept_exdates):
    event = weekly_meeting()
    series = recurrence(event, rrule=rules, exdate=exdates)
    dates = [datetime.fromisoformat(date) for date in starts(event, series)]
    alone = by_first_rule(series, event, dates)
    assert alone.rules == series.rules[:1]
    assert starts(event, alone) == starts(event, series)
    # Some programs read no exception behind one of a date that is not there.
    assert [f"{wall:%Y-%m-%d %H:%M}" for wall in alone.exdates] == kept_exdates
