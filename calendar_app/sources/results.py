"""The outcomes of a reading, event by event."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from calendar_app.calendar.bulk.calendar_events import CalendarEvent
from calendar_app.calendar.bulk.records import reason_of
from calendar_app.domain.kind import Record
from calendar_app.errors import InvalidParameters
from calendar_app.sources.notes import key_of
from calendar_app.sources.parsed import ParsedCalendar


class Outcome(StrEnum):
    """The outcome of a reading for one event."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    VANISHED = "vanished"
    REFUSED = "refused"
    KEPT = "kept"
    DOUBLE = "double"
    OWN = "own"
    FILTERED = "filtered"
    LEFT_OUT = "left_out"


@dataclass(slots=True)
class Result:
    """The outcome for one event: which fields it changed, and which were kept as edited here.

    ``reasons`` are those of a refusal, by parameter. Of a series only the dates from ``dates_from``
    on are listed.
    """

    outcome: Outcome
    label: str
    uid: str = ""
    recurrence_id: str = ""
    event: int = 0
    fields: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    reason: str = ""
    refused_dates: list[tuple[str, str]] = field(default_factory=list)
    reasons: Mapping[str, str] = field(default_factory=dict)
    dates_from: datetime | None = None

    def keep(self, paths: Iterable[str]) -> None:
        """Note fields that stay as they were edited here."""
        self.kept += paths
        if self.kept and self.outcome is Outcome.UNCHANGED:
            self.outcome = Outcome.KEPT

    @property
    def document(self) -> Record:
        """Return the entry of the event in the report."""
        own = {name: getattr(self, name) for name in ("outcome", "label", "uid", "recurrence_id")}
        rest = {name: getattr(self, name) for name in ("event", "fields", "kept", "reason")}
        return {**own, "outcome": str(self.outcome)} | {n: each for n, each in rest.items() if each}


def refusal(event: CalendarEvent, error: Exception) -> Result:
    """Return the result of an event that the rules of the editor refuse."""
    key = key_of(event)
    reason = reason_of(error) or type(error).__name__
    reasons = error.reasons if isinstance(error, InvalidParameters) else {}
    return Result(Outcome.REFUSED, event.label, *key, reason=reason, reasons=reasons)


def unread(calendar: ParsedCalendar) -> list[Result]:
    """Return the results of events that cannot be read, and of left-out parts of others."""
    refused = [Result(Outcome.REFUSED, label, reason=words) for label, words in calendar.refused]
    parts = [Result(Outcome.LEFT_OUT, label, reason=words) for label, words in calendar.left_out]
    return [*refused, *parts]
