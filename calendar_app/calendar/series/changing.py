"""Changes of series, not yet stored."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from calendar_app.calendar.series.occurrences import RECURRENCE_ID, times
from calendar_app.calendar.series.request import refusing_recurrence
from calendar_app.calendar.series.schedule import Schedule
from calendar_app.domain.kind import Record
from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence import changing
from calendar_app.domain.recurrence.changing import ended_before, from_date, shifted
from calendar_app.domain.recurrence.expansion import span_at, unskipped
from calendar_app.domain.recurrence.notation import SentRecurrence
from calendar_app.domain.recurrence.rules import Recurrence, recurrence_of, span_of, to_document
from calendar_app.domain.timespan import TimeSpan, settle

# What belongs to one event, and not to the series that it becomes.
_OF_ONE = ("withdrawn", "imported", "icalendar", "lineage", "document")
# What stays with the first of two series: the slugs, and where it was imported from.
_OF_FIRST = ("slugs", "icalendar")


class Halves(NamedTuple):
    """The two series of a split: the ended one, and the new one."""

    ended: Record
    begun: Record


def template_of(event: Record) -> Record:
    """Return the series that an event becomes, without its recurrence."""
    return {name: value for name, value in event.items() if name not in _OF_ONE}


def as_written(event: Record, changes: Record) -> TimeSpan:
    """Return the time of a series whose first event has the times of a change."""
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
    return Halves(ended_at(series, occurrence), begun)
