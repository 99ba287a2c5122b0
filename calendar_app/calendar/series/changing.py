"""Changes of series: what is sent, and the series that it makes; nothing is stored."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from calendar_app.accounts.callers import ANYONE
from calendar_app.calendar.series.occurrences import RECURRENCE_ID, times
from calendar_app.calendar.series.schedule import Schedule
from calendar_app.calendar.writing.changes import Edit
from calendar_app.domain.kind import Record
from calendar_app.domain.moments import Moment
from calendar_app.domain.provenance import NOTES, inherit, sources_of
from calendar_app.domain.recurrence import changing
from calendar_app.domain.recurrence.changing import ended_before, from_date, shifted
from calendar_app.domain.recurrence.expansion import span_at, unskipped
from calendar_app.domain.recurrence.notation import SentRecurrence
from calendar_app.domain.recurrence.rules import (
    InvalidRecurrence,
    Recurrence,
    recurrence_of,
    span_of,
    to_document,
)
from calendar_app.domain.timespan import TimeSpan, settle
from calendar_app.errors import InvalidParameters, Message
from calendar_app.storage.migrations import FORMER_NAMES

THIS, FOLLOWING, ALL = "this", "following", "all"
SCOPES = (THIS, FOLLOWING, ALL)
_NAMES = ("scope", "recurrence", "force")


@dataclass(frozen=True, slots=True)
class SeriesRequest:
    """The ``scope`` of a write, and the recurrence that it sends, if any.

    With ``force`` the occurrences that lose their date are deleted for good.
    """

    scope: str = THIS
    recurrence: SentRecurrence | None = None
    force: bool = False

    @property
    def begins(self) -> bool:
        """Whether a single event becomes a series."""
        sent = self.recurrence
        return sent is not None and bool(sent.rules or sent.rdates)

    @property
    def clears(self) -> bool:
        """Whether a series becomes a single event."""
        return self.recurrence == SentRecurrence()

    def require_scope(self) -> None:
        """Refuse a recurrence for one occurrence alone."""
        if self.recurrence is None or self.scope == ALL:
            return
        if self.clears:
            raise InvalidParameters(
                {"recurrence": Message("To clear the recurrence, send scope=all.")}
            )
        if self.scope == THIS:
            raise InvalidParameters(
                {"recurrence": Message("One occurrence has no recurrence: send another scope.")}
            )


@dataclass(frozen=True, slots=True)
class SeriesChange:
    """A change of a series: an edit, and what it says of the series."""

    edit: Edit
    request: SeriesRequest = SeriesRequest()

    @property
    def changes(self) -> Record:
        return self.edit.changes

    def saying(self, changes: Record) -> "SeriesChange":
        """Return the same request with other changes."""
        return replace(self, edit=replace(self.edit, changes=changes))


NO_CHANGE = SeriesChange(Edit({}, ANYONE, ""))


def split_edit(edit: Edit) -> SeriesChange:
    """Split the changes of an event from those of its series."""
    own = {name: value for name, value in edit.changes.items() if name in _NAMES}
    rest = {name: value for name, value in edit.changes.items() if name not in _NAMES}
    return SeriesChange(replace(edit, changes=rest), SeriesRequest(**own))


@contextmanager
def refusing_recurrence() -> Iterator[None]:
    """Report a recurrence that cannot be used as a parameter."""
    try:
        yield
    except InvalidRecurrence as error:
        raise InvalidParameters({"recurrence": error.args[0]}) from error


# What belongs to one event, and not to the series that it becomes.
_OF_ONE = ("withdrawn", *FORMER_NAMES, NOTES, "lineage", "document")
# What stays with the first of two series: the slugs, and where it was imported from.
_OF_FIRST = ("slugs", *FORMER_NAMES, NOTES)


class Halves(NamedTuple):
    """The two series of a split: the ended one, and the new one."""

    ended: Record
    begun: Record


def template_of(event: Record) -> Record:
    """Return the series that an event becomes, without its recurrence."""
    template = {name: value for name, value in event.items() if name not in _OF_ONE}
    return inherit(template, sources_of(event))


def as_written(event: Record, changes: Record) -> TimeSpan:
    """Return the time of a series after a change of the times of its first event."""
    return unskipped(span_of(event), changes.get("start"), changes.get("end"))


def span_on(series: Record, recurrence_id: datetime) -> TimeSpan:
    """Return the time that a series gives to the occurrence of a date."""
    return span_at(span_of(series), recurrence_id, recurrence_of(series).rdates)


def with_recurrence(series: Record, sent: SentRecurrence, schedule: Schedule) -> Record:
    """Return a series with the recurrence that was sent.

    Sent exceptions alone leave the rules and dates of the series.
    """
    with refusing_recurrence():
        recurrence = schedule.settle(sent, span_of(series))
    if not recurrence and "recurrence" in series:
        stored = recurrence_of(series)
        recurrence = Recurrence(stored.rules, stored.rdates, recurrence.exdates)
    return {**series, "recurrence": to_document(recurrence)}


def moved(series: Record, old: TimeSpan, new: TimeSpan) -> Record:
    """Return a series of which the occurrence at ``old`` moves to ``new``, and all with it."""
    first = span_of(series)
    if old == new:
        return {**series, **times(first)}
    start = Moment(first.start_local + (new.start_local - old.start_local))
    end = Moment(start.wall + (new.end_local - new.start_local))
    if not new.all_day:
        whole = settle(
            None, start=start, end=start, timezone=new.timezone, all_day=False,
            site_timezone=new.timezone,
        )  # fmt: skip
        end = Moment(whole.start + (new.end - new.start), UTC)
    span = settle(
        None,
        start=start,
        end=end,
        timezone=new.timezone,
        all_day=new.all_day,
        site_timezone=new.timezone,
    )
    span = unskipped(span, start)
    with refusing_recurrence():
        recurrence = shifted(recurrence_of(series), first, span)
    return {**series, **times(span), "recurrence": to_document(recurrence)}


def step_between(before: Record, after: Record) -> timedelta:
    """Return by how much the dates of a series have moved."""
    step: timedelta = after["start_local"] - before["start_local"]
    return step


def ended_at(series: Record, occurrence: Record) -> Record:
    """Return a series that ends before an occurrence, which is not the first."""
    start = occurrence[RECURRENCE_ID]
    recurrence = ended_before(recurrence_of(series), span_of(series), start)
    return {**series, "recurrence": to_document(recurrence)}


def with_date(series: Record, occurrence: Record) -> Record:
    """Return a series without the exception of an occurrence."""
    recurrence = changing.restored(
        recurrence_of(series), span_of(series), occurrence[RECURRENCE_ID]
    )
    return {**series, "recurrence": to_document(recurrence)}


def split(series: Record, occurrence: Record) -> Halves:
    """Split a series before an occurrence, which is not the first; the new one has its id."""
    start, span, recurrence = (
        occurrence[RECURRENCE_ID],
        span_of(series),
        recurrence_of(series),
    )
    with refusing_recurrence():
        rest = from_date(recurrence, span, start)
    variants = {
        tag: {name: text for name, text in texts.items() if name != "slug"}
        for tag, texts in series["variants"].items()
    }
    begun = {
        **{name: value for name, value in series.items() if name not in _OF_FIRST},
        **times(unskipped(span_on(series, start), Moment(start))),
        "_id": occurrence["_id"],
        "continues": series["_id"],
        "recurrence": to_document(rest),
        "variants": variants,
    }
    return Halves(ended_at(series, occurrence), inherit(begun, sources_of(series)))
