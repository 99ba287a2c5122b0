"""When the clocks of a zone are changed, told as RFC 5545 section 3.6.5 tells it.

The zone is asked at instants, since it has no list of its changes to give: so what is told is
what this service reckons with, whatever the rules were at the time.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

# No zone has changed its clocks twice within a week since 1970.
_STEP = timedelta(days=7)
_SECOND = timedelta(seconds=1)
_FIRST, _LAST = 2, 9997  # the years in which every zone has a whole year before and behind
_UNCHANGED = 1800  # until then no zone has changed its clocks


class Clocks(NamedTuple):
    """The clocks of a zone between two changes: ``offset`` from UTC, and its name."""

    offset: timedelta
    name: str
    daylight: bool


class Change(NamedTuple):
    """A change of clocks; ``onset`` is the instant, naive in UTC."""

    onset: datetime
    before: Clocks
    after: Clocks

    @property
    def wall(self) -> datetime:
        """Return the wall clock before the change, as in DTSTART."""
        return self.onset + self.before.offset


def changes(zone: tzinfo, first: int, last: int) -> list[Change]:
    """Return the changes from the year ``first`` to ``last``, both included.

    In front stands how the clocks were at the beginning, as a change that changes nothing.
    """
    begin = datetime(max(first, _FIRST), 1, 1)  # noqa: DTZ001  # naive means UTC
    years = range(max(begin.year, _UNCHANGED), min(last, _LAST) + 1)
    clocks = _clocks(zone, begin)
    return [
        Change(begin, clocks, clocks),
        *(change for year in years for change in _changes_in(zone, year)),
    ]


@lru_cache(maxsize=65536)
def _changes_in(zone: tzinfo, year: int) -> tuple[Change, ...]:
    clocks = [(instant, _clocks(zone, instant)) for instant in _weeks(year)]
    return tuple(
        _between(zone, earlier, later)
        for (earlier, before), (later, after) in pairwise(clocks)
        if before != after
    )


def _weeks(year: int) -> Iterator[datetime]:
    """Yield the beginning of every seventh day of a year, and that of the next year."""
    instant = datetime(year, 1, 1)  # noqa: DTZ001  # naive means UTC
    while instant.year == year:
        yield instant
        instant += _STEP
    yield datetime(year + 1, 1, 1)  # noqa: DTZ001  # naive means UTC


def _between(zone: tzinfo, earlier: datetime, later: datetime) -> Change:
    """Return the change between two instants, of which there is one, to the second."""
    before, after = _clocks(zone, earlier), _clocks(zone, later)
    while later - earlier > _SECOND:
        middle = earlier + (later - earlier) // 2
        middle = middle.replace(microsecond=0)
        if _clocks(zone, middle) == before:
            earlier = middle
        else:
            later = middle
    return Change(later, before, after)


def _clocks(zone: tzinfo, instant: datetime) -> Clocks:
    aware = instant.replace(tzinfo=UTC).astimezone(zone)
    offset = aware.utcoffset() or timedelta()
    return Clocks(offset, aware.tzname() or "", daylight=bool(aware.dst()))
