"""Readings of a form by the interface: its dates, and its price."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from marshmallow import ValidationError

from calendar_app.content.messages import translated
from calendar_app.desk.event_form.body import body_of
from calendar_app.desk.event_form.notation import Notation
from calendar_app.desk.event_form.values import Values
from calendar_app.desk.languages import language
from calendar_app.domain.cost import Currency, for_readers, in_language, parse_cost
from calendar_app.errors import InvalidParameters, Message
from calendar_app.http.request import current
from calendar_app.pages import wording
from calendar_app.resources.recurrence import RecurrencePreviewRequestSchema, preview

_SCHEMA = RecurrencePreviewRequestSchema()
_MOST_DATES = 10


@dataclass(frozen=True, slots=True)
class Reading:
    """The dates in words, the recurrence in words, and the price as readers see it."""

    text: str = ""
    dates: tuple[str, ...] = ()
    more: int = 0
    is_endless: bool = False
    cost: str = ""


def reading_of(values: Values, notation: Notation) -> Reading:
    """Return the dates and the price; wrong ones are refused when the form is saved."""
    cost = _cost(values.get("cost", "").strip())
    names = ("start_date", "end_date", "all_day", "timezone", "recurrence")
    body, problems = body_of(values, names, notation)
    if problems or not body.get("start_date"):
        return Reading(cost=cost)
    body = {name: value for name, value in body.items() if value not in (None, "")}
    try:
        dates = preview(_SCHEMA.load(body))
    except (InvalidParameters, ValidationError):
        return Reading(cost=cost)
    return _reading(dates, cost, all_day=bool(body.get("all_day")))


def _reading(dates: dict[str, Any], cost: str, *, all_day: bool) -> Reading:
    listed = [_date(each, all_day=all_day) for each in dates["dates"][:_MOST_DATES]]
    more = len(dates["dates"]) - len(listed)
    return Reading(dates["text"], tuple(listed), more, dates["more"], cost)


def _date(date: dict[str, str], *, all_day: bool) -> str:
    start, end = (datetime.fromisoformat(date[f"{edge}_date"]) for edge in ("start", "end"))
    return wording.when(start, end, language(), all_day=all_day)


def _cost(text: str) -> str:
    currency = Currency.of(current.settings())
    try:
        cost = parse_cost(text, currency) if text else None
    except ValueError:
        return ""
    if cost is None:
        return ""
    shown = in_language(cost.document(), translated(Message("Free"), (language(),)))
    return for_readers(shown, currency.symbol)
