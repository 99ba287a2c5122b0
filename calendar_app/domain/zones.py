"""Time zones: their names, wall clocks and changes of clocks.

A wall clock is a naive datetime as a clock on the spot shows it; an instant is a naive datetime
in UTC.
"""

import re
from bisect import bisect_left
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from calendar_app.errors import ConfigurationError

_OFFSET = re.compile(
    r"(?P<utc>UTC|GMT)?(?P<sign>[+-])(?P<hours>\d{1,2})"
    r"(?::?(?P<minutes>[0-5]\d)|\.(?P<fraction>\d{1,2}))?",
    re.ASCII | re.IGNORECASE,
)
_WEST, _EAST = timedelta(hours=-12), timedelta(hours=14)
# No zone is a whole day away from UTC.
_FIRST = datetime(1, 1, 2, tzinfo=UTC).replace(tzinfo=None)
_LAST = datetime(9999, 12, 31, tzinfo=UTC).replace(tzinfo=None)
# Names in the zone database that stand for no place.
_NO_PLACES = {"localtime", "Factory"}
# Only abbreviations that nearly everybody reads alike: IST, say, is three zones.
_HOURS = {
    "UTC": 0, "GMT": 0, "WET": 0, "WEST": 1, "BST": 1, "WAT": 1,
    "CET": 1, "CEST": 2, "MET": 1, "MEZ": 1, "MESZ": 2, "CAT": 2, "SAST": 2,
    "EET": 2, "EEST": 3, "EAT": 3, "MSK": 3, "PKT": 5,
    "HKT": 8, "SGT": 8, "AWST": 8, "JST": 9, "KST": 9, "ACST": 9.5, "ACDT": 10.5,
    "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
    "NST": -3.5, "NDT": -2.5, "AST": -4, "ADT": -3, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5,
    "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "AKST": -9, "AKDT": -8, "HST": -10,
}  # fmt: skip


@lru_cache(maxsize=1024)
def zone_of(name: str) -> tzinfo:
    """Return the zone of this name: IANA, an abbreviation, or an offset like ``UTC+5.5``.

    ``GMT`` in front of an offset means the same, and ``Z`` is UTC. Letter case does not matter.
    Raises ``ValueError`` if there is no such zone.
    """
    if match := _OFFSET.fullmatch(name):
        return timezone(_offset(match))
    if key := _iana_names().get(name.lower()):
        return ZoneInfo(key)
    if name.upper() in _HOURS:
        return _abbreviated(name.upper())
    raise ValueError("There is no such time zone: it needs a name such as Europe/Zurich or UTC+1.")


def is_iana(name: str) -> bool:
    """Say whether a place in the IANA database has this name, in this letter case."""
    return _iana_names().get(name.lower()) == name


def zone_in_text(name: str) -> tzinfo:
    """Return the zone that stands behind a time, where CET is never CEST.

    Raises ``ValueError`` if there is no such zone.
    """
    return _abbreviated(name.upper()) if name.upper() in _HOURS else zone_of(name)


def localize(wall: datetime, zone: tzinfo) -> datetime:
    """Return the aware datetime at which the clocks in ``zone`` show ``wall``.

    A time that daylight saving skips moves forward by the gap; of two readings the first counts.
    Raises ``ValueError`` if the instant is outside the years 1 to 9999.
    """
    try:
        # Through UTC and back: the offset before the gap carries a skipped time beyond it.
        return wall.replace(tzinfo=zone, fold=0).astimezone(UTC).astimezone(zone)
    except OverflowError as error:
        raise ValueError("The time is outside the years 1 to 9999.") from error


def instant_of(wall: datetime, zone: tzinfo) -> datetime:
    """Return the instant of a wall clock. Raises ``ValueError`` as ``localize`` does."""
    if zone is UTC:
        return wall.replace(fold=0) if wall.fold else wall
    return localize(wall, zone).astimezone(UTC).replace(tzinfo=None)


