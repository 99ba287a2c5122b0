"""Series that change from one date on: RECURRENCE-ID with RANGE=THISANDFUTURE (RFC 5545 3.2.13)."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.changing import ended_before, from_date, shifted
from calendar_app.domain.recurrence.expansion import span_at
from calendar_app.domain.recurrence.notation import as_json, as_sent
from calendar_app.domain.recurrence.notation import settle as settle_recurrence
from calendar_app.domain.recurrence.rules import InvalidRecurrence, Recurrence
from calendar_app.errors import Message
from calendar_app.sources.calendar_events import ANY_COUNT, CalendarEvent, OverriddenDate
from calendar_app.sources.imports.ics.zones import UnreadableComponent


@dataclass(frozen=True, slots=True)
class SeriesSplit:
    """An event that begins on a ``date`` of a series, and takes the place of all later ones."""

    date: Moment
    event: CalendarEvent


def split_series(series: CalendarEvent, changes: list[SeriesSplit]) -> list[CalendarEvent]:
    """Return a series up to the first change, and a series from each change on.

    Raises ``UnreadableComponent`` where a change is on no date of the series.
    """
    parts, step = [series], timedelta()
    for change in sorted(changes, key=lambda change: series.wall(change.date)):
        date = series.wall(change.date) + step
        try:
            earlier, later, moved = _split(parts.pop(), date, change.event)
        except (InvalidRecurrence, OverflowError) as error:
            raise UnreadableComponent(
                Message("It cannot be split on {date}: {reason}", date=date, reason=error)
            ) from error
        parts += [*earlier, later]
        step += moved
    return parts


def _split(
    series: CalendarEvent, date: datetime, change: CalendarEvent
) -> tuple[list[CalendarEvent], CalendarEvent, timedelta]:
    """Return the part before a date, the part from it on, and how far that was moved."""
    span, new = series.span, change.span
    recurrence = settle_recurrence(series.recurrence, span, limit=ANY_COUNT)
    old = span_at(span, date, recurrence.rdates)
    is_first = date <= span.start_local
    rest = recurrence if is_first else from_date(recurrence, span, date)
    step = new.start_local - old.start_local
    later = change if change.recurs else _recurring(change, shifted(rest, old, new))
    moved = [
        replace(each, date=Moment(series.wall(each.date) + step))
        for each in series.overrides
        if series.wall(each.date) > date
    ]
    later = replace(later, overrides=(*moved, *change.overrides), related=series.source)
    if is_first:
        return [], replace(later, related=series.related), step
    kept = [each for each in series.overrides if series.wall(each.date) < date]
    earlier = _recurring(series, ended_before(recurrence, span, date), kept)
    return [earlier], later, step


def _recurring(
    event: CalendarEvent, recurrence: Recurrence, overrides: list[OverriddenDate] | None = None
) -> CalendarEvent:
    return replace(
        event,
        parts=as_json(recurrence),
        recurrence=as_sent(recurrence),
        overrides=tuple(overrides or ()),
    )
