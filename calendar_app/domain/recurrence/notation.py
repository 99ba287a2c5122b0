"""Recurrences as clients send and read them: JSON, and lines of iCalendar (RFC 5545)."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import MAXYEAR, UTC, datetime, time, timedelta, tzinfo
from itertools import islice, takewhile
from typing import Any, NamedTuple

from calendar_app.domain.moments import LAST_SECOND, Moment, parse_moment
from calendar_app.domain.recurrence.expansion import expand, matches, rule_dates
from calendar_app.domain.recurrence.rules import (
    OUT_OF_RANGE,
    ExtraDate,
    InvalidRecurrence,
    Recurrence,
    Rule,
    Until,
    basic_text,
    parse_rule,
    read_basic,
)
from calendar_app.domain.timespan import TimeSpan
from calendar_app.domain.zones import instant_of, wall_of, zone_of
from calendar_app.errors import Message

# Recurrences as lines of iCalendar: RRULE, RDATE and EXDATE (RFC 5545).

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
        zone = _zone_of(parameters)
        parts[name.lower()] += [_date(name, member, zone) for member in value.split(",")]
    elif name not in _IGNORED:
        message = Message(
            "A recurrence has no line {line}. A rule looks like FREQ=WEEKLY;BYDAY=WE.",
            line=line[:40],
        )
        raise InvalidRecurrence(message)


def _zone_of(parameters: list[str]) -> tzinfo | None:
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
        message = Message("{part} has an invalid date: {value}.", part=name, value=text[:40])
        raise InvalidRecurrence(message) from error
    if not isinstance(value, datetime):
        return Moment(datetime.combine(value, time.min))
    return Moment(value.replace(tzinfo=None), UTC if value.tzinfo else zone)


# Recurrences as clients send them: an object, or lines of iCalendar.

_MOST_RULES = 10
_MOST_DATES = 1000
# How many dates before the listed ones COUNT may count.
_MOST_EARLIER = 10_000
_PARTS = ("rrule", "rdate", "exdate")

SentDate = tuple[Moment, Moment | None]


@dataclass(frozen=True, slots=True)
class SentRecurrence:
    """A recurrence as sent: its dates are not in the zone of an event yet."""

    rules: tuple[Rule, ...] = ()
    rdates: tuple[SentDate, ...] = ()
    exdates: tuple[Moment, ...] = ()


def as_sent(stored: Recurrence) -> SentRecurrence:
    """Return a stored recurrence as it could be sent again."""
    rdates = (
        (Moment(each.start), Moment(each.end) if each.end else None) for each in stored.rdates
    )
    rules, exdates = map(parse_rule, stored.rules), map(Moment, stored.exdates)
    return SentRecurrence(tuple(rules), tuple(rdates), tuple(exdates))


def parse(value: object, now: datetime) -> SentRecurrence:
    """Parse the parameter ``recurrence``; ``now`` is aware, in the site's zone.

    An object with ``rrule``, ``rdate`` and ``exdate``, or lines of RFC 5545 as one text; nothing
    or an empty text is no recurrence. Raises ``InvalidRecurrence``.
    """
    match value:
        case None | "":
            return SentRecurrence()
        case str():
            return _parse_parts(from_lines(value), now)
        case Mapping():
            return _parse_parts(value, now)
        case _:
            raise InvalidRecurrence(
                Message("A recurrence is an object with rrule, rdate and exdate, or a text.")
            )


def settle(
    sent: SentRecurrence, span: TimeSpan, *, limit: int, since: datetime | None = None
) -> Recurrence:
    """Return a recurrence in the wall clock of the event at ``span``.

    Raises ``InvalidRecurrence`` if it gives nothing, or more than ``limit`` dates by COUNT, of
    which those before ``since`` do not count.
    """
    try:
        recurrence = _settled(sent, span)
        for text in recurrence.rules:
            _require_count(parse_rule(text), span, limit, since)
        dates = expand(recurrence, span, until=None, limit=1)
    except InvalidRecurrence:
        raise
    except (OverflowError, ValueError) as error:
        raise InvalidRecurrence(OUT_OF_RANGE) from error
    if recurrence and not dates:
        raise InvalidRecurrence(Message("The exceptions leave no date of the series."))
    return recurrence


def _settled(sent: SentRecurrence, span: TimeSpan) -> Recurrence:
    zone = zone_of(span.timezone)
    number = len(sent.rules)
    rules = tuple(str(_settled_rule(rule, span, number)) for rule in sent.rules)
    extra = {_settled_date(date, span, zone) for date in sent.rdates}
    exceptions = {_start(moment, span, zone) for moment in sent.exdates}
    return Recurrence(rules, tuple(sorted(extra, key=str)), tuple(sorted(exceptions)))


def _parse_parts(parts: Mapping[str, Any], now: datetime) -> SentRecurrence:
    for name in parts:
        if name not in _PARTS:
            message = Message("A recurrence has no part {part}.", part=str(name)[:40])
            raise InvalidRecurrence(message)
    rules = _listed(parts.get("rrule"), "rrule", _MOST_RULES)
    rdates = _listed(parts.get("rdate"), "rdate", _MOST_DATES)
    exdates = _listed(parts.get("exdate"), "exdate", _MOST_DATES)
    return SentRecurrence(
        tuple(_parse_rule(rule) for rule in rules),
        tuple(_parse_extra(extra, now) for extra in rdates),
        tuple(_parse_date("exdate", exception, now) for exception in exdates),
    )


def _listed(value: Any, name: str, most: int) -> list[Any]:
    if value is None or value == "":
        return []
    members = value if isinstance(value, list) else [value]
    if len(members) > most:
        message = Message("{part} has more than {most} values.", part=name, most=most)
        raise InvalidRecurrence(message)
    return members


def _parse_rule(value: object) -> Rule:
    if not isinstance(value, str):
        raise InvalidRecurrence(Message("rrule must be a text or a list of texts."))
    return parse_rule(value)


def _parse_extra(value: object, now: datetime) -> SentDate:
    if not isinstance(value, Mapping):
        return _parse_date("rdate", value, now), None
    if "start" not in value or not set(value) <= {"start", "end"}:
        raise InvalidRecurrence(Message("An object in rdate has a start and an end."))
    end = value.get("end")
    return (
        _parse_date("rdate", value["start"], now),
        None if end is None else _parse_date("rdate", end, now),
    )


def _parse_date(name: str, value: object, now: datetime) -> Moment:
    if isinstance(value, Moment):
        return value
    message = Message("{part} has an invalid date: {value}.", part=name, value=str(value)[:40])
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InvalidRecurrence(message)
    try:
        return parse_moment(value, now, rolls_over=False)
    except ValueError as error:
        raise InvalidRecurrence(message) from error


def _require_count(rule: Rule, span: TimeSpan, limit: int, since: datetime | None) -> None:
    if rule.count is None or rule.count <= limit:
        return
    if since is not None:
        dates = islice(rule_dates(replace(rule, count=None), span), _MOST_EARLIER)
        limit += sum(1 for _ in takewhile(lambda date: date.wall < since, dates))
    if rule.count > limit:
        raise InvalidRecurrence(Message("COUNT must be at most {limit}.", limit=limit))


def _settled_rule(rule: Rule, span: TimeSpan, rules: int) -> Rule:
    if span.all_day:
        rule = replace(rule, hours=(), minutes=(), seconds=())
    rule = replace(rule, until=_settled_until(rule.until, span))
    if next(matches(rule, span, rules), None) is None:
        raise InvalidRecurrence(Message("The rule {rule} never gives a date.", rule=str(rule)))
    return rule


def _settled_until(until: Until | None, span: TimeSpan) -> Until | None:
    """Return UNTIL in UTC, or as a day for all-day events; a day means the whole of it.

    Programs write the last year that a date can have for a rule without end.
    """
    if until is None or until.year == MAXYEAR:
        return None
    zone = zone_of(span.timezone)
    match until:
        case datetime(tzinfo=None):
            wall = until
        case datetime():
            wall = wall_of(until.replace(tzinfo=None), zone)
        case _:
            wall = datetime.combine(until, LAST_SECOND)
    if wall < span.start_local:
        raise InvalidRecurrence(Message("UNTIL is before the start of the event."))
    if span.all_day:
        return wall.date()
    if isinstance(until, datetime) and until.tzinfo:
        return until
    return instant_of(wall, zone).replace(tzinfo=UTC)


def _settled_date(sent: SentDate, span: TimeSpan, zone: tzinfo) -> ExtraDate:
    start, end = sent
    wall = _start(start, span, zone)
    if end is None:
        return ExtraDate(wall)
    wall_end = end.in_zone(zone).replace(microsecond=0)
    if wall_end < wall:
        raise InvalidRecurrence(Message("rdate has a date that ends before it starts."))
    return ExtraDate(wall, wall_end)


def _start(moment: Moment, span: TimeSpan, zone: tzinfo) -> datetime:
    """Return the wall clock of a start; a midnight stands for the day."""
    wall = moment.in_zone(zone).replace(microsecond=0)
    return datetime.combine(wall.date(), time.min) if span.all_day else wall


# A recurrence as JSON, and as properties of iCalendar.


class Property(NamedTuple):
    """One property of iCalendar; its value needs no escapes."""

    name: str
    value: str
    parameters: dict[str, str]


def as_json(recurrence: Recurrence) -> dict[str, Any]:
    """Return ``rrule``, ``rdate`` and ``exdate`` in the interface's formats.

    ``rrule`` is a text, and a list where there are several rules.
    """
    rules = list(recurrence.rules)
    return {
        "rrule": rules if len(rules) > 1 else "".join(rules),
        "rdate": [_extra_json(extra) for extra in recurrence.rdates],
        "exdate": [_date_text(wall) for wall in recurrence.exdates],
    }


def as_lines(recurrence: Recurrence, span: TimeSpan, tzid: str) -> list[Property]:
    """Return RRULE, RDATE and EXDATE; without a ``tzid`` times are in UTC."""
    starts = [extra.start for extra in recurrence.rdates if extra.end is None]
    periods = [(extra.start, extra.end) for extra in recurrence.rdates if extra.end is not None]
    properties = [Property("RRULE", text, {}) for text in recurrence.rules]
    if starts:
        properties.append(_dates("RDATE", starts, span, tzid))
    if periods:
        value = ",".join(f"{_time(start, tzid)}/{_time(end, tzid)}" for start, end in periods)
        properties.append(Property("RDATE", value, {"VALUE": "PERIOD"} | _zone(tzid)))
    if recurrence.exdates:
        properties.append(_dates("EXDATE", recurrence.exdates, span, tzid))
    return properties


def _extra_json(extra: ExtraDate) -> Any:
    if extra.end is None:
        return _date_text(extra.start)
    return {"start": _date_text(extra.start), "end": _date_text(extra.end)}


def _date_text(wall: datetime) -> str:
    return wall.isoformat(" ", "seconds")


def _dates(name: str, walls: Iterable[datetime], span: TimeSpan, tzid: str) -> Property:
    if span.all_day:
        days = ",".join(basic_text(wall.date()) for wall in walls)
        return Property(name, days, {"VALUE": "DATE"})
    return Property(name, ",".join(_time(wall, tzid) for wall in walls), _zone(tzid))


def _time(wall: datetime, tzid: str) -> str:
    return basic_text(wall) + ("" if tzid else "Z")


def _zone(tzid: str) -> dict[str, str]:
    return {"TZID": tzid} if tzid else {}