def wall_of(instant: datetime, zone: tzinfo) -> datetime:
    """Return the wall clock at an instant.

    Raises ``ValueError`` if it is outside the years 1 to 9999.
    """
    try:
        return instant.replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None, fold=0)
    except OverflowError as error:
        raise ValueError("The time is outside the years 1 to 9999.") from error


def with_wall_everywhere(instant: datetime) -> datetime:
    """Return an instant at which the clocks of every zone show something.

    Raises ``ValueError`` for those at the ends of the years 1 to 9999.
    """
    if not _FIRST <= instant <= _LAST:
        raise ValueError("The time is outside the years 1 to 9999.")
    return instant


def abbreviation(name: str, instant: datetime) -> str:
    """Return the abbreviation of a zone at an instant (aware, or naive in UTC).

    ``CET`` or ``CEST`` for Zurich, the name itself for ``UTC+5.5`` and its like, ``GMT+0200`` for
    ``+02:00``, nothing for no name. Raises ``ValueError`` if there is no such zone.
    """
    if not name:
        return ""
    zone = zone_of(name)
    if match := _OFFSET.fullmatch(name):
        return name if match["utc"] else f"GMT{instant.replace(tzinfo=zone):%z}"
    aware = instant if instant.tzinfo else instant.replace(tzinfo=UTC)
    try:
        return aware.astimezone(zone).tzname() or ""
    except OverflowError as error:
        raise ValueError("The time is outside the years 1 to 9999.") from error


@cache
def _iana_names() -> dict[str, str]:
    return {name.lower(): name for name in available_timezones() - _NO_PLACES} | {"z": "UTC"}


def _abbreviated(name: str) -> timezone:
    return timezone(timedelta(hours=_HOURS[name]), name)


def _offset(match: re.Match[str]) -> timedelta:
    minutes = int(match["minutes"] or 0)
    if match["fraction"]:
        minutes, odd = divmod(60 * int(match["fraction"].ljust(2, "0")), 100)
        if odd or minutes % 15:
            raise ValueError("A time zone is a whole number of quarter hours.")
    size = timedelta(hours=int(match["hours"]), minutes=minutes)
    offset = -size if match["sign"] == "-" else size
    if not _WEST <= offset <= _EAST:
        raise ValueError("A time zone is between UTC-12 and UTC+14.")
    return offset


# When the clocks of a zone are changed, told as RFC 5545 section 3.6.5 tells it.
#
# The zone is asked at instants, since it has no list of its changes to give: so what is told is
# what this service reckons with, whatever the rules were at the time.

# No zone has changed its clocks twice within a week since 1970.
_STEP = timedelta(days=7)
_SECOND = timedelta(seconds=1)
_FIRST_YEAR, _LAST_YEAR = (
    2,
    9997,
)  # the years in which every zone has a whole year before and behind
_UNCHANGED = 1800  # until then no zone has changed its clocks


class Clocks(NamedTuple):
    """The clocks of a zone between two changes: ``offset`` from UTC, and its name."""

    offset: timedelta
    name: str
    daylight: bool


class ClockChange(NamedTuple):
    """A change of clocks; ``onset`` is the instant, naive in UTC."""

    onset: datetime
    before: Clocks
    after: Clocks

    @property
    def wall(self) -> datetime:
        """Return the wall clock before the change, as in DTSTART."""
        return self.onset + self.before.offset


def changes(zone: tzinfo, first: int, last: int) -> list[ClockChange]:
    """Return the changes from the year ``first`` to ``last``, both included.

    In front stands how the clocks were at the beginning, as a change that changes nothing.
    """
    begin = datetime(max(first, _FIRST_YEAR), 1, 1)  # noqa: DTZ001  # naive means UTC
    years = range(max(begin.year, _UNCHANGED), min(last, _LAST_YEAR) + 1)
    clocks = _clocks(zone, begin)
    return [
        ClockChange(begin, clocks, clocks),
        *(change for year in years for change in _changes_in(zone, year)),
    ]


