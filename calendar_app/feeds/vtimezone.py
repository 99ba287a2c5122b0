"""A zone as a VTIMEZONE (RFC 5545 section 3.6.5).

``icalendar``'s own VTIMEZONE begins summer time an hour late: it uses the local time after the
change, where RFC 5545 requires that before it.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from itertools import groupby

from icalendar import Timezone, TimezoneDaylight, TimezoneStandard, vRecur
from icalendar.cal.component import Component

from calendar_app.domain.zones import Change, Rule, changes, ruled

# Every feed has the same years, since clients cache a zone by its name. After the last year the
# rule continues, if the zone has one.
_FIRST_YEAR, LAST_YEAR = 1970, 2100


def is_utc(zone: tzinfo) -> bool:
    """Return whether a zone is UTC, which needs no VTIMEZONE."""
    return zone.utcoffset(None) == timedelta()


def tzid_of(zone: tzinfo) -> str:
    """Return the name of a zone: ``Europe/Zurich``, or ``UTC+05:30`` for an offset."""
    return str(getattr(zone, "key", None) or zone.tzname(None))


def vtimezone(zone: tzinfo, first: int) -> Timezone:
    """Return the zone with all its transitions, from before the year ``first``."""
    return _build(tzid_of(zone), zone, min(first - 1, _FIRST_YEAR))


# The name is part of the key, since fixed offsets with different names are equal.
@lru_cache(maxsize=1024)
def _build(tzid: str, zone: tzinfo, first: int) -> Timezone:
    component = Timezone()
    component.add("tzid", tzid)
    similar = groupby(
        sorted(changes(zone, first, LAST_YEAR), key=_sort_key),
        key=lambda change: (change.before, change.after),
    )
    for _, group in similar:
        for observance in _observances(list(group)):
            component.add_component(observance)
    return component


def _sort_key(change: Change) -> tuple[object, ...]:
    return (change.before, change.after, change.onset)


def _observances(similar: Sequence[Change]) -> Iterator[Component]:
    """Yield transitions between the same offsets: single dates, then a rule.

    A rule that ended before the last year is listed as dates, since an RRULE would continue.
    """
    walls = [change.wall for change in similar]
    goes_on = similar[-1].onset.year == LAST_YEAR
    at, rule = ruled(walls) if goes_on else (len(walls), {})
    if at:
        yield _observance(similar[0], walls[:at], {})
    if rule:
        yield _observance(similar[0], walls[at : at + 1], rule)


def _observance(change: Change, walls: Sequence[datetime], rule: Rule) -> Component:
    component = TimezoneDaylight() if change.after.daylight else TimezoneStandard()
    component.add("dtstart", walls[0])
    component.add("tzoffsetfrom", change.before.offset)
    component.add("tzoffsetto", change.after.offset)
    component.add("tzname", change.after.name)
    if rule:
        component.add("rrule", vRecur(dict(rule)))
    # One per line, and DTSTART again: some clients read only the first of a list, and ical.js
    # ignores DTSTART beside RDATE.
    for wall in walls if len(walls) > 1 else ():
        component.add("rdate", [wall])
    return component
