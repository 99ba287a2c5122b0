"""Random rules give the same dates by other expanders.

``RECURRENCE_RULES`` is how many. ``tests/clients/recurrence.test.mjs`` has those in JavaScript.
Starts are on their rules: what is off them is our own decision.
"""

from datetime import timedelta
from itertools import islice
from random import Random
from zoneinfo import ZoneInfo

import recurring_ical_events
from dateutil.rrule import rrulestr
from icalendar import Calendar, Event, vRecur
from recurrence_cases import MOST_DATES, RULES, random_case

SLOW = 5  # how much slower the other library is


def walls(moments):
    return [moment.replace(tzinfo=None) for moment in moments]


def differences(rules, seed, expand):
    """Return the cases in which ``expand`` gives other dates than ours."""
    random = Random(seed)  # noqa: S311  the same rules each time
    cases = (random_case(random) for _ in range(rules))
    return [case for case in cases if case.dates() != case.comparable(walls(expand(case)))]


def by_dateutil(case):
    start = case.start.replace(tzinfo=ZoneInfo(case.zone))
    # A gap may make one date of two.
    return islice(rrulestr(case.rule, dtstart=start), 2 * MOST_DATES)


def by_recurring_ical_events(case):
    zone = ZoneInfo(case.zone)
    event = Event(rrule=vRecur.from_ical(case.rule))
    event.add("uid", "1")
    event.add("dtstart", case.start.replace(tzinfo=zone))
    calendar = Calendar()
    calendar.add_component(event)
    last = (case.horizon + timedelta(days=1)).replace(tzinfo=zone)
    occurrences = recurring_ical_events.of(calendar).between(event["DTSTART"].dt, last)
    return [occurrence["DTSTART"].dt for occurrence in occurrences]


def test_dateutil_alone_gives_the_same_dates():
    assert differences(RULES, 1, by_dateutil) == []


def test_recurring_ical_events_gives_the_same_dates():
    assert differences(max(RULES // SLOW, 1), 2, by_recurring_ical_events) == []
