"""Reads iCalendar files: each event and series with its overridden dates."""

import warnings
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from icalendar import Event
from icalendar.error import GloballyUniqueTZIDGuessed

from calendar_app.calendar.bulk.calendar_events import CalendarEvent, OverriddenDate
from calendar_app.content.sanitizing import web_url
from calendar_app.imports.ics.content import CalendarText, split_partly
from calendar_app.imports.ics.events import Languages, changes_of, has_title, left_out
from calendar_app.imports.ics.properties import (
    EventTimes,
    parameter,
    parse_recurrence,
    required_values,
    text,
    value,
    values,
)
from calendar_app.imports.ics.splitting import Change, split_series
from calendar_app.imports.ics.zones import CalendarZones, Unreadable, iana_name
from calendar_app.sources.notes import LINEAGE, NAMED
from calendar_app.sources.parsed import ParsedCalendar, SourceError

_PREFIX, _DATE = NAMED, "#"
# Without a UID these tell events apart.
_IDENTITY = ("DTSTART", "SUMMARY", "LOCATION")
_DIGITS = 10  # of the largest SEQUENCE
_ANOTHER = "another event with its UID."


@dataclass(frozen=True, slots=True)
class CalendarReader:
    """Reads texts in the ``languages``, and times in ``zone`` where they name none."""

    languages: Languages
    zone: str

    def read(self, content: bytes, *, partly: bool = False) -> ParsedCalendar:
        """Parse a file; raise ``SourceError`` if it is no calendar, or is cut off.

        ``partly`` takes the events before the cut; the calendar is not ``whole`` then.
        """
        calendars, cut = split_partly(content)
        if cut and not partly:
            raise SourceError(cut)
        parsed = ParsedCalendar(whole=not cut)
        uids: set[str] = set()
        for calendar in calendars:
            for name, number in calendar.others.items():
                parsed.leave_out(f"{number} {name}", "Only events are taken.")
            zone = self._zone_of(calendar, parsed)
            for uid, events in _by_uid(_parsed_events(calendar, parsed)).items():
                if uid in uids:
                    parsed.leave_out(_label(events[0]), _ANOTHER)
                else:
                    uids.add(uid)
                    self._read_series(events, zone, parsed)
        # What continues another series comes after it.
        parsed.events.sort(key=lambda event: bool(event.related))
        return parsed

    def _zone_of(self, calendar: CalendarText, parsed: ParsedCalendar) -> str:
        name = iana_name(calendar.zone) if calendar.zone else ""
        if calendar.zone and not name:
            parsed.leave_out(f"X-WR-TIMEZONE {calendar.zone}", "There is no such time zone.")
        return name or self.zone

    def _read_series(self, events: list[Event], zone: str, parsed: ParsedCalendar) -> None:
        """Parse an event, with the components that override its dates."""
        masters = [event for event in events if "RECURRENCE-ID" not in event]
        dates = _latest([event for event in events if "RECURRENCE-ID" in event], parsed)
        if not masters:
            for event in dates:
                with parsed.refusing(_label(event)):
                    parsed.events.append(self._event(event, EventTimes(event, zone), (), parsed))
            return
        (master,) = _latest(masters, parsed)
        number = len(parsed.events)
        with parsed.refusing(_label(master)):
            times = EventTimes(master, zone)
            times.changes()
            apart = [event for event in dates if not _changes_all_later(event)]
            overrides = tuple(self._overrides(apart, master, times, parsed))
            series = self._event(master, times, overrides, parsed)
            splits = [*self._splits(dates, times, parsed)]
            try:
                parsed.events += split_series(series, splits)
            except Unreadable as error:
                parsed.events.append(series)
                parsed.refused += [(split.event.label, str(error)) for split in splits]
        if len(parsed.events) == number:
            known = {label for label, _ in parsed.refused}
            labels = [_label(event) for event in dates if _label(event) not in known]
            parsed.refused += [(label, "Its series cannot be read.") for label in labels]

    def _event(
        self,
        event: Event,
        times: EventTimes,
        overrides: tuple[OverriddenDate, ...],
        parsed: ParsedCalendar,
    ) -> CalendarEvent:
        language, changes = changes_of(event, times, self.languages)
        parts = times.recurrence()
        related = text(event, "RELATED-TO")
        kind = parameter(value(event, "RELATED-TO"), "RELTYPE").upper()
        for words in left_out(event):
            parsed.leave_out(_label(event), words)
        return CalendarEvent(
            source=_source(event),
            label=_label(event),
            language=language,
            changes=changes,
            parts=parts,
            recurrence=parse_recurrence(parts),
            overrides=overrides,
            related=f"{_PREFIX}{related}" if related and kind in ("", "PARENT") else "",
            untitled=not has_title(event),
            uid=_uid(event),
            recurrence_id=_date(event),
            url=web_url(text(event, "URL")),
            lineage=tuple(str(each).strip() for each in values(event, LINEAGE)),
        )

    def _overrides(
        self,
        events: Collection[Event],
        master: Event,
        series: EventTimes,
        parsed: ParsedCalendar,
    ) -> Iterator[OverriddenDate]:
        for event in events:
            with parsed.refusing(_label(event)):
                start = required_values(event, "RECURRENCE-ID")[0]
                if span := parameter(start, "RANGE"):
                    raise Unreadable(f"Nothing is known of the RANGE {span} in its RECURRENCE-ID.")
                date = series.start_on(start.dt)
                times = EventTimes(event, series.changes()["timezone"])
                language, changes = changes_of(event, times, self.languages, master)
                for words in left_out(event):
                    parsed.leave_out(_label(event), words)
                yield OverriddenDate(_label(event), date, language, changes)

    def _splits(
        self, events: Collection[Event], series: EventTimes, parsed: ParsedCalendar
    ) -> Iterator[Change]:
        """Yield the events that take the place of all later dates of a series."""
        for event in filter(_changes_all_later, events):
            with parsed.refusing(_label(event)):
                date = series.start_on(required_values(event, "RECURRENCE-ID")[0].dt)
                times = EventTimes(event, series.changes()["timezone"])
                yield Change(date, self._event(event, times, (), parsed))


