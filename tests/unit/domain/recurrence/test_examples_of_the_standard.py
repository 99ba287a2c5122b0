"""The examples of RFC 5545, section 3.8.5.3, all of them."""

from datetime import datetime

import pytest
from unit.domain.recurrence.series import recurrence, starts
from unit.domain.spans import settled

from calendar_app.domain.recurrence.rules import InvalidRecurrence

# The start, at nine in New York; the rule; the days of its dates, those of one month together. With
# dots behind, the series goes on.
EXAMPLES = """
1997-09-02 FREQ=DAILY;COUNT=10 | 1997-09 2 3 4 5 6 7 8 9 10 11
1997-09-02 FREQ=DAILY;INTERVAL=2 | 1997-09 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30, 1997-10 2 4 ...
1997-09-02 FREQ=DAILY;INTERVAL=10;COUNT=5 | 1997-09 2 12 22, 1997-10 2 12
1997-09-02 FREQ=WEEKLY;COUNT=10 | 1997-09 2 9 16 23 30, 1997-10 7 14 21 28, 1997-11 4
1997-09-02 FREQ=WEEKLY;UNTIL=19971224T000000Z | 1997-09 2 9 16 23 30, 1997-10 7 14 21 28, 1997-11 4 11 18 25, 1997-12 2 9 16 23
1997-09-02 FREQ=WEEKLY;INTERVAL=2;WKST=SU | 1997-09 2 16 30, 1997-10 14 28, 1997-11 11 25, 1997-12 9 23, 1998-01 6 20, 1998-02 3 17 ...
1997-09-02 FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH | 1997-09 2 4 9 11 16 18 23 25 30, 1997-10 2
1997-09-02 FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH | 1997-09 2 4 9 11 16 18 23 25 30, 1997-10 2
1997-09-01 FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR | 1997-09 1 3 5 15 17 19 29, 1997-10 1 3 13 15 17 27 29 31, 1997-11 10 12 14 24 26 28, 1997-12 8 10 12 22
1997-09-02 FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH | 1997-09 2 4 16 18 30, 1997-10 2 14 16
1997-09-05 FREQ=MONTHLY;COUNT=10;BYDAY=1FR | 1997-09 5, 1997-10 3, 1997-11 7, 1997-12 5, 1998-01 2, 1998-02 6, 1998-03 6, 1998-04 3, 1998-05 1, 1998-06 5
1997-09-05 FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR | 1997-09 5, 1997-10 3, 1997-11 7, 1997-12 5
1997-09-07 FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU | 1997-09 7 28, 1997-11 2 30, 1998-01 4 25, 1998-03 1 29, 1998-05 3 31
1997-09-22 FREQ=MONTHLY;COUNT=6;BYDAY=-2MO | 1997-09 22, 1997-10 20, 1997-11 17, 1997-12 22, 1998-01 19, 1998-02 16
1997-09-28 FREQ=MONTHLY;BYMONTHDAY=-3 | 1997-09 28, 1997-10 29, 1997-11 28, 1997-12 29, 1998-01 29, 1998-02 26 ...
1997-09-02 FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15 | 1997-09 2 15, 1997-10 2 15, 1997-11 2 15, 1997-12 2 15, 1998-01 2 15
1997-09-30 FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1 | 1997-09 30, 1997-10 1 31, 1997-11 1 30, 1997-12 1 31, 1998-01 1 31, 1998-02 1
1997-09-10 FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15 | 1997-09 10 11 12 13 14 15, 1999-03 10 11 12 13
1997-09-02 FREQ=MONTHLY;INTERVAL=2;BYDAY=TU | 1997-09 2 9 16 23 30, 1997-11 4 11 18 25, 1998-01 6 13 20 27, 1998-03 3 10 17 24 31 ...
1997-06-10 FREQ=YEARLY;COUNT=10;BYMONTH=6,7 | 1997-06 10, 1997-07 10, 1998-06 10, 1998-07 10, 1999-06 10, 1999-07 10, 2000-06 10, 2000-07 10, 2001-06 10, 2001-07 10
1997-03-10 FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3 | 1997-03 10, 1999-01 10, 1999-02 10, 1999-03 10, 2001-01 10, 2001-02 10, 2001-03 10, 2003-01 10, 2003-02 10, 2003-03 10
1997-01-01 FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200 | 1997-01 1, 1997-04 10, 1997-07 19, 2000-01 1, 2000-04 9, 2000-07 18, 2003-01 1, 2003-04 10, 2003-07 19, 2006-01 1
1997-05-19 FREQ=YEARLY;BYDAY=20MO | 1997-05 19, 1998-05 18, 1999-05 17 ...
1997-05-12 FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO | 1997-05 12, 1998-05 11, 1999-05 17 ...
1997-03-13 FREQ=YEARLY;BYMONTH=3;BYDAY=TH | 1997-03 13 20 27, 1998-03 5 12 19 26, 1999-03 4 11 18 25 ...
1997-06-05 FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8 | 1997-06 5 12 19 26, 1997-07 3 10 17 24 31, 1997-08 7 14 21 28, 1998-06 4 11 18 25, 1998-07 2 9 16 23 30, 1998-08 6 13 20 27 ...
1997-09-13 FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13 | 1997-09 13, 1997-10 11, 1997-11 8, 1997-12 13, 1998-01 10, 1998-02 7, 1998-03 7, 1998-04 11, 1998-05 9, 1998-06 13 ...
1996-11-05 FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8 | 1996-11 5, 2000-11 7, 2004-11 2 ...
1997-09-04 FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3 | 1997-09 4, 1997-10 7, 1997-11 6
1997-09-29 FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2 | 1997-09 29, 1997-10 30, 1997-11 27, 1997-12 30, 1998-01 29, 1998-02 26, 1998-03 30 ...
1997-08-05 FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO | 1997-08 5 10 19 24
1997-08-05 FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU | 1997-08 5 17 19 31
2007-01-15 FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5 | 2007-01 15 30, 2007-02 15, 2007-03 15 30
"""  # noqa: E501  a line for each example
LINES = EXAMPLES.strip().splitlines()


