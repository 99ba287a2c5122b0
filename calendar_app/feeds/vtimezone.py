"""A zone as a VTIMEZONE (RFC 5545 section 3.6.5).

``icalendar`` could make one of a zone, but tells the beginning of summer time by the clocks as
they are afterwards, where the standard wants them as they were: an hour too late.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from itertools import groupby

from icalendar import Timezone, TimezoneDaylight, TimezoneStandard, vRecur
from icalendar.cal.component import Component

from calendar_app.domain.yearly import Rule, ruled
from calendar_app.domain.zone_changes import Change, changes

# Told of every zone, whatever a feed holds: programs keep a zone by its name for other feeds.
# Behind the last year a rule goes on; not every zone has one that can be told.
_FIRST, LAST_TOLD = 1970, 2100


def is_utc(zone: tzinfo) -> bool:
    """Say whether the clocks of a zone always show UTC, which needs no VTIMEZONE."""
    return zone.utcoffset(None) == timedelta()


def tzid_of(zone: tzinfo) -> str:
    """Return the name of a zone: ``Europe/Zurich``, or ``UTC+05:30`` of a fixed offset."""
    return str(getattr(zone, "key", None) or zone.tzname(None))


def vtimezone(zone: tzinfo, first: int) -> Timezone:
    """Return the zone with all changes of its clocks, from before the year ``first`` on."""
    return _told(tzid_of(zone), zone, min(first - 1, _FIRST))


# Fixed offsets are equal whatever their names are, so that the name is remembered with them.
@lru_cache(maxsize=1024)
def _told(tzid: str, zone: tzinfo, first: int) -> Timezone:
    component = Timezone()
    component.add("tzid", tzid)
    alike = groupby(
        sorted(changes(zone, first, LAST_TOLD), key=_sort),
        key=lambda change: (change.before, change.after),
    )
    for _, group in alike:
        for observance in _observances(list(group)):
            component.add_component(observance)
    return component


def _sort(change: Change) -> tuple[object, ...]:
    return (change.before, change.after, change.onset)


def _observances(alike: Sequence[Change]) -> Iterator[Component]:
    """Tell changes between the same two times: those without a rule one by one.

    What has come to an end before the last year is no rule, or it would go on.
    """
    walls = [change.wall for change in alike]
    goes_on = alike[-1].onset.year == LAST_TOLD
    at, rule = ruled(walls) if goes_on else (len(walls), {})
    if at:
        yield _observance(alike[0], walls[:at], {})
    if rule:
        yield _observance(alike[0], walls[at : at + 1], rule)


def _observance(change: Change, walls: Sequence[datetime], rule: Rule) -> Component:
    component = TimezoneDaylight() if change.after.daylight else TimezoneStandard()
    component.add("dtstart", walls[0])
    component.add("tzoffsetfrom", change.before.offset)
    component.add("tzoffsetto", change.after.offset)
    component.add("tzname", change.after.name)
    if rule:
        component.add("rrule", vRecur(dict(rule)))
    # One a line, and the first one again: there are programs that read the first of a list only,
    # and ical.js takes dates for all there are.
    for wall in walls if len(walls) > 1 else ():
        component.add("rdate", [wall])
    return component
