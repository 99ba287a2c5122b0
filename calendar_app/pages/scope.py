"""Which part of the calendar an address below ``/events/`` names: a view, a date, a term."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from calendar_app.domain.numbers import parse_digits

LIST, MONTH, WEEK, DAY, MAP, PHOTO = "list", "month", "week", "day", "map", "photo"
VIEWS = (LIST, MONTH, WEEK, DAY, MAP, PHOTO)
PAGED = (LIST, PHOTO, MAP)
_BEFORE_PAGES = ([], *([view] for view in PAGED))
TODAY = "today"
_MONTH = re.compile(r"(\d{4})-(\d\d)", re.ASCII)
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
# Weeks and months around the ends of the calendar would leave it.
_FIRST_YEAR, _LAST_YEAR = 1000, 9998


@dataclass(frozen=True, slots=True)
class Scope:
    """A view, the day that it is about, and the slugs of a term; ``None``: the usual or none."""

    view: str | None = None
    day: date | None = None
    taxonomy: str = ""
    slugs: tuple[str, ...] = ()
    page: int | None = None


def read_scope(segments: Sequence[str]) -> Scope | None:
    """Read the segments behind ``/events/``; ``None`` where no page is there."""
    match list(segments):
        case ["category" | "tag" as taxonomy, *rest] if rest:
            slugs, behind = _split(rest)
            scope = _read_view(behind)
            if not slugs or scope is None or (taxonomy == "tag" and len(slugs) > 1):
                return None
            return Scope(scope.view, scope.day, taxonomy, slugs, scope.page)
        case rest:
            return _read_view(rest)


def _split(segments: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Split the slugs of a term from the view behind them; the first one is always a slug."""
    number = 1
    while number < len(segments) and _read_view(segments[number:]) is None:
        number += 1
    return tuple(segments[:number]), list(segments[number:])


def _read_view(segments: Sequence[str]) -> Scope | None:
    """Read a view with its date or the number of its page."""
    match list(segments):
        case []:
            return Scope()
        case [view] if view in VIEWS and view != DAY:
            return Scope(view)
        case ["today"]:
            return Scope(DAY)
        case [*view, "page", text] if view in _BEFORE_PAGES and (page := parse_digits(text)):
            return Scope(view[0] if view else None, page=page)
        case _:
            return _read_date(segments)


def _read_date(segments: Sequence[str]) -> Scope | None:
    match list(segments):
        case ["month", month]:
            return _dated(MONTH, _month(month))
        case ["week", day]:
            return _dated(WEEK, _day(day))
        case [text]:
            return _dated(DAY, _day(text)) or _dated(MONTH, _month(text))
        case _:
            return None


def _dated(view: str, day: date | None) -> Scope | None:
    return Scope(view, day) if day else None


def _day(text: str) -> date | None:
    match = _DAY.fullmatch(text)
    return _date(int(match[1]), int(match[2]), int(match[3])) if match else None


def _month(text: str) -> date | None:
    match = _MONTH.fullmatch(text)
    return _date(int(match[1]), int(match[2]), 1) if match else None


def _date(year: int, month: int, day: int) -> date | None:
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None
