"""Dates that leave a series, and come back."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice, takewhile

from calendar_app.domain.recurrence.expansion import candidates
from calendar_app.domain.recurrence.model import Recurrence
from calendar_app.domain.timespan import TimeSpan
from calendar_app.domain.zones import instant_of, zone_of

# How many dates are compared with the exceptions.
_MOST_DATES = 11_000
# A gap of the clocks moves no date further.
_DAY = timedelta(days=1)


def without(recurrence: Recurrence, recurrence_id: datetime) -> Recurrence:
    """Return a recurrence with one more exception."""
    exceptions = {*recurrence.exdates, recurrence_id}
    return replace(recurrence, exdates=tuple(sorted(exceptions)))


def restored(recurrence: Recurrence, span: TimeSpan, recurrence_id: datetime) -> Recurrence:
    """Return a recurrence without the exception of this date."""
    zone = zone_of(span.timezone)
    date = instant_of(recurrence_id, zone)
    exceptions = (wall for wall in recurrence.exdates if instant_of(wall, zone) != date)
    return replace(recurrence, exdates=tuple(exceptions))


def concealing(recurrence: Recurrence, span: TimeSpan, hidden: Collection[datetime]) -> Recurrence:
    """Return a recurrence in which hidden dates look like deleted ones.

    Extra dates that are hidden or deleted are left out, without an exception.
    """
    exceptions = {*recurrence.exdates, *hidden}
    extra_dates = tuple(extra for extra in recurrence.rdates if extra.start not in exceptions)
    if len(extra_dates) < len(recurrence.rdates):
        left_out = {extra.start for extra in recurrence.rdates} & exceptions
        by_rule = Recurrence(recurrence.rules, exdates=tuple(sorted(left_out)))
        exceptions -= set(unused(by_rule, span))
    return Recurrence(recurrence.rules, extra_dates, tuple(sorted(exceptions)))


def unused(recurrence: Recurrence, span: TimeSpan) -> list[datetime]:
    """Return the exceptions on which the series has no date anyway."""
    zone = zone_of(span.timezone)
    instants = {instant_of(wall, zone): wall for wall in recurrence.exdates}
    if not instants:
        return []
    latest, earliest = max(instants), min(recurrence.exdates)
    since = max(span.start_local, earliest - _DAY) if earliest > span.start_local else None
    dates = islice(candidates(recurrence, span, since), _MOST_DATES)
    hit = {date.instant for date in takewhile(lambda date: date.instant <= latest, dates)}
    return [wall for instant, wall in instants.items() if instant not in hit]
