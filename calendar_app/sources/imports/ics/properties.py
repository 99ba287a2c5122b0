"""Properties of iCalendar components, which may be repeated or broken."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from icalendar import Event
from icalendar.cal.component import Component
from icalendar.prop import vBinary, vBroken, vRecur
from icalendar.timezone.tzid import is_utc

from calendar_app.domain.kind import Record
from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.notation import SentRecurrence, parse
from calendar_app.domain.recurrence.rules import InvalidRecurrence
from calendar_app.errors import Message
from calendar_app.sources.imports.ics.zones import UnreadableComponent, same_clocks, zone_name


def values(component: Component, name: str) -> list[Any]:
    """Return each value of a property that may be repeated; broken ones are left out."""
    value = component.get(name, [])
    members = value if isinstance(value, list) else [value]
    return [member for member in members if not isinstance(member, vBroken)]


def value(component: Component, name: str) -> Any:
    """Return the first value of a property, ``None`` without one."""
    return next(iter(values(component, name)), None)


def required_values(component: Component, name: str) -> list[Any]:
    """Return each value of a property; raise ``UnreadableComponent`` where one is broken."""
    for broken, content in broken_values(component):
        if broken == name:
            raise UnreadableComponent(
                Message("{name} cannot be read: {content}", name=name, content=content)
            )
    return values(component, name)


def broken_values(component: Component) -> Iterator[tuple[str, str]]:
    """Yield the name and the raw text of each value that cannot be parsed."""
    for name, value in component.items():
        for member in value if isinstance(value, list) else [value]:
            if isinstance(member, vBroken):
                yield name, str(member)


def line(component: Component, name: str) -> str:
    """Return the first value of a property as text, its line ends as commas."""
    return ", ".join(filter(None, map(str.strip, text(component, name).splitlines())))


def text(component: Component, name: str) -> str:
    """Return the first value of a property as text, empty without one."""
    return str(value(component, name) or "").strip()


def parameter(value: Any, name: str) -> str:
    """Return a parameter of a property's value, empty without one."""
    return str(getattr(value, "params", {}).get(name, ""))


def is_inline(value: Any) -> bool:
    """Return whether a value is a file by itself, and not its address."""
    return parameter(value, "VALUE").upper() == "BINARY" or isinstance(value, vBinary)


def texts(component: Component, name: str) -> Iterator[str]:
    """Yield the texts in all lists of a property: CATEGORIES."""
    for group in values(component, name):
        for member in getattr(group, "cats", [group]):
            if words := str(member).strip():
                yield words


# Times and recurrences of VEVENTs, as the editor takes them.

_DAY = timedelta(days=1)
# Set by Outlook for events from midnight to midnight.
_ALL_DAY = "X-MICROSOFT-CDO-ALLDAYEVENT"
_RECURRENCE = ("RRULE", "RDATE", "EXDATE")


