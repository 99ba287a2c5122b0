"""Reads the calendars in a file: each event with its dates, without access to this calendar."""

import warnings
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from icalendar import Calendar, Event
from icalendar.error import GloballyUniqueTZIDGuessed

from calendar_app.calendar.bulk.calendar_events import CalendarEvent, OverriddenDate
from calendar_app.imports.ics.events import changes_of
from calendar_app.imports.ics.properties import Unreadable, parameter, required_values, text, value
from calendar_app.imports.ics.source import SourceError
from calendar_app.imports.ics.times import EventTimes, is_zone, parse_recurrence
from calendar_app.imports.ics.writing import Languages

_PREFIX = "ics:"


@dataclass(slots=True)
class ParsedCalendar:
    """The events of a file, and label and reason of each that cannot be read."""

    events: list[CalendarEvent] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CalendarReader:
    """Reads texts in the ``languages``, and times in ``zone`` where they name none."""

    languages: Languages
    zone: str

    def read(self, content: bytes) -> ParsedCalendar:
        """Parse a file; raise ``SourceError`` if it is no calendar."""
        try:
            with warnings.catch_warnings(action="ignore", category=GloballyUniqueTZIDGuessed):
                components = Calendar.from_ical(content, multiple=True)
        except ValueError as error:
            raise SourceError(f"It is no iCalendar file: {error}") from error
        calendars = [each for each in components if isinstance(each, Calendar)]
        if not calendars:
            raise SourceError("It is no iCalendar file: there is no VCALENDAR in it.")
        parsed = ParsedCalendar()
        for calendar in calendars:
            for events in _by_uid(calendar, parsed):
                self._read_series(events, text(calendar, "X-WR-TIMEZONE"), parsed)
        # What continues another series comes after it.
        parsed.events.sort(key=lambda event: bool(event.related))
        return parsed

    def _read_series(self, events: list[Event], zone: str, parsed: ParsedCalendar) -> None:
        """Parse an event, with the components that override its dates."""
        masters = [event for event in events if "RECURRENCE-ID" not in event]
        if not masters:
            for event in events:
                self._read_lone_date(event, zone, parsed)
            return
        # Of several with one UID the last counts.
        master = masters[-1]
        try:
            times = self._times(master, zone)
            dates = [event for event in events if "RECURRENCE-ID" in event]
            overrides = tuple(self._overrides(dates, times, parsed))
            parsed.events.append(self._parse(master, times, overrides))
        except ValueError as error:
            parsed.refused.append((_label(master), str(error)))

    def _read_lone_date(self, event: Event, zone: str, parsed: ParsedCalendar) -> None:
        """Parse a date without its series in the file, as an event of its own."""
        try:
            parsed.events.append(self._parse(event, self._times(event, zone), ()))
        except ValueError as error:
            parsed.refused.append((_label(event), str(error)))

    def _parse(
        self, event: Event, times: EventTimes, overrides: tuple[OverriddenDate, ...]
    ) -> CalendarEvent:
        language, changes = changes_of(event, times, self.languages)
        parts = times.recurrence()
        related = text(event, "RELATED-TO")
        kind = parameter(value(event, "RELATED-TO"), "RELTYPE").upper()
        return CalendarEvent(
            source=_source(event),
            label=_label(event),
            language=language,
            changes=changes,
            parts=parts,
            recurrence=parse_recurrence(parts),
            overrides=overrides,
            related=f"{_PREFIX}{related}" if related and kind in ("", "PARENT") else "",
        )

    def _overrides(
        self, events: Collection[Event], series: EventTimes, parsed: ParsedCalendar
    ) -> Iterator[OverriddenDate]:
        for event in events:
            try:
                start = required_values(event, "RECURRENCE-ID")[0]
                if parameter(start, "RANGE"):
                    raise Unreadable("A RECURRENCE-ID with RANGE is not supported.")
                date = series.start_on(start.dt)
                times = EventTimes(event, series.changes()["timezone"])
                language, changes = changes_of(event, times, self.languages)
            except ValueError as error:
                parsed.refused.append((_label(event), str(error)))
            else:
                yield OverriddenDate(_label(event), date, language, changes)

    def _times(self, event: Event, calendar_zone: str) -> EventTimes:
        return EventTimes(event, calendar_zone if is_zone(calendar_zone) else self.zone)


def _by_uid(calendar: Calendar, parsed: ParsedCalendar) -> Iterator[list[Event]]:
    """Yield the events of each UID together; refuse those without one."""
    groups: dict[str, list[Event]] = {}
    for event in calendar.events:
        if uid := text(event, "UID"):
            groups.setdefault(uid, []).append(event)
        else:
            parsed.refused.append((_label(event), "It has no UID."))
    yield from groups.values()


def _source(event: Event) -> str:
    """Return the permanent name of an event; a lone date has that of its series and its own."""
    date = value(event, "RECURRENCE-ID")
    suffix = f"#{date.to_ical().decode()}" if date is not None else ""
    return f"{_PREFIX}{text(event, 'UID')}{suffix}"


def _label(event: Event) -> str:
    date = value(event, "RECURRENCE-ID")
    suffix = f" on {date.dt}" if date is not None else ""
    return f'event {text(event, "UID") or "without UID"} "{text(event, "SUMMARY")}"{suffix}'
