"""Recurrences as lines of iCalendar: RRULE, RDATE and EXDATE (RFC 5545)."""

import re
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Any

from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.basic_dates import read_basic
from calendar_app.domain.recurrence.model import OUT_OF_RANGE, InvalidRecurrence
from calendar_app.domain.zones import zone_of
from calendar_app.errors import Message

_IGNORED = ("DTSTART", "DTEND", "DURATION", "TZID")
_FOLD = re.compile(r"\r?\n[ \t]")
_LONGEST = 100_000  # characters: a thousand dates have fewer
_DURATION = re.compile(
    r"\+?P(?:(?P<weeks>\d{1,4})W|(?:(?P<days>\d{1,4})D)?"
    r"(?:T(?:(?P<hours>\d{1,4})H)?(?:(?P<minutes>\d{1,5})M)?(?:(?P<seconds>\d{1,7})S)?)?)",
    re.ASCII,
)


def from_lines(text: str) -> dict[str, list[Any]]:
    """Return ``rrule``, ``rdate`` and ``exdate`` of lines; a line without a name is a rule.

    DTSTART and the like are ignored: the start is that of the event.
    """
    if len(text) > _LONGEST:
        raise InvalidRecurrence(Message("The text of the recurrence is too long."))
    parts: dict[str, list[Any]] = {"rrule": [], "rdate": [], "exdate": []}
    for line in _FOLD.sub("", text).splitlines():
        if line.strip():
            _add_line(parts, line.strip())
    return parts


def _add_line(parts: dict[str, list[Any]], line: str) -> None:
    head, colon, value = line.partition(":")
    name, *parameters = head.split(";")
    name = name.upper()
    if not colon and "=" in line:
        parts["rrule"].append(line)
    elif name == "RRULE":
        parts["rrule"].append(value)
    elif name in ("RDATE", "EXDATE"):
        zone = _zone(parameters)
        parts[name.lower()] += [_date(name, member, zone) for member in value.split(",")]
    elif name not in _IGNORED:
        message = Message(
            "A recurrence has no line {line}. A rule looks like FREQ=WEEKLY;BYDAY=WE.",
            line=line[:40],
        )
        raise InvalidRecurrence(message)


def _zone(parameters: list[str]) -> tzinfo | None:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.upper() == "TZID":
            try:
                return zone_of(value.strip('"'))
            except ValueError as error:
                message = Message("There is no time zone {name}.", name=value[:40])
                raise InvalidRecurrence(message) from error
    return None


def _date(name: str, value: str, zone: tzinfo | None) -> Any:
    start, slash, end = value.strip().partition("/")
    first = _moment(name, start, zone)
    if not slash:
        return first
    if match := _DURATION.fullmatch(end):
        return {"start": first, "end": _later(first, match)}
    return {"start": first, "end": _moment(name, end, zone)}


def _later(start: Moment, match: re.Match[str]) -> Moment:
    length = {unit: int(number) for unit, number in match.groupdict().items() if number}
    try:
        return Moment(start.wall + timedelta(**length), start.zone)
    except OverflowError as error:
        raise InvalidRecurrence(OUT_OF_RANGE) from error


def _moment(name: str, text: str, zone: tzinfo | None) -> Moment:
    try:
        value = read_basic(text)
    except ValueError as error:
        message = Message("{part} has a date that is none: {value}.", part=name, value=text[:40])
        raise InvalidRecurrence(message) from error
    if not isinstance(value, datetime):
        return Moment(datetime.combine(value, time.min))
    return Moment(value.replace(tzinfo=None), UTC if value.tzinfo else zone)
