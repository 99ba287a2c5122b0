"""The coming dates of a series as a site lists them, each by the wall clock of its start.

The note of the series has them as ``dates``: the ``start`` of each in UTC, and a ``digest`` of what
the site says of it. One that the site lists no more has ``missing``, ``accepted``, ``vanished`` and
its ``revision`` then, as the note of an event has them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from calendar_app.calendar.series.occurrences import RECURRENCE_ID
from calendar_app.domain.kind import Record

SiteDates = Mapping[str, Record]
NO_DATES: SiteDates = MappingProxyType({})
_DAY = len("2026-12-24")


class ComparedDates(NamedTuple):
    """The names of noted dates that a site has changed, and of dates that it has removed."""

    changed: frozenset[str]
    gone: frozenset[str]


def compared(noted: SiteDates, listed: SiteDates) -> ComparedDates:
    """Compare the dates of a site with those of last time; one may move within its day."""
    same = noted.keys() & listed.keys()
    changed = {name for name in same if noted[name]["digest"] != listed[name]["digest"]}
    fresh = Counter(name[:_DAY] for name in listed.keys() - same)
    gone: set[str] = set()
    for name in sorted(noted.keys() - same):
        day = name[:_DAY]
        if fresh[day]:
            changed.add(name)
            fresh[day] -= 1
        else:
            gone.add(name)
    return ComparedDates(frozenset(changed), frozenset(gone))


def not_begun(dates: SiteDates, now: datetime) -> dict[str, Record]:
    """Return the dates that have not begun."""
    return {name: each for name, each in dates.items() if each["start"] > now}


def to_note(noted: SiteDates, listed: SiteDates, now: datetime) -> dict[str, Record]:
    """Return the coming dates to note: those of a site, and those that it lacks since then."""
    gone = compared(noted, listed).gone
    return not_begun({**{name: noted[name] for name in gone}, **listed}, now)


def occurrence_on(name: str, occurrences: Iterable[Record]) -> Record | None:
    """Return the occurrence of a date: that at its time, else the only one of its day.

    Of one that has times of its own, as people here give them, that of the series counts.
    """
    start = datetime.fromisoformat(name)
    at_its_time, of_its_day = [], []
    for each in occurrences:
        time = RECURRENCE_ID if "start_local" in each["overrides"] else "start_local"
        if each[time] == start:
            at_its_time.append(each)
        if each[RECURRENCE_ID].date() == start.date():
            of_its_day.append(each)
    candidates = at_its_time or of_its_day
    return candidates[0] if len(candidates) == 1 else None
