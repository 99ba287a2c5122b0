"""The recurrence of a series, and its occurrences."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from calendar_app.domain.timespan import TimeSpan
from calendar_app.errors import Message

OUT_OF_RANGE = Message("A date of the recurrence lies outside the years 1 to 9999.")


class InvalidRecurrence(ValueError):
    """A recurrence that cannot be used; its only argument is a ``Message``."""


class ExtraDate(NamedTuple):
    """One RDATE: wall clocks; without an end it is as long as the series' first event."""

    start: datetime
    end: datetime | None = None


@dataclass(frozen=True, slots=True)
class Recurrence:
    """The rules (normalised RRULE values), extra dates and exceptions of a series.

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
