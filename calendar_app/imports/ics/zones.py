"""The time zones of an iCalendar file: by their names, by cities, or by their own clocks.

The names of Windows are those of the CLDR table. A VTIMEZONE that contradicts the zone of its name
is believed in its own clocks.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache, lru_cache
from typing import Any
from zoneinfo import available_timezones

from icalendar import Event, Timezone
from icalendar.prop import vDDDLists
from icalendar.timezone.tzid import tzids_from_tzinfo
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from calendar_app.domain.zones import zone_of

_WEEK, _WEEKS = timedelta(weeks=1), 52
_FIRST_WEEK = datetime.min.replace(tzinfo=UTC)
_NO_OFFSET = timedelta()
# "(UTC+01:00) Amsterdam, Berlin, Bern", as Exchange shows a zone to people.
_SHOWN_ZONE = re.compile(r"\((?:UTC|GMT)[^)]*\)\s*(?P<cities>.+)")
# Linux distributions, Mozilla and others put their own name in front.
_PREFIXED = re.compile(r"/.*?/(?P<name>[A-Z][A-Za-z_]+/[A-Z][A-Za-z_/+-]+)")
_LONGEST = 300  # characters of a name, with which the patterns' time grows by their square
_TIMED = ("DTSTART", "DTEND", "RECURRENCE-ID", "RDATE", "EXDATE")


class Unreadable(ValueError):
    """A component cannot be imported; the message says why."""


class OwnClocks(tzinfo):
    """The clocks of a VTIMEZONE, without its name."""

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone

    def __getinitargs__(self) -> tuple[tzinfo]:
        """Return by what ``pickle`` makes the clocks anew; see ``tzinfo.__reduce__``."""
        return (self._zone,)

    def utcoffset(self, moment: datetime | None) -> timedelta:
        return self._zone.utcoffset(moment and moment.replace(tzinfo=self._zone)) or _NO_OFFSET

    def dst(self, moment: datetime | None) -> timedelta:
        return self._zone.dst(moment and moment.replace(tzinfo=self._zone)) or _NO_OFFSET

    def tzname(self, _: datetime | None) -> None:
        return None

    def fromutc(self, moment: datetime) -> datetime:
        there = moment.replace(tzinfo=UTC).astimezone(self._zone)
        return there.replace(tzinfo=self)


class ZoneDefinition:
    """A VTIMEZONE; ``named`` is the zone that has its name, if there is one."""

    def __init__(self, component: Timezone) -> None:
        self.own = OwnClocks(component.to_tz(lookup_tzid=False))
        name = iana_name(str(component["TZID"]))
        self.named = zone_of(name) if name else None
        onsets: list[Any] = [part["DTSTART"] for part in component.subcomponents]
        self._first = min(onset.dt.year for onset in onsets)
        self._contradictions: dict[int, bool] = {}

    def zone_at(self, walls: Iterable[datetime], *, recurs: bool) -> tzinfo:
        """Return the zone for times of an event: that of the name unless the clocks differ."""
        if self.named is None:
            return self.own
        for wall in walls:
            years = (wall.year, wall.year + 1) if recurs else (wall.year,)
            if any(map(self._contradicts, years)) and (recurs or self._differs(wall)):
                return self.own
        return self.named

    def _differs(self, wall: datetime) -> bool:
        own, of_name = wall.replace(tzinfo=self.own), wall.replace(tzinfo=self.named)
        return own.utcoffset() != of_name.utcoffset()

    def _contradicts(self, year: int) -> bool:
        """Return whether the clocks differ in a year; the definition may begin in it."""
        if year <= self._first:
            return False
        if year not in self._contradictions:
            instants = weeks_from(datetime(year, 1, 1, 12, tzinfo=UTC))
            own, of_name = offsets_at(instants, self.own), offsets_at(instants, self.named)
            self._contradictions[year] = own != of_name
        return self._contradictions[year]


class CalendarZones:
    """The zones that one file defines; each ``definition`` is the text of a VTIMEZONE."""

    def __init__(self, definitions: Iterable[str]) -> None:
        self._definitions: dict[str, ZoneDefinition] = {}
        for text in definitions:
            try:
                component = Timezone.from_ical(text)
                if isinstance(component, Timezone):
                    self._definitions[str(component["TZID"])] = ZoneDefinition(component)
            except Exception:  # noqa: BLE001, S112  # events in this zone are refused, by its name
                continue

    def apply(self, event: Event) -> str:
        """Put the times of an event into their zones; return a TZID that keeps its own clocks.

        The library remembers definitions of other files, so a zone that neither this file nor the
        IANA database has raises ``Unreadable``.
        """
        timed = [*_timed_values(event)]
        recurs = any(name in event for name in ("RRULE", "RDATE", "EXDATE", "RECURRENCE-ID"))
        believed = ""
        for tzid in dict.fromkeys(tzid for _, tzid, _ in timed):
            values = [value for _, name, value in timed if name == tzid]
            definition = self._definitions.get(tzid)
            walls = [wall for value in values for wall in _walls(value.dt)]
            zone = definition.zone_at(walls, recurs=recurs) if definition else _zone_named(tzid)
            if walls and zone is None:
                (name, *_) = (name for name, zone_name, _ in timed if zone_name == tzid)
                raise Unreadable(f"{name} has an unknown time zone, {tzid}.")
            for value in values:
                value.dt = _moved(value.dt, zone)
            if walls and definition and definition.named and zone is definition.own:
                believed = tzid
        return believed


def zone_name(zone: tzinfo | None) -> str:
    """Return the name under which this calendar has a zone, empty if it has none."""
    names = (getattr(zone, "key", None), *tzids_from_tzinfo(zone))
    return next(filter(None, (iana_name(name) for name in names if name)), "")


def iana_name(tzid: str) -> str:
    """Return the zone that a TZID means, empty if none is known."""
    words = tzid.strip().strip('"').strip()
    if len(words) > _LONGEST:
        return ""
    prefixed = _PREFIXED.fullmatch(words)
    names = [WINDOWS_TO_OLSON.get(words, words), *([prefixed["name"]] if prefixed else [])]
    if match := _SHOWN_ZONE.fullmatch(words):
        names += [
            _zones_by_city().get(city.strip().lower(), "") for city in match["cities"].split(",")
        ]
    return next(filter(is_zone, names), "")


def is_zone(name: str) -> bool:
    """Return whether there is a time zone of this name."""
    try:
        zone_of(name)
    except ValueError:
        return False
    return True


def same_clocks(start: datetime, preferred: str, *, elsewhere: bool) -> str:
    """Return a zone with equal clocks in the year after a time; empty if there is none.

    It is the preferred one, or one ``elsewhere``. Asking a VTIMEZONE for an offset takes long, as
    its rules may begin in 1601: beside the time itself it is asked once for each week.
    """
    week = (start.replace(tzinfo=UTC) - _FIRST_WEEK) // _WEEK
    name = _zone_from(week, start.tzinfo, preferred, elsewhere=elsewhere)
    is_same = name and start.replace(tzinfo=zone_of(name)).utcoffset() == start.utcoffset()
    return name if is_same else ""


@lru_cache(maxsize=1024)
def _zone_from(week: int, zone: tzinfo | None, preferred: str, *, elsewhere: bool) -> str:
    """Return a zone with equal clocks in the year after a week, counted from the first one."""
    instants = weeks_from(_FIRST_WEEK + (week + 1) * _WEEK)
    offsets = tuple(_offset_at(instant, zone) for instant in instants)
    if offsets == offsets_at(instants, zone_of(preferred)):
        return preferred
    return _zone_with(instants, offsets) if elsewhere else ""


@lru_cache(maxsize=1024)
def _offset_at(instant: datetime, zone: tzinfo | None) -> timedelta | None:
    return instant.astimezone(zone).utcoffset()


def weeks_from(instant: datetime) -> tuple[datetime, ...]:
    """Return an instant in each week of the year from one on."""
    return tuple(instant + number * _WEEK for number in range(_WEEKS))


def offsets_at(instants: Iterable[datetime], zone: tzinfo | None) -> tuple[timedelta | None, ...]:
    """Return the offsets of a zone from UTC at instants."""
    return tuple(instant.astimezone(zone).utcoffset() for instant in instants)


@lru_cache(maxsize=256)
def _zone_with(instants: tuple[datetime, ...], offsets: tuple[timedelta | None, ...]) -> str:
    usual = sorted({*WINDOWS_TO_OLSON.values()} & available_timezones())
    for name in (*usual, *sorted(available_timezones())):
        if offsets_at(instants[:1], zone_of(name)) == offsets[:1] and (
            offsets_at(instants, zone_of(name)) == offsets
        ):
            return name
    return ""


@cache
def _zones_by_city() -> Mapping[str, str]:
    """Return the zone of each city that names one."""
    names = sorted(available_timezones(), reverse=True)
    return {name.rpartition("/")[2].replace("_", " ").lower(): name for name in names}


@lru_cache(maxsize=1024)
def _zone_named(tzid: str) -> tzinfo | None:
    name = iana_name(tzid)
    return zone_of(name) if name else None


def _timed_values(event: Event) -> Iterator[tuple[str, str, Any]]:
    """Yield the name of each time with a TZID, that, and its value."""
    for name in _TIMED:
        members = event.get(name, [])
        for member in members if isinstance(members, list) else [members]:
            tzid = getattr(member, "params", {}).get("TZID")
            values = member.dts if isinstance(member, vDDDLists) else [member]
            for value in values if tzid else ():
                if hasattr(value, "dt"):
                    yield name, str(tzid), value


def _walls(value: Any) -> Iterator[datetime]:
    for part in value if isinstance(value, tuple) else (value,):
        if isinstance(part, datetime) and part.tzinfo is not UTC:
            yield part.replace(tzinfo=None)


def _moved(value: Any, zone: tzinfo | None) -> Any:
    """Return a time, or a period, on the clocks of a zone; days and lengths have none."""
    if isinstance(value, tuple):
        return tuple(_moved(part, zone) for part in value)
    is_utc = getattr(value, "tzinfo", None) is UTC
    return value.replace(tzinfo=zone) if isinstance(value, datetime) and not is_utc else value