@lru_cache(maxsize=8192)
def _changes_in(zone: tzinfo, year: int) -> tuple[ClockChange, ...]:
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


def _between(zone: tzinfo, earlier: datetime, later: datetime) -> ClockChange:
    """Return the change between two instants, of which there is one, to the second."""
    before, after = _clocks(zone, earlier), _clocks(zone, later)
    while later - earlier > _SECOND:
        middle = earlier + (later - earlier) // 2
        middle = middle.replace(microsecond=0)
        if _clocks(zone, middle) == before:
            earlier = middle
        else:
            later = middle
    return ClockChange(later, before, after)


def _clocks(zone: tzinfo, instant: datetime) -> Clocks:
    aware = instant.replace(tzinfo=UTC).astimezone(zone)
    offset = aware.utcoffset() or timedelta()
    return Clocks(offset, aware.tzname() or "", daylight=bool(aware.dst()))


# The rule by which something happens once a year, as RFC 5545 section 3.3.10 writes rules.

# So long it takes until the days of a year fall on the same weekdays in the same order again: what
# has held for that time is no chance.
_FEWEST = 28
_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WEEK = 7

ZoneRule = dict[str, str | int | list[int]]


def ruled(dates: Sequence[datetime]) -> tuple[int, ZoneRule]:
    """Return from which of ``dates`` on one rule gives all, and that rule.

    ``dates`` are in order. Where the last ones follow no rule, this is their number, and no rule.
    """
    latest = len(dates) - _FEWEST
    if latest < 0 or not _rule(dates[latest:]):
        return len(dates), {}
    # What gives the dates from one on gives those from a later one on as well.
    at = bisect_left(range(latest), True, key=lambda first: bool(_rule(dates[first:])))
    return at, _rule(dates[at:])


def _rule(dates: Sequence[datetime]) -> ZoneRule:
    """Return the rule that gives exactly these, one each year; empty where there is none."""
    first = dates[0]
    each_year = [date.year - first.year for date in dates] == list(range(len(dates)))
    if not each_year or len({(date.month, date.time()) for date in dates}) > 1:
        return {}
    yearly: ZoneRule = {"FREQ": "YEARLY", "BYMONTH": first.month}
    if len({date.day for date in dates}) == 1 and first.day < monthrange(2001, first.month)[1]:
        return yearly | {"BYMONTHDAY": first.day}
    on_weekday = _on_weekday(dates)
    return yearly | on_weekday if on_weekday else {}


def _on_weekday(dates: Sequence[datetime]) -> ZoneRule:
    """Return the part of a rule that names a weekday: the last, the second, one from the 23rd."""
    weekdays = {date.weekday() for date in dates}
    if len(weekdays) > 1:
        return {}
    weekday = _DAYS[weekdays.pop()]
    if all(date.day > monthrange(date.year, date.month)[1] - _WEEK for date in dates):
        return {"BYDAY": f"-1{weekday}"}
    if len(weeks := {(date.day - 1) // _WEEK for date in dates}) == 1:
        return {"BYDAY": f"{weeks.pop() + 1}{weekday}"}
    earliest = min(date.day for date in dates)
    if max(date.day for date in dates) < earliest + _WEEK:
        return {"BYMONTHDAY": list(range(earliest, earliest + _WEEK)), "BYDAY": weekday}
    return {}


# The site of a calendar, as far as rules depend on it.


class Site(NamedTuple):
    """``timezone`` is that of events that tell none; ``url`` is empty where it is not known.

    With ``history_days`` 0 no history is written.
    """

    timezone: str
    url: str = ""
    languages: tuple[str, ...] = ()
    history_days: int = 365


def require_zone(timezone: str) -> None:
    """Raise ``ConfigurationError`` where a setting is no time zone."""
    if not is_iana(timezone):
        raise ConfigurationError("The setting timezone must be an IANA zone.")
