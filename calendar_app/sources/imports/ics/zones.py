"""The time zones of an iCalendar file: by their names, by cities, or by their own clocks.

The names of Windows are those of the CLDR table. A VTIMEZONE that contradicts the zone of its name
is believed in its own clocks, for the time that it covers: many programs list the onsets of a year
or two, and say nothing of later ones.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache, lru_cache
from typing import Any, Self
from zoneinfo import available_timezones

from icalendar import Event, Timezone
from icalendar.prop import vBroken, vDDDLists
from icalendar.timezone.tzid import tzids_from_tzinfo
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from calendar_app.domain.zones import zone_of
from calendar_app.errors import Message

_DAY, _WEEK, _WEEKS = timedelta(days=1), timedelta(weeks=1), 52
_FIRST_WEEK = datetime.min.replace(tzinfo=UTC)
_NO_OFFSET = timedelta()
# Exchange shows a zone as "(UTC+01:00) Amsterdam, Berlin" or "(GMT+01.00) Amsterdam / Berlin".
_DISPLAY_NAME = re.compile(r"\((?:UTC|GMT)[^)]*\)\s*(?P<cities>.+)")
_BETWEEN_CITIES = re.compile(r"[,/]")
_NAME_PARTS = 3  # of America/Argentina/Buenos_Aires
_OFFSETS = ("TZOFFSETFROM", "TZOFFSETTO")
_LONGEST = 300  # characters of a name, with which the patterns' time grows by their square
_TIMED = ("DTSTART", "DTEND", "RECURRENCE-ID", "RDATE", "EXDATE")


class UnreadableComponent(ValueError):
    """A component cannot be imported; the message says why."""


class OwnClocks(tzinfo):
    """The clocks of a VTIMEZONE, without its name."""

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone

    def __getinitargs__(self) -> tuple[tzinfo]:
        """Return the constructor's arguments for ``pickle``; see ``tzinfo.__reduce__``."""
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


@dataclass(frozen=True, slots=True)
class Coverage:
    """The time of which a VTIMEZONE says something; ``end`` is ``None`` where it has none.

    ``onsets`` are the instants at which its observances begin for the first time.
    """

    onsets: tuple[datetime, ...]
    end: datetime | None

    @classmethod
    def of(cls, component: Timezone) -> Self:
        """Return the coverage of a VTIMEZONE (RFC 5545 3.6.5).

        It ends with the last onset where all of them are listed, unless the clocks never change.
        """
        observances: list[Any] = component.subcomponents
        onsets = sorted(each for part in observances for each in _onsets(part))
        offsets = {part[name].td for part in observances for name in _OFFSETS}
        ends = [_last_onset(part) for part in observances]
        if len(offsets) == 1 or None in ends:
            return cls(tuple(onsets), None)
        return cls(tuple(onsets), max(each for each in ends if each is not None))

    def has(self, instant: datetime) -> bool:
        return self.onsets[0] <= instant and (self.end is None or instant < self.end)


class ZoneDefinition:
    """A VTIMEZONE; ``named`` is the zone that has its name, if there is one.

    One that ends, and whose name is unknown, is the ``usual`` zone if that has the same onsets.
    """

    def __init__(self, component: Timezone, usual: str) -> None:
        self._coverage = Coverage.of(component)
        self.own = OwnClocks(component.to_tz(lookup_tzid=False))
        name = iana_name(str(component["TZID"]))
        if not name and self._coverage.end and self._agrees_with(zone_of(usual)):
            name = usual
        self.named_zone = zone_of(name) if name else None
        self._contradictions: dict[int, bool] = {}

    def zone_at(self, walls: Iterable[datetime], *, recurs: bool) -> tzinfo:
        """Return the zone for times of an event: that of the name unless the clocks differ."""
        if self.named_zone is None:
            return self.own
        for wall in walls:
            years = (wall.year, wall.year + 1) if recurs else (wall.year,)
            if any(map(self._contradicts, years)) and (recurs or self._differs(wall)):
                return self.own
        return self.named_zone

    def _differs(self, wall: datetime) -> bool:
        own, of_name = wall.replace(tzinfo=self.own), wall.replace(tzinfo=self.named_zone)
        return self._coverage.has(own) and own.utcoffset() != of_name.utcoffset()

    def _contradicts(self, year: int) -> bool:
        """Return whether the clocks differ in the part of a year that the definition covers."""
        if year not in self._contradictions:
            weeks = weeks_from(datetime(year, 1, 1, 12, tzinfo=UTC))
            instants = tuple(filter(self._coverage.has, weeks))
            own, of_name = offsets_at(instants, self.own), offsets_at(instants, self.named_zone)
            self._contradictions[year] = own != of_name
        return self._contradictions[year]

    def _agrees_with(self, zone: tzinfo) -> bool:
        """Return whether a zone has the same clocks a day after each onset."""
        days = tuple(onset + _DAY for onset in self._coverage.onsets)
        return offsets_at(days, self.own) == offsets_at(days, zone)