@dataclass(frozen=True, slots=True)
class EventTimes:
    """Start and end of a VEVENT; ``zone`` is the one of times without a zone.

    Single events in UTC are shown in that zone too: Google and others write them so. A rule in UTC
    stays there, since its dates do not follow the clocks of any other zone.
    """

    event: Event
    zone: str

    @property
    def recurs(self) -> bool:
        return any(name in self.event for name in ("RRULE", "RDATE"))

    def changes(self) -> Record:
        """Return the fields ``start``, ``end``, ``timezone`` and ``all_day``."""
        start = self._start()
        end = self._end(start)
        if isinstance(start, datetime):
            timezone = self._timezone(start)
            times = {"start": self._moment(start, timezone), "end": self._moment(end, timezone)}
            return times | {"timezone": timezone, "all_day": False}
        times = {"start": _midnight(start), "end": _midnight(max(start, end - _DAY))}
        return times | {"timezone": self.zone, "all_day": True}

    def recurrence(self) -> Record:
        """Return RRULE, RDATE and EXDATE as ``parse_recurrence`` takes them."""
        rules, rdates, exdates = (required_values(self.event, name) for name in _RECURRENCE)
        return {
            "rrule": [
                rule.to_ical().decode() for rule in rules if not ends_before(rule, self._start())
            ],
            "rdate": [self._extra(each.dt) for dates in rdates for each in dates.dts],
            "exdate": [self.start_on(each.dt) for dates in exdates for each in dates.dts],
        }

    def start_on(self, value: date | datetime) -> Moment:
        """Return the start of an occurrence; a mere day means the one on that day."""
        start = self._start()
        if not isinstance(value, date):
            raise UnreadableComponent(Message("{name} is not a date.", name=value))
        if isinstance(value, datetime):
            return Moment(value.replace(tzinfo=None), value.tzinfo)
        clock = start.time() if isinstance(start, datetime) else time.min
        return Moment(datetime.combine(value, clock))

    def _extra(self, value: Any) -> Moment | Record:
        if not isinstance(value, tuple):
            return self.start_on(value)
        start, end = value
        end = _after(start, end) if isinstance(end, timedelta) else end
        return {"start": self.start_on(start), "end": self.start_on(end)}

    def _start(self) -> date | datetime:
        starts = required_values(self.event, "DTSTART")
        if not starts:
            raise UnreadableComponent("It has no DTSTART.")
        return self._day_or_time(starts[0], "DTSTART")

    def _end(self, start: date | datetime) -> date | datetime:
        if ends := required_values(self.event, "DTEND"):
            end = self._day_or_time(ends[0], "DTEND")
        elif lengths := required_values(self.event, "DURATION"):
            end = _after(start, lengths[0].dt)
        else:
            end = start
        if isinstance(start, datetime) != isinstance(end, datetime):
            raise UnreadableComponent("One of DTSTART and DTEND is a day, the other a time.")
        return end

    def _day_or_time(self, prop: Any, name: str) -> date | datetime:
        value = prop.dt
        if not isinstance(value, date):
            raise UnreadableComponent(Message("{name} is not a date.", name=name))
        if not isinstance(value, datetime):
            return value
        if text(self.event, _ALL_DAY).upper() == "TRUE" and value.time() == time.min:
            return value.date()
        if value.tzinfo is None and "TZID" in prop.params:
            raise UnreadableComponent(
                Message(
                    "{name} has an unknown time zone, {zone}.", name=name, zone=prop.params["TZID"]
                )
            )
        return value

    def _timezone(self, start: datetime) -> str:
        if start.tzinfo is None:
            return self.zone
        if is_utc(start):
            return "UTC" if self.recurs else self.zone
        name = self._zone_name(start)
        if not name and self.recurs:
            raise UnreadableComponent(
                "Its time zone has no name that is known, so that it cannot recur."
            )
        return name or self.zone

    def _zone_name(self, start: datetime) -> str:
        """Return the name of a time's zone; a VTIMEZONE of another name may be the usual zone."""
        return zone_name(start.tzinfo) or same_clocks(start, self.zone, elsewhere=self.recurs)

    def _moment(self, value: date | datetime, timezone: str) -> Moment:
        """Return the wall clock in the zone of the event, else with its own zone."""
        if not isinstance(value, datetime):
            return _midnight(value)
        own = self._zone_name(value) if value.tzinfo else timezone
        return Moment(value.replace(tzinfo=None), None if own == timezone else value.tzinfo)


def ends_before(rule: vRecur, start: date | datetime) -> bool:
    """Return whether a rule ends before the event begins; it then has the first date alone."""
    for until in rule.get("UNTIL", []):
        if isinstance(until, datetime) and isinstance(start, datetime):
            if until.tzinfo and start.tzinfo:
                return until < start
            return until.replace(tzinfo=None) < start.replace(tzinfo=None)
        return (until.year, until.month, until.day) < (start.year, start.month, start.day)
    return False


def parse_recurrence(parts: Record) -> SentRecurrence:
    """Return a recurrence; raise ``UnreadableComponent`` where it makes no sense."""
    try:
        return parse(parts, datetime.now(UTC))
    except InvalidRecurrence as error:
        raise UnreadableComponent(str(error)) from error


def _midnight(day: date) -> Moment:
    return Moment(datetime.combine(day, time.min))


def _after(start: date | datetime, length: timedelta) -> date | datetime:
    """Return the end; days are those of the calendar, hours are exact (RFC 5545 3.3.6)."""
    if isinstance(start, datetime) and start.tzinfo is not None and length % _DAY:
        return (start.astimezone(UTC) + length).astimezone(start.tzinfo)
    return start + length
