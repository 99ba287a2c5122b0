"""A recurrence as JSON, and as properties of iCalendar."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from calendar_app.domain.recurrence.basic_dates import basic_text
from calendar_app.domain.recurrence.model import ExtraDate, Recurrence
from calendar_app.domain.timespan import TimeSpan


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