class CalendarZones:
    """The zones that one file defines; each ``definition`` is the text of a VTIMEZONE.

    ``usual`` is the zone of times without one.
    """

    def __init__(self, definitions: Iterable[str], usual: str) -> None:
        self._definitions: dict[str, ZoneDefinition] = {}
        for text in definitions:
            try:
                component = Timezone.from_ical(text)
                if isinstance(component, Timezone):
                    self._definitions[str(component["TZID"])] = ZoneDefinition(component, usual)
            except Exception:  # noqa: BLE001, S112  # events in this zone are refused, by its name
                continue

    def apply(self, event: Event) -> str:
        """Put the times of an event into their zones; return a TZID that keeps its own clocks.

        The library remembers definitions of other files, so a zone that neither this file nor the
        IANA database has raises ``UnreadableComponent``.
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
                raise UnreadableComponent(
                    Message("{name} has an unknown time zone, {zone}.", name=name, zone=tzid)
                )
            for value in values:
                value.dt = _moved(value.dt, zone)
            if walls and definition and definition.named_zone and zone is definition.own:
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
    names = [WINDOWS_TO_OLSON.get(words, words), *_names_at_end(words)]
    if match := _DISPLAY_NAME.fullmatch(words):
        cities = _BETWEEN_CITIES.split(match["cities"])
        names += [_zones_by_city().get(city.strip().lower(), "") for city in cities]
    return next(filter(is_zone, names), "")


def _names_at_end(tzid: str) -> Iterator[str]:
    """Yield possible zone names at the end of a prefixed TZID, the longest first.

    Examples are ``/mozilla.org/20070129_1/Europe/Rome`` and ``tzone://Microsoft/Utc``.
    """
    if tzid.startswith("/") or "://" in tzid:
        parts = tzid.split("/")[-_NAME_PARTS:]
        yield from ("/".join(parts[number:]) for number in range(len(parts)))


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


# An observance is any mapping here: the library types each value as one of thirty kinds.


def _onsets(observance: Mapping[str, Any]) -> Iterator[datetime]:
    """Yield the instants at which an observance begins, those of its rule but for the first."""
    offset = observance["TZOFFSETFROM"].td
    yield _instant(observance["DTSTART"].dt, offset)
    dates = observance.get("RDATE", [])
    for group in dates if isinstance(dates, list) else [dates]:
        yield from (_instant(each.dt, offset) for each in group.dts)


def _last_onset(observance: Mapping[str, Any]) -> datetime | None:
    """Return when an observance begins for the last time; ``None`` where its rule has no end."""
    if "RRULE" not in observance:
        return max(_onsets(observance))
    until = observance["RRULE"].get("UNTIL")
    return _instant(until[0], observance["TZOFFSETFROM"].td) if until else None


def _instant(value: date, offset: timedelta) -> datetime:
    """Return a wall clock as an instant; a day begins at midnight."""
    wall = value if isinstance(value, datetime) else datetime.combine(value, time.min)
    return wall if wall.tzinfo else (wall - offset).replace(tzinfo=UTC)


def _timed_values(event: Event) -> Iterator[tuple[str, str, Any]]:
    """Yield the name of each time with a TZID, that, and its value."""
    for name in _TIMED:
        members = event.get(name, [])
        for member in members if isinstance(members, list) else [members]:
            tzid = getattr(member, "params", {}).get("TZID")
            values = member.dts if isinstance(member, vDDDLists) else [member]
            for value in values if tzid else ():
                if not isinstance(value, vBroken):
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
