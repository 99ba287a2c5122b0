"""Reads iCalendar files: each event and series with its overridden dates."""

import re
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from icalendar import Event
from icalendar.error import GloballyUniqueTZIDGuessed

from calendar_app.domain.texts.sanitizing import web_url
from calendar_app.errors import Message
from calendar_app.sources.calendar_events import (
    LINEAGE,
    NAMED,
    CalendarEvent,
    OverriddenDate,
)
from calendar_app.sources.digests import digest
from calendar_app.sources.imports.ics.content import CalendarText, split_partly
from calendar_app.sources.imports.ics.events import (
    Languages,
    changes_of,
    has_title,
    left_out,
    replaces_later_dates,
)
from calendar_app.sources.imports.ics.properties import (
    EventTimes,
    parameter,
    parse_recurrence,
    required_values,
    text,
    value,
    values,
)
from calendar_app.sources.imports.ics.repairs import repaired
from calendar_app.sources.imports.ics.splitting import SeriesSplit, split_series
from calendar_app.sources.imports.ics.zones import CalendarZones, UnreadableComponent, iana_name
from calendar_app.sources.parsed import ParsedCalendar, SourceError

_PREFIX, _DATE = NAMED, "#"
# Without a UID these tell events apart.
_IDENTITY = ("DTSTART", "SUMMARY", "LOCATION")
_DIGITS = 10  # of the largest SEQUENCE
_ANOTHER = Message("another event with its UID.")
# A UID that is parsed as it stands.
_PLAIN_UID = re.compile(r"^UID:[ \t]*((?:[^\\\s][^\\\r\n]*)?[^\\\s])[ \t]*\r$", re.MULTILINE)
# Another release may read more in the same text.
_RELEASE = version("calendar-app")


