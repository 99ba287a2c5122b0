"""Recurrences as clients send them: an object, or lines of iCalendar."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import MAXYEAR, UTC, datetime, time, tzinfo
from itertools import islice, takewhile
from typing import Any

from calendar_app.domain.moments import Moment, parse_moment
from calendar_app.domain.recurrence.expansion import expand, matches, rule_dates
from calendar_app.domain.recurrence.lines import from_lines
from calendar_app.domain.recurrence.model import (
    OUT_OF_RANGE,
    ExtraDate,
    InvalidRecurrence,
    Recurrence,
)
from calendar_app.domain.recurrence.rules import Rule, Until, parse_rule
from calendar_app.domain.timespan import TimeSpan
from calendar_app.domain.zones import instant_of, wall_of, zone_of
from calendar_app.errors import Message

_MOST_RULES = 10
_MOST_DATES = 1000
# How many dates before the listed ones COUNT may count.
_MOST_EARLIER = 10_000
_PARTS = ("rrule", "rdate", "exdate")
_LAST_SECOND = time(23, 59, 59)

SentDate = tuple[Moment, Moment | None]


@dataclass(frozen=True, slots=True)
class SentRecurrence:
    """A recurrence as sent: its dates are not in the zone of an event yet."""

    rules: tuple[Rule, ...] = ()
    rdates: tuple[SentDate, ...] = ()
    exdates: tuple[Moment, ...] = ()


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
    message = Message("{part} has a date that is none: {value}.", part=name, value=str(value)[:40])
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
            wall = datetime.combine(until, _LAST_SECOND)
    if wall < span.start_local:
        raise InvalidRecurrence(Message("UNTIL lies before the start of the event."))
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
