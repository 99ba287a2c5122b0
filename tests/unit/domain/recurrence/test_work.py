"""The search for the next date of a rule ends."""

import pytest
from unit.domain.recurrence.series import recurrence, starts
from unit.domain.spans import settled

from calendar_app.domain.recurrence.rules import InvalidRecurrence


def on(day):
    return settled(start=f"{day} 10:00", end=f"{day} 12:00")


@pytest.mark.parametrize(
    ("rule", "near", "far"),
    [
        # The last and the first year in which the 29th of February is found from 2096, as 2100 is
        # no leap year; then distances that only the search for a date may be too long for.
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "2096-03-01", None),
        ("FREQ=MONTHLY;INTERVAL=12;BYMONTH=2;BYMONTHDAY=29", "2096-02-29", "2026-03-01"),
        ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU", "2030-01-01", None),
        ("FREQ=WEEKLY;BYMONTH=2;BYDAY=SU", "2026-03-01", None),
        ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", None, "2026-03-01"),
        ("FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6;BYDAY=MO", None, "2026-03-01"),
    ],
)
def test_a_rule_without_dates_is_given_up_after_so_many_years(rule, near, far):
    if near:
        assert recurrence(on(near), rrule=rule)
    if far:
        with pytest.raises(InvalidRecurrence, match="never gives a date"):
            recurrence(on(far), rrule=rule)


def test_the_interval_multiplies_the_years():
    rule = "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;INTERVAL={}"
    assert recurrence(on("2025-03-01"), rrule=rule.format(7))
    with pytest.raises(InvalidRecurrence, match="never gives a date"):
        recurrence(on("2025-03-01"), rrule=rule.format(8))


def test_several_rules_share_the_work():
    leap_sundays = "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU"
    assert recurrence(on("2026-03-01"), rrule=[leap_sundays])
    with pytest.raises(InvalidRecurrence, match="never gives a date"):
        recurrence(on("2026-03-01"), rrule=[leap_sundays] * 10)


def test_a_rule_takes_the_work_of_four_of_its_longest_searches_in_all():
    event = on("1920-02-29")
    leap_sundays = recurrence(event, rrule="FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU")
    # Each is 28 years from the next one; that of 2060 would be the fifth to look for.
    years = [date[:4] for date in starts(event, leap_sundays)]
    assert years == ["1920", "1948", "1976", "2004", "2032"]
