"""Times and recurrences of VEVENTs."""

from datetime import UTC, datetime

import pytest
from icalendar import Event

from calendar_app.domain.timespan import settle
from calendar_app.sources.imports.ics.properties import EventTimes, parse_recurrence
from calendar_app.sources.imports.ics.zones import UnreadableComponent

ZURICH = "Europe/Zurich"


def times(*lines, calendar_zone=""):
    event = Event.from_ical("\r\n".join(["BEGIN:VEVENT", *lines, "END:VEVENT", ""]))
    return EventTimes(event, calendar_zone or ZURICH)


def span(*lines, **zone):
    return settle(None, **times(*lines, **zone).changes(), site_timezone=ZURICH)


def wall(*lines, **zone):
    """Return start, end and zone on the spot."""
    settled = span(*lines, **zone)
    return (
        f"{settled.start_local:%d.%m. %H:%M}",
        f"{settled.end_local:%d.%m. %H:%M}",
        settled.timezone,
    )


def test_floating_time_is_in_the_zone_of_the_calendar_else_of_the_site():
    floating = ("DTSTART:20270106T190000", "DTEND:20270106T200000")
    assert wall(*floating) == ("06.01. 19:00", "06.01. 20:00", ZURICH)
    assert wall(*floating, calendar_zone="Asia/Tokyo")[2] == "Asia/Tokyo"


def test_single_event_in_utc_is_shown_in_the_zone_of_the_calendar_else_of_the_site():
    assert wall("DTSTART:20270706T170000Z") == ("06.07. 19:00", "06.07. 19:00", ZURICH)
    shown = wall("DTSTART:20270706T170000Z", calendar_zone="Asia/Tokyo")
    assert shown == ("07.07. 02:00", "07.07. 02:00", "Asia/Tokyo")


def test_series_in_utc_stays_there():
    weekly = wall("DTSTART:20270706T170000Z", "RRULE:FREQ=WEEKLY", calendar_zone=ZURICH)
    assert weekly == ("06.07. 17:00", "06.07. 17:00", "UTC")


def test_end_may_be_in_another_zone():
    start = f"DTSTART;TZID={ZURICH}:20270106T190000"
    assert wall(start, "DTEND;TZID=Europe/London:20270106T190000")[1] == "06.01. 20:00"


@pytest.mark.parametrize(
    ("duration", "end"),
    [("PT4H", "28.03. 05:00"), ("P1D", "29.03. 00:00"), ("PT0S", "28.03. 00:00")],
)
def test_duration_counts_hours_exactly_and_days_by_the_calendar(duration, end):
    # The clocks go forward at 02:00.
    assert wall(f"DTSTART;TZID={ZURICH}:20270328T000000", f"DURATION:{duration}")[1] == end


@pytest.mark.parametrize("end", [(), ("DTEND;VALUE=DATE:20270107",), ("DURATION:P1D",)])
def test_whole_day_ends_on_the_same_day(end):
    assert wall("DTSTART;VALUE=DATE:20270106", *end)[:2] == ("06.01. 00:00", "06.01. 23:59")


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["SUMMARY:x"], "no DTSTART"),
        (["DTSTART:20270106T190000", "DTEND;VALUE=DATE:20270107"], "DTEND"),
        (["DTSTART:20270106T190000", "DURATION:soon"], "DURATION"),
    ],
)
def test_unreadable_times_are_named(lines, reason):
    with pytest.raises(UnreadableComponent, match=reason):
        times(*lines).changes()


def test_recurrence_keeps_rules_and_dates():
    event_times = times(
        f"DTSTART;TZID={ZURICH}:20270106T190000",
        "RRULE:FREQ=WEEKLY;COUNT=3",
        "RDATE;VALUE=PERIOD:20270201T180000Z/PT1H",
        "EXDATE;VALUE=DATE:20270113",
    )
    parts = event_times.recurrence()
    assert parts["rrule"] == ["FREQ=WEEKLY;COUNT=3"]
    (period,) = parts["rdate"]
    end = period["end"].wall.replace(tzinfo=period["end"].zone)
    assert end == datetime(2027, 2, 1, 19, tzinfo=UTC)
    # A mere day leaves out the event on it.
    assert parts["exdate"][0].wall.hour == 19
    assert len(parse_recurrence(parts).rules) == 1


def test_recurrence_that_makes_no_sense_is_named():
    with pytest.raises(UnreadableComponent, match="RSCALE"):
        parse_recurrence({"rrule": ["RSCALE=CHINESE;FREQ=YEARLY"]})


@pytest.mark.parametrize(
    ("start", "until", "is_over"),
    [
        ("DTSTART:20270106T190000", "20270106T190000", False),
        ("DTSTART:20270106T190000", "20270106T185959", True),
        ("DTSTART:20270106T190000", "20270106", False),
        ("DTSTART:20270106T190000Z", "20270106T190000Z", False),
        ("DTSTART:20270106T190000Z", "20270106T185959Z", True),
        ("DTSTART;VALUE=DATE:20270106", "20270106", False),
        ("DTSTART;VALUE=DATE:20270106", "20270105", True),
    ],
)
def test_rule_may_end_with_the_first_date_and_not_before_it(start, until, is_over):
    rule = f"FREQ=WEEKLY;UNTIL={until}"
    rules = times(start, f"RRULE:{rule}").recurrence()["rrule"]
    assert rules == ([] if is_over else [rule])