@dataclass(frozen=True, slots=True)
class CalendarReader:
    """Reads texts in the ``languages``, and times in ``zone`` where they name none.

    ``texts`` are digests by UID: what still has the same text is not parsed.
    """

    languages: Languages
    zone: str
    texts: Mapping[str, str] = field(default_factory=dict)

    def read(self, content: bytes, *, partly: bool = False) -> ParsedCalendar:
        """Parse a file; raise ``SourceError`` if it is no calendar, or is cut off.

        ``partly`` takes the events before the cut; the calendar is not ``whole`` then.
        """
        calendars, cut = split_partly(content)
        if cut and not partly:
            raise SourceError(cut)
        parsed = ParsedCalendar(whole=not cut)
        uids: set[str] = set()
        continuing: list[CalendarEvent] = []
        with warnings.catch_warnings(action="ignore", category=GloballyUniqueTZIDGuessed):
            for calendar in calendars:
                for name, number in calendar.other_components.items():
                    parsed.leave_out(f"{number} {name}", "Only events are taken.")
                for event in self._events(calendar, uids, parsed):
                    (continuing if event.related else parsed.events).append(event)
        # What continues another series comes after it.
        for event in continuing:
            parsed.events.append(event)
        return parsed

    def _events(
        self, calendar: CalendarText, uids: set[str], parsed: ParsedCalendar
    ) -> Iterator[CalendarEvent]:
        """Yield the events of a calendar; ``uids`` are those of the calendars before it."""
        zone = self._zone_of(calendar, parsed)
        zones = CalendarZones(calendar.zones, zone)
        context = digest([_RELEASE, *self.languages.tags, zone, *calendar.zones])
        for uid, components in _by_uid(calendar.events, parsed).items():
            if uid in uids:
                for event in _parsed_events(components[:1], zones, parsed):
                    parsed.leave_out(_label(event), _ANOTHER)
                continue
            uids.add(uid)
            text_digest = digest([context, *sorted(components)])
            if self.texts.get(uid) == text_digest:
                parsed.unparsed_uids.add(uid)
                continue
            refused, left_out = len(parsed.refused), len(parsed.left_out)
            series = self._series([*_parsed_events(components, zones, parsed)], zone, parsed)
            if len(parsed.refused) > refused:
                parsed.unparsed_uids.add(uid)
            elif len(series) == 1 and len(parsed.left_out) == left_out:
                # Parsed again it would give nothing else.
                series = [replace(series[0], text_digest=text_digest)]
            yield from series

    def _zone_of(self, calendar: CalendarText, parsed: ParsedCalendar) -> str:
        name = iana_name(calendar.zone) if calendar.zone else ""
        if calendar.zone and not name:
            parsed.leave_out(f"X-WR-TIMEZONE {calendar.zone}", "There is no such time zone.")
        return name or self.zone

    def _series(
        self, events: list[Event], zone: str, parsed: ParsedCalendar
    ) -> list[CalendarEvent]:
        """Return the event with its overridden dates; without a master, each date alone."""
        masters = [event for event in events if "RECURRENCE-ID" not in event]
        dates = _latest([event for event in events if "RECURRENCE-ID" in event], parsed)
        series: list[CalendarEvent] = []
        if not masters:
            for event in dates:
                with parsed.refusing(_label(event)):
                    series.append(self._event(event, EventTimes(event, zone), (), parsed))
            return series
        (master,) = _latest(masters, parsed)
        with parsed.refusing(_label(master)):
            times = EventTimes(master, zone)
            times.changes()
            apart = [event for event in dates if not replaces_later_dates(event)]
            overrides = tuple(self._overrides(apart, master, times, parsed))
            series = [self._event(master, times, overrides, parsed)]
            splits = [*self._splits(dates, times, parsed)]
            try:
                return split_series(series[0], splits)
            except UnreadableComponent as error:
                parsed.refused += [(split.event.label, str(error)) for split in splits]
        if not series:
            refused_labels = {label for label, _ in parsed.refused}
            labels = [_label(event) for event in dates if _label(event) not in refused_labels]
            parsed.refused += [(label, "Its series cannot be read.") for label in labels]
        return series

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
                    raise UnreadableComponent(
                        Message(
                            "Nothing is known of the RANGE {span} in its RECURRENCE-ID.", span=span
                        )
                    )
                date = series.start_on(start.dt)
                times = EventTimes(event, series.changes()["timezone"])
                language, changes = changes_of(event, times, self.languages, master)
                for words in left_out(event):
                    parsed.leave_out(_label(event), words)
                yield OverriddenDate(_label(event), date, language, changes)

    def _splits(
        self, events: Collection[Event], series: EventTimes, parsed: ParsedCalendar
    ) -> Iterator[SeriesSplit]:
        """Yield the events that take the place of all later dates of a series."""
        for event in filter(replaces_later_dates, events):
            with parsed.refusing(_label(event)):
                date = series.start_on(required_values(event, "RECURRENCE-ID")[0].dt)
                times = EventTimes(event, series.changes()["timezone"])
                yield SeriesSplit(date, self._event(event, times, (), parsed))


def _by_uid(components: Iterable[str], parsed: ParsedCalendar) -> dict[str, list[str]]:
    """Return the content lines of the events of each UID together."""
    groups: dict[str, list[str]] = {}
    for lines in components:
        uids = _PLAIN_UID.findall(lines)
        if len(uids) == 1:
            groups.setdefault(uids[0], []).append(lines)
        else:
            with parsed.refusing(_label_of(lines)):
                groups.setdefault(_uid(_parse(repaired(lines)[0])), []).append(lines)
    return groups


def _parsed_events(
    components: Iterable[str], zones: CalendarZones, parsed: ParsedCalendar
) -> Iterator[Event]:
    """Yield parsed events, their times on the clocks of their zones."""
    for lines in components:
        with parsed.refusing(_label_of(lines)):
            text, strays = repaired(lines)
            event = _parse(text)
            for line in strays:
                parsed.leave_out(
                    _label(event), Message("a line that is not a property: {line}", line=line)
                )
            if believed := zones.apply(event):
                parsed.leave_out(
                    _label(event),
                    Message(
                        "the zone {believed}: the file has other clocks for it.", believed=believed
                    ),
                )
            yield event


def _parse(lines: str) -> Event:
    try:
        event = Event.from_ical(lines)
    except ValueError as error:
        raise UnreadableComponent("Its lines are no component of iCalendar.") from error
    if not isinstance(event, Event):
        raise UnreadableComponent("It is not an event.")
    return event


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
