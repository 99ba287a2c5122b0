"""Recurrences: rules as values of RRULE (RFC 5545 section 3.3.10), extra dates, exceptions."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from calendar_app.domain.kind import Record
from calendar_app.domain.timespan import TimeSpan
from calendar_app.errors import Message

# Dates in the basic format of iCalendar: ``20271231`` and ``20271231T225959Z``.

_DATE = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?", re.ASCII)


def read_basic(text: str) -> datetime | date:
    """Return a day, or a moment that is aware if in UTC. Raises ``ValueError``."""
    match = _DATE.fullmatch(text)
    if match is None:
        raise ValueError(text)
    year, month, day = (int(digits) for digits in match.groups()[:3])
    if match[4] is None:
        return date(year, month, day)
    hour, minute, second = (int(digits) for digits in match.groups()[3:6])
    zone = UTC if match[7] else None
    return datetime(year, month, day, hour, minute, second, tzinfo=zone)


def basic_text(value: datetime | date) -> str:
    """Return a day or a moment in the basic format; Z marks aware ones, in UTC."""
    if not isinstance(value, datetime):
        return value.isoformat().replace("-", "")
    text = value.replace(tzinfo=None).isoformat(timespec="seconds")
    return text.replace("-", "").replace(":", "") + ("Z" if value.tzinfo else "")


# The recurrence of a series, and its occurrences.

OUT_OF_RANGE = Message("A date of the recurrence is outside the years 1 to 9999.")


class InvalidRecurrence(ValueError):
    """A recurrence that cannot be used; its only argument is a ``Message``."""


class ExtraDate(NamedTuple):
    """One RDATE: wall clocks; without an end it is as long as the series' first event."""

    start: datetime
    end: datetime | None = None


@dataclass(frozen=True, slots=True)
class Recurrence:
    """The rules (normalized RRULE values), extra dates and exceptions of a series.

    All dates are wall clocks in the zone of the event, which itself is always the first
    occurrence. An empty recurrence means a single event.
    """

    rules: tuple[str, ...] = ()
    rdates: tuple[ExtraDate, ...] = ()
    exdates: tuple[datetime, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.rules or self.rdates)


class Occurrence(NamedTuple):
    """One event of a series; ``recurrence_id`` is its start by the rule, in wall clock.

    Where the clocks skip that time, the occurrence starts later than its ``recurrence_id``.
    """

    recurrence_id: datetime
    span: TimeSpan

    @property
    def start_local(self) -> datetime:
        return self.span.start_local

    @property
    def end_local(self) -> datetime:
        return self.span.end_local


# Recurrence rules: the values of RRULE (RFC 5545 section 3.3.10).

FREQUENCIES = ("YEARLY", "MONTHLY", "WEEKLY", "DAILY")
DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
MOST_COUNTED = 999_999_999
_TOO_FREQUENT = ("HOURLY", "MINUTELY", "SECONDLY")
_LONGEST = 4000  # characters; 366 numbers of days have fewer
_LONGEST_INTERVAL = 9999
_MOST_TIMES_A_DAY = 1440
_NUMBER = re.compile(r"[+-]?\d{1,9}", re.ASCII)
_DAY = re.compile(r"([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)", re.ASCII)

