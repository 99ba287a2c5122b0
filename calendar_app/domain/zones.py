"""The names of time zones, and the wall clocks that they stand for.

A wall clock is a naive datetime as a clock on the spot shows it; an instant is a naive datetime
in UTC.
"""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from zoneinfo import ZoneInfo, available_timezones

_OFFSET = re.compile(
    r"(?P<utc>UTC|GMT)?(?P<sign>[+-])(?P<hours>\d{1,2})"
    r"(?::?(?P<minutes>[0-5]\d)|\.(?P<fraction>\d{1,2}))?",
    re.ASCII | re.IGNORECASE,
)
_MOST_MOMENTS = 4096  # whose wall clocks and abbreviations are remembered
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
    """Return the zone of this name: IANA, an abbreviation, or an offset such as ``UTC+5.5``.

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
    Raises ``ValueError`` if the instant lies outside the years 1 to 9999.
    """
    try:
        # Through UTC and back: the offset before the gap carries a skipped time beyond it.
        return wall.replace(tzinfo=zone, fold=0).astimezone(UTC).astimezone(zone)
    except OverflowError as error:
        raise ValueError("The time lies outside the years 1 to 9999.") from error


def instant_of(wall: datetime, zone: tzinfo) -> datetime:
    """Return the instant of a wall clock. Raises ``ValueError`` as ``localize`` does."""
    if zone is UTC:
        return wall.replace(fold=0) if wall.fold else wall
    return localize(wall, zone).astimezone(UTC).replace(tzinfo=None)


@lru_cache(_MOST_MOMENTS)
def wall_of(instant: datetime, zone: tzinfo) -> datetime:
    """Return the wall clock at an instant.

    Raises ``ValueError`` if it lies outside the years 1 to 9999.
    """
    try:
        return instant.replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None, fold=0)
    except OverflowError as error:
        raise ValueError("The time lies outside the years 1 to 9999.") from error


def with_wall_everywhere(instant: datetime) -> datetime:
    """Return an instant at which the clocks of every zone show something.

    Raises ``ValueError`` for those at the ends of the years 1 to 9999.
    """
    if not _FIRST <= instant <= _LAST:
        raise ValueError("The time lies outside the years 1 to 9999.")
    return instant


@lru_cache(_MOST_MOMENTS)
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
        raise ValueError("The time lies outside the years 1 to 9999.") from error


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
        raise ValueError("A time zone lies between UTC-12 and UTC+14.")
    return offset
