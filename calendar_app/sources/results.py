"""The outcome of each record that a source brings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum, StrEnum

from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.errors import InvalidParameters
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.notes import key_of
from calendar_app.sources.parsed import ParsedCalendar


class Outcome(StrEnum):
    """The outcome of a reading, a push or an import for one record."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    VANISHED = "vanished"
    REFUSED = "refused"
    KEPT = "kept"
    DOUBLE = "double"
    UNITED = "united"
    OWN = "own"
    FILTERED = "filtered"
    LEFT_OUT = "left_out"


class Joining(Enum):
    """The evidence by which a translation joins a record; without any it is open."""

    LINKS = "by links"
    FILE = "by file"
    LIKENESS = "by likeness"
    OPEN = "left for a person"


# What an entry of a report has only where there is some.
_WHERE_THERE_ARE = ("event", "start", "place", "fields", "kept", "reason", "rule")


@dataclass(slots=True)
class Result:
    """The outcome for one record: which fields it changed, and which were kept as edited here.

    ``kind`` is the collection of the record. A series may stand for several ``records`` of a site,
    its dates: ``dropped`` and ``joins`` have an entry for each that lost a field as label, name and
    invalid address, or that translates a record.

    ``event`` is its id here, also that of a venue, an organizer or a term of a site. ``start`` is
    in the wall clock of the event, a day alone where it lasts all day, and ``place`` the name of
    its venue. ``reasons`` are those of a refusal, by parameter. Of a series only the dates from
    ``dates_from`` on are listed. One that ``waits`` is perhaps the same as others, and not shown
    yet; ``doubles`` are the ids of these others where nothing is stored. One that ``returns`` lay
    in the trash since it had vanished, or some of its dates did.
    ``rule`` is the number of the source's rule that decided.
    """

    outcome: Outcome
    label: str
    uid: str = ""
    recurrence_id: str = ""
    event: int = 0
    start: str = ""
    place: str = ""
    fields: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    reason: str = ""
    refused_dates: list[tuple[str, str]] = field(default_factory=list)
    reasons: Mapping[str, str] = field(default_factory=dict)
    dates_from: datetime | None = None
    rule: int = 0
    kind: str = EVENT.name
    records: int = 1
    dropped: list[tuple[str, str, str]] = field(default_factory=list)
    joins: list[Joining] = field(default_factory=list)
    waits: bool = False
    returns: bool = False
    doubles: list[int] = field(default_factory=list)

    def keep(self, paths: Iterable[str]) -> None:
        """Note fields that stay as they were edited here."""
        self.kept += paths
        if self.kept and self.outcome is Outcome.UNCHANGED:
            self.outcome = Outcome.KEPT

    @property
    def document(self) -> Record:
        """Return the entry of the event in the report."""
        own = {name: getattr(self, name) for name in ("outcome", "label", "uid", "recurrence_id")}
        rest = {name: getattr(self, name) for name in _WHERE_THERE_ARE}
        return {**own, "outcome": str(self.outcome)} | {n: each for n, each in rest.items() if each}


def begun(event: CalendarEvent) -> Result:
    """Return the result of an event of which nothing is decided yet."""
    result = Result(Outcome.UNCHANGED, event.label, *key_of(event))
    if "start" in event.changes:
        notation = "%Y-%m-%d" if event.changes["all_day"] else "%Y-%m-%d %H:%M"
        result.start = event.wall(event.changes["start"]).strftime(notation)
    venues = [each for each in event.changes.get("venues", ()) if isinstance(each, dict)]
    texts = venues[0]["variants"].values() if venues else ()
    result.place = next((own["venue"] for own in texts if own.get("venue")), "")
    return result


def left_out(event: CalendarEvent, rule: int) -> Result:
    """Return the result of an event that filters leave out, or a rule."""
    return replace(begun(event), outcome=Outcome.FILTERED, rule=rule)


def refusal(event: CalendarEvent, error: Exception) -> Result:
    """Return the result of an event that the rules of the editor refuse."""
    key = key_of(event)
    reason = reason_of(error)
    reasons = error.reasons if isinstance(error, InvalidParameters) else {}
    return Result(Outcome.REFUSED, event.label, *key, reason=reason, reasons=reasons)


def unread(calendar: ParsedCalendar) -> list[Result]:
    """Return the results of events that cannot be read, and of left-out parts of others."""
    refused = [Result(Outcome.REFUSED, label, reason=words) for label, words in calendar.refused]
    parts = [Result(Outcome.LEFT_OUT, label, reason=words) for label, words in calendar.left_out]
    return [*refused, *parts]


def reason_of(error: Exception) -> str:
    """Return the reason of a refusal in words."""
    reasons = error.reasons.values() if isinstance(error, InvalidParameters) else [str(error)]
    return " ".join(map(str, reasons))