def _changes_all_later(event: Event) -> bool:
    """Return whether an event takes the place of its date, and of all later ones."""
    return parameter(value(event, "RECURRENCE-ID"), "RANGE").upper() == "THISANDFUTURE"


def _parsed_events(calendar: CalendarText, parsed: ParsedCalendar) -> Iterator[Event]:
    """Yield the events of a calendar, their times on the clocks of their zones."""
    with warnings.catch_warnings(action="ignore", category=GloballyUniqueTZIDGuessed):
        zones = CalendarZones(calendar.zones)
        for lines in calendar.events:
            with parsed.refusing(_label_of(lines)):
                event = Event.from_ical(lines)
                if not isinstance(event, Event):
                    raise Unreadable("It is no event.")
                if believed := zones.apply(event):
                    parsed.leave_out(
                        _label(event), f"the zone {believed}: the file has other clocks for it."
                    )
                yield event


def _by_uid(events: Iterator[Event]) -> dict[str, list[Event]]:
    """Return the events of each UID together."""
    groups: dict[str, list[Event]] = {}
    for event in events:
        groups.setdefault(_uid(event), []).append(event)
    return groups


def _latest(events: list[Event], parsed: ParsedCalendar) -> list[Event]:
    """Return one event for each date: that with the highest SEQUENCE, else the last one."""
    latest: dict[str, Event] = {}
    for event in sorted(events, key=_sequence):
        date = _date(event)
        if date in latest:
            parsed.leave_out(_label(latest[date]), _ANOTHER)
        latest[date] = event
    return list(latest.values())


def _sequence(event: Event) -> int:
    words = text(event, "SEQUENCE")
    return int(words) if words.isdecimal() and len(words) <= _DIGITS else 0


def _uid(event: Event) -> str:
    """Return the UID, else one of start, title and place."""
    if uid := text(event, "UID"):
        return uid
    parts = [_as_written(prop) for name in _IDENTITY if (prop := value(event, name))]
    return sha256("\n".join(parts).encode()).hexdigest()


def _source(event: Event) -> str:
    """Return the permanent name of an event; a lone date has that of its series and its own."""
    date = _date(event)
    return f"{_PREFIX}{_uid(event)}{_DATE if date else ''}{date}"


def _date(event: Event) -> str:
    date = value(event, "RECURRENCE-ID")
    return _as_written(date) if date is not None else ""


def _as_written(prop: Any) -> str:
    """Return a value as the file has it; some kinds are text, and not octets."""
    encoded = prop.to_ical()
    return encoded.decode() if isinstance(encoded, bytes) else str(encoded)


def _label(event: Event) -> str:
    date = value(event, "RECURRENCE-ID")
    suffix = f" on {getattr(date, 'dt', date)}" if date is not None else ""
    return f'event {text(event, "UID") or "without UID"} "{text(event, "SUMMARY")}"{suffix}'


def _label_of(lines: str) -> str:
    """Return the label of an event that could not be parsed."""
    properties = dict(line.partition(":")[::2] for line in lines.splitlines() if ":" in line)
    return f'event {properties.get("UID") or "without UID"} "{properties.get("SUMMARY", "")}"'