def new_york(day):
    return settled(start=f"{day} 09:00", end=f"{day} 10:00", timezone="America/New_York")


def days_of(text):
    for month in text.removesuffix("...").split(","):
        name, *days = month.split()
        yield from (f"{name}-{int(day):02} 09:00" for day in days)


@pytest.mark.parametrize("line", LINES, ids=[line.split(" |")[0] for line in LINES])
def test_a_rule_gives_the_dates_of_the_standard(line):
    rule, _, days = line.partition(" | ")
    day, _, rule = rule.partition(" ")
    expected = list(days_of(days))
    event = new_york(day)
    dates = starts(event, recurrence(event, rrule=rule), limit=len(expected) + 1)
    assert dates[: len(expected)] == expected
    assert (len(dates) > len(expected)) == days.endswith("...")


def test_every_day_until_christmas():
    event = new_york("1997-09-02")
    dates = starts(event, recurrence(event, rrule="FREQ=DAILY;UNTIL=19971224T000000Z"))
    assert (len(dates), dates[-1]) == (113, "1997-12-23 09:00")


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
        "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1",
    ],
)
def test_every_day_in_january_for_three_years(rule):
    event = new_york("1998-01-01")
    dates = starts(event, recurrence(event, rrule=rule))
    assert len(dates) == 93
    assert (dates[30], dates[31], dates[-1]) == (
        "1998-01-31 09:00",
        "1999-01-01 09:00",
        "2000-01-31 09:00",
    )


def test_every_friday_the_thirteenth():
    event = new_york("1997-09-02")
    fridays = recurrence(
        event, rrule="FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", exdate=["1997-09-02 09:00"]
    )
    assert starts(event, fridays, limit=5) == [
        f"{day} 09:00"
        for day in ("1998-02-13", "1998-03-13", "1998-11-13", "1999-08-13", "2000-10-13")
    ]


def test_every_twenty_minutes_between_nine_and_five():
    event = new_york("1997-09-02")
    rule = "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40"
    times = starts(event, recurrence(event, rrule=rule), until="1997-09-02 23:00")
    assert (len(times), times[1], times[-1]) == (24, "1997-09-02 09:20", "1997-09-02 16:40")
    assert datetime.fromisoformat(times[0]) == event.start_local


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z",
        "FREQ=MINUTELY;INTERVAL=15;COUNT=6",
        "FREQ=MINUTELY;INTERVAL=90;COUNT=4",
        "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16",
    ],
)
def test_frequencies_below_a_day_are_refused(rule):
    with pytest.raises(InvalidRecurrence, match="DAILY is the shortest"):
        recurrence(new_york("1997-09-02"), rrule=rule)
