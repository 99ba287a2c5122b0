"""The dates of series up to the horizon of the stored events."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

from calendar_app.domain.kind import Record
from calendar_app.domain.moments import Now, parse_moment
from calendar_app.domain.recurrence.documents import recurrence_of, span_of
from calendar_app.domain.recurrence.exceptions import restored
from calendar_app.domain.recurrence.expansion import expand
from calendar_app.domain.recurrence.model import ExtraDate, Recurrence
from calendar_app.domain.statuses import TRASH
from calendar_app.domain.timespan import TimeSpan

Dates = Mapping[datetime, TimeSpan]
_LAST_SECOND = time(23, 59, 59)


@dataclass(frozen=True, slots=True)
class Schedule:
    """The stored dates of series: ``months`` ahead of ``now``, at most ``limit`` of each.

    A series that begins later has those of as many months from its begin on.
    """

    now: Now
    zone: str
    months: int
    limit: int

    def horizon(self) -> datetime:
        """Return the wall clock up to which occurrences are stored today."""
        site_now = self.now().replace(tzinfo=UTC).astimezone(ZoneInfo(self.zone))
        return self._ahead_of(site_now)

    def dates(self, series: Record) -> Dates:
        """Return the time of each occurrence of a series, by its start by the rule."""
        return self.dates_of(recurrence_of(series), span_of(series), self.until(series))

    def with_date(self, series: Record, start: datetime) -> Recurrence:
        """Return the recurrence with an excepted date again, as an extra date if need be."""
        recurrence = restored(recurrence_of(series), start)
        is_given = start in self.dates_of(recurrence, span_of(series), start)
        if series["status"] == TRASH or is_given:
            return recurrence
        rdates = tuple(sorted({*recurrence.rdates, ExtraDate(start)}, key=str))
        return Recurrence(recurrence.rules, rdates, recurrence.exdates)

    def until(self, series: Record) -> datetime:
        """Return the wall clock up to which the occurrences of a series are stored."""
        horizon = self.horizon()
        begin: datetime = series["start_local"]
        if begin > horizon:
            # Nothing is ahead of a begin in the last years that a date can have.
            with suppress(ValueError):
                horizon = self._ahead_of(begin.replace(tzinfo=UTC))
        stored: datetime = series.get("expanded_until", horizon)
        return max(horizon, stored)

    def _ahead_of(self, begin: datetime) -> datetime:
        ahead = parse_moment(f"+{self.months} months", begin).wall
        return datetime.combine(ahead, _LAST_SECOND)

    def dates_of(self, recurrence: Recurrence, span: TimeSpan, until: datetime | None) -> Dates:
        """Return the dates of a recurrence up to a wall clock, but always the first one."""
        until = until and max(until, span.start_local)
        occurrences = expand(recurrence, span, until=until, limit=self.limit)
        return {occurrence.recurrence_id: occurrence.span for occurrence in occurrences}