Numbers = tuple[int, ...]
# A weekday with its number within the month or year; 0 means each.
NthDay = tuple[int, str]
# In UTC, in wall clock (naive), or a day.
Until = datetime | date


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One recurrence rule."""

    freq: str
    interval: int = 1
    count: int | None = None
    until: Until | None = None
    week_start: str = "MO"
    positions: Numbers = ()
    months: Numbers = ()
    week_numbers: Numbers = ()
    year_days: Numbers = ()
    month_days: Numbers = ()
    days: tuple[NthDay, ...] = ()
    hours: Numbers = ()
    minutes: Numbers = ()
    seconds: Numbers = ()

    @property
    def is_endless(self) -> bool:
        return self.count is None and self.until is None

    def __str__(self) -> str:
        """Return the normalized RRULE value."""
        defaults = {field.name: field.default for field in fields(self)}
        values = ((name, getattr(self, attribute)) for name, attribute in _ATTRIBUTES.items())
        return ";".join(
            f"{name}={_text(value)}"
            for name, value in values
            if value != defaults[_ATTRIBUTES[name]]
        )


_ATTRIBUTES = {
    "FREQ": "freq",
    "INTERVAL": "interval",
    "COUNT": "count",
    "UNTIL": "until",
    "WKST": "week_start",
    "BYMONTH": "months",
    "BYWEEKNO": "week_numbers",
    "BYYEARDAY": "year_days",
    "BYMONTHDAY": "month_days",
    "BYDAY": "days",
    "BYHOUR": "hours",
    "BYMINUTE": "minutes",
    "BYSECOND": "seconds",
    "BYSETPOS": "positions",
}


@lru_cache(maxsize=4096)
def parse_rule(value: str) -> Rule:
    """Return the rule that an RRULE value names. Raises ``InvalidRecurrence``."""
    if len(value) > _LONGEST:
        raise InvalidRecurrence(Message("The rule is too long."))
    text = value.strip().upper().removeprefix("RRULE:").rstrip(";")
    parts: dict[str, str] = {}
    for part in text.split(";"):
        name, _, content = part.partition("=")
        _require_known(name, part)
        if name in parts:
            raise InvalidRecurrence(Message("{part} is in the rule twice.", part=name))
        parts[name] = content
    if "FREQ" not in parts:
        raise InvalidRecurrence(
            Message("The rule has no FREQ. It looks like FREQ=WEEKLY;BYDAY=WE.")
        )
    rule = Rule(**{_ATTRIBUTES[name]: _READERS[name](name, text) for name, text in parts.items()})
    _check_combination(rule)
    return rule


def _require_known(name: str, part: str) -> None:
    if name in ("RSCALE", "SKIP"):
        raise InvalidRecurrence(
            Message("{part} is not supported: rules count by the Gregorian calendar.", part=name)
        )
    if name not in _ATTRIBUTES:
        message = Message(
            "The rule has an unknown part: {part}. It looks like FREQ=WEEKLY;BYDAY=WE.",
            part=part[:40],
        )
        raise InvalidRecurrence(message)


def _check_combination(rule: Rule) -> None:
    """Refuse parts that RFC 5545 forbids beside each other."""
    if rule.count is not None and rule.until is not None:
        raise InvalidRecurrence(Message("A rule has COUNT or UNTIL, not both."))
    numbered = any(number for number, _ in rule.days)
    misplaced = {
        "BYWEEKNO": rule.week_numbers and rule.freq != "YEARLY",
        "BYYEARDAY": rule.year_days and rule.freq != "YEARLY",
        "BYMONTHDAY": rule.month_days and rule.freq == "WEEKLY",
        "BYDAY": numbered and (rule.freq in ("WEEKLY", "DAILY") or rule.week_numbers),
    }
    for name, is_misplaced in misplaced.items():
        if is_misplaced:
            message = Message("{part} does not fit the other parts of the rule.", part=name)
            raise InvalidRecurrence(message)
    by_parts = [getattr(rule, attribute) for name, attribute in _ATTRIBUTES.items() if "BY" in name]
    if rule.positions and not any(by_parts[:-1]):
        raise InvalidRecurrence(Message("BYSETPOS needs another part that begins with BY."))
    if len(rule.hours or "1") * len(rule.minutes or "1") * len(rule.seconds or "1") > (
        _MOST_TIMES_A_DAY
    ):
        raise InvalidRecurrence(Message("The rule names too many times of a day."))


def _frequency(_name: str, text: str) -> str:
    if text in _TOO_FREQUENT:
        raise InvalidRecurrence(
            Message("FREQ={value} is not supported: DAILY is the shortest frequency.", value=text)
        )
    return _choice("FREQ", text, FREQUENCIES)


def _choice(name: str, text: str, choices: tuple[str, ...]) -> str:
    if text not in choices:
        raise InvalidRecurrence(
            Message("{part} must be one of {values}.", part=name, values=", ".join(choices))
        )
    return text


def _number(low: int, high: int) -> Callable[[str, str], int]:
    def read(name: str, text: str) -> int:
        if not _NUMBER.fullmatch(text) or not low <= int(text) <= high:
            message = Message(
                "{part} must be a whole number from {low} to {high}.", part=name, low=low, high=high
            )
            raise InvalidRecurrence(message)
        return int(text)

    return read


def _numbers(low: int, high: int) -> Callable[[str, str], Numbers]:
    """Return a reader of lists; numbers from 1 on may be negative, which counts from the end."""
    read_number = _number(-high if low else low, high)

    def read(name: str, text: str) -> Numbers:
        numbers = {read_number(name, member) for member in text.split(",")}
        if low and 0 in numbers:
            raise InvalidRecurrence(Message("{part} must not be 0.", part=name))
        return tuple(sorted(numbers))

    return read


def _months(name: str, text: str) -> Numbers:
    read_number = _number(1, 12)
    return tuple(sorted({read_number(name, member) for member in text.split(",")}))


def _days(name: str, text: str) -> tuple[NthDay, ...]:
    days = set()
    for member in text.split(","):
        match = _DAY.fullmatch(member)
        number = int(match[1] or 0) if match else 0
        if not match or (match[1] and not 1 <= abs(number) <= 53):  # noqa: PLR2004  weeks of a year
            message = Message(
                "{part} must name weekdays such as MO, 2TU or -1FR, not {value}.",
                part=name,
                value=member[:20],
            )
            raise InvalidRecurrence(message)
        days.add((number, match[2]))
    return tuple(sorted(days, key=lambda day: (day[0], DAYS.index(day[1]))))


def _until(name: str, text: str) -> Until:
    try:
        return read_basic(text)
    except ValueError as error:
        message = Message(
            "{part} must be a date such as 20271231 or 20271231T225959Z, not {value}.",
            part=name,
            value=text[:20],
        )
        raise InvalidRecurrence(message) from error


_READERS: Mapping[str, Callable[[str, str], Any]] = {
    "FREQ": _frequency,
    "INTERVAL": _number(1, _LONGEST_INTERVAL),
    "COUNT": _number(1, MOST_COUNTED),
    "UNTIL": _until,
    "WKST": lambda name, text: _choice(name, text, DAYS),
    "BYMONTH": _months,
    "BYWEEKNO": _numbers(1, 53),
    "BYYEARDAY": _numbers(1, 366),
    "BYMONTHDAY": _numbers(1, 31),
    "BYDAY": _days,
    "BYHOUR": _numbers(0, 23),
    "BYMINUTE": _numbers(0, 59),
    "BYSECOND": _numbers(0, 59),
    "BYSETPOS": _numbers(1, 366),
}


def _text(value: Any) -> str:
    match value:
        case tuple():
            return ",".join(
                f"{member[0] or ''}{member[1]}" if isinstance(member, tuple) else str(member)
                for member in value
            )
        case date():
            return basic_text(value)
        case _:
            return str(value)


# Rules that name the days which they else take from the start of the event.


def explicit(rule: Rule, start: datetime) -> Rule:
    """Return a rule with the same dates that names its days and months."""
    if rule.days or rule.month_days or rule.year_days:
        return rule
    if rule.freq == "WEEKLY" or rule.week_numbers:
        return replace(rule, days=((0, DAYS[start.weekday()]),))
    if rule.freq == "MONTHLY":
        return replace(rule, month_days=(start.day,))
    if rule.freq == "YEARLY":
        return replace(rule, months=rule.months or (start.month,), month_days=(start.day,))
    return rule


# Recurrences as documents of series store them.

_SPAN = tuple(field.name for field in fields(TimeSpan))


def span_of(record: Record) -> TimeSpan:
    """Return the time of an event, or of the first event of a series."""
    return TimeSpan(**{name: record[name] for name in _SPAN})


def to_document(recurrence: Recurrence) -> Record:
    """Return a recurrence as series store it."""
    return {
        "rules": list(recurrence.rules),
        "rdates": [{"start": extra.start, "end": extra.end} for extra in recurrence.rdates],
        "exdates": list(recurrence.exdates),
    }


def recurrence_of(series: Record) -> Recurrence:
    """Return the recurrence that a series stores."""
    stored = series["recurrence"]
    extra_dates = tuple(ExtraDate(extra["start"], extra["end"]) for extra in stored["rdates"])
    return Recurrence(tuple(stored["rules"]), extra_dates, tuple(stored["exdates"]))
