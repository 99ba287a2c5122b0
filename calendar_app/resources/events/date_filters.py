"""Parameters of the event list that are about dates."""

from datetime import datetime
from typing import Any

import marshmallow as ma

from calendar_app.calendar.reading.event_lists import ending_by, starting_after, starting_from
from calendar_app.domain.kind import Record
from calendar_app.domain.moments import day_bound, default_window, is_absolute
from calendar_app.errors import Message
from calendar_app.http.fields.notations import truthy
from calendar_app.http.fields.scalars import Boolean, Converted
from calendar_app.http.lists.filtering import (
    by,
)
from calendar_app.http.request import current
from calendar_app.query.clauses import Clause, after, all_of, at_most, before

WINDOW = ("start_date", "end_date")
RELATIVE = (
    "starts_before",
    "starts_after",
    "ends_before",
    "ends_after",
    "overlaps_from",
    "overlaps_to",
)


def _bound(*, opening: bool, **options: Any) -> Converted:
    """Return a field for a bound on the event's local time."""

    def read(value: Any) -> Any:
        return day_bound(
            value,
            now=_today() if is_absolute(value) else current.site_now(),
            zone=current.site_zone(),
            strict=_strict(),
            opening=opening,
        )

    return Converted(read, {"type": "string", "format": "date-time"}, **options)


def _before(day: datetime) -> Clause:
    return all_of([before("end_local", day), before("start_local", day)])


def _begun_by(day: datetime) -> Clause:
    """Match events begun before a given time, or by the end of a given day."""
    return before("start_local", day) if _strict() else at_most("start_local", day)


def _strict() -> bool:
    strict = current.parameter("strict_dates")
    return strict is not None and truthy(strict)


def _today() -> datetime:
    return current.today().astimezone(current.site_zone())


class DateFilters(ma.Schema):
    """Bounds on the times of events, on their own clocks."""

    start_date = _bound(
        opening=True,
        metadata=by(starting_from, "Events that start then or later."),
    )
    end_date = _bound(
        opening=False,
        metadata=by(ending_by, "Events that end then or earlier."),
    )
    starts_before = _bound(
        opening=False,
        metadata=by(lambda day: before("start_local", day), "Events that start before."),
    )
    starts_after = _bound(
        opening=False,
        metadata=by(starting_after, "Events that start after."),
    )
    ends_before = _bound(opening=False, metadata=by(_before, "Events that end before."))
    ends_after = _bound(
        opening=False,
        metadata=by(lambda day: after("end_local", day), "Events that end after."),
    )
    overlaps_from = _bound(
        opening=True,
        metadata=by(lambda day: after("end_local", day), "Events that are still on then."),
    )
    overlaps_to = _bound(
        opening=False,
        metadata=by(_begun_by, "Events that have begun by then."),
    )
    strict_dates = Boolean(
        metadata={
            "description": "With true the given times count, else entire days.",
            "type": "boolean",
            "default": False,
        }
    )

    @staticmethod
    def default_bounds(values: Record) -> Record:
        """Return the bounds of the default window that the request leaves open."""
        if "include" in values or any(name in values for name in RELATIVE):
            return {}
        window = default_window(current.today(), current.site_zone())
        bounds = dict(zip(WINDOW, window, strict=True))
        return {name: bound for name, bound in bounds.items() if name not in values}


def require_span(values: Record) -> None:
    """Refuse an ``overlaps_to`` that is not after ``overlaps_from``."""
    first, last = values.get("overlaps_from"), values.get("overlaps_to")
    if first and last and last <= first:
        reason = Message("overlaps_to must lie after overlaps_from.")
        raise ma.ValidationError({"overlaps_to": [reason]})
