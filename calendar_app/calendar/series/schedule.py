"""The dates of series up to the horizon of the stored events."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from calendar_app.domain.kind import Record
from calendar_app.domain.moments import LAST_SECOND, Now, parse_moment
from calendar_app.domain.recurrence.changing import restored
from calendar_app.domain.recurrence.expansion import last_start, listed_from, spans_of
from calendar_app.domain.recurrence.notation import SentRecurrence, settle
from calendar_app.domain.recurrence.rules import ExtraDate, Recurrence, recurrence_of, span_of
from calendar_app.domain.statuses import TRASH
from calendar_app.domain.timespan import TimeSpan

Dates = Mapping[datetime, TimeSpan]
_SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Schedule:
    """The stored dates of series: from ``past`` to ``ahead`` months from ``now``.

    Each has at most ``limit`` of them. A series that begins later has those of as many months from
    its begin on; one that has ended, those of as many months before its end. Earlier dates that
    are stored stay.
    """

    now: Now
    zone: str
    past: int
    ahead: int
    limit: int

    def horizon(self) -> datetime:
        """Return the wall clock up to which occurrences are stored today."""
        return self._ahead_of(self._site_now())

    def expansion(self, series: Record, stored: Collection[datetime] = ()) -> tuple[Dates, Record]:
        """Return the time of each occurrence by its start by the rule, and fields of the series.

        These say up to which date events are stored, and before which some are not listed. A series
        in the trash has no occurrences, and keeps the latter. ``stored`` are the dates of those
        that are there.
        """
        site_now, span = self._site_now(), span_of(series)
        until = self._until(series, site_now)
        fields: Record = {"expanded_until": until}
        if series["status"] == TRASH:
            begin = series.get("dates_from")
            return {}, fields | ({"dates_from": begin} if begin else {})
        recurrence = recurrence_of(series)
        since = self.since(recurrence, span, site_now)
        dates = self._dates_of(recurrence, span, since, until, stored)
        begin = since and listed_from(recurrence, span, dates, since)
        return dates, fields | ({"dates_from": begin} if begin else {})

    def further(self, series: Record, stored: Collection[datetime]) -> tuple[Dates, Record]:
        """Return only the newly due dates of a series, in the form of ``expansion``.

        Return all dates of a series that is older than the stored dates, since others may be left
        out now, and of a series that reaches its limit.
        """
        site_now, span, recurrence = self._site_now(), span_of(series), recurrence_of(series)
        if series["status"] == TRASH or self.since(recurrence, span, site_now):
            return self.expansion(series, stored)
        until = self._until(series, site_now)
        begin = series["expanded_until"] + _SECOND
        dates = spans_of(recurrence, span, since=begin, until=until, limit=self.limit)
        if len(stored) + len(dates) > self.limit:
            return self.expansion(series, stored)
        return dates, {"expanded_until": until}

    def settle(self, sent: SentRecurrence, span: TimeSpan) -> Recurrence:
        """Return a recurrence in the wall clock of an event; raise ``InvalidRecurrence``."""
        begin = self._behind(self._site_now())
        return settle(sent, span, limit=self.limit, since=begin)

    def since(
        self, recurrence: Recurrence, span: TimeSpan, site_now: datetime | None = None
    ) -> datetime | None:
        """Return the wall clock from which rules make dates; none if from the start on."""
        site_now = site_now or self._site_now()
        begin = self._behind(site_now)
        if begin is None or begin <= span.start_local:
            return None
        end = last_start(recurrence, span)
        if end is not None and end < site_now.replace(tzinfo=None):
            begin = self._behind(end.replace(tzinfo=UTC))
        return begin if begin and begin > span.start_local else None

    def with_date(self, series: Record, start: datetime) -> Recurrence:
        """Return the recurrence with an excepted date again, as an extra date if need be."""
        span = span_of(series)
        recurrence = restored(recurrence_of(series), span, start)
        since = self.since(recurrence, span)
        is_given = start in self._dates_of(recurrence, span, since, start, [start])
        if series["status"] == TRASH or is_given:
            return recurrence
        rdates = tuple(sorted({*recurrence.rdates, ExtraDate(start)}, key=str))
        return Recurrence(recurrence.rules, rdates, recurrence.exdates)

    def _until(self, series: Record, site_now: datetime) -> datetime:
        """Return the wall clock up to which the occurrences of a series are stored."""
        horizon = self._ahead_of(site_now)
        begin: datetime = series["start_local"]
        if begin > horizon:
            # Nothing is ahead of a begin in the last years that a date can have.
            with suppress(ValueError):
                horizon = self._ahead_of(begin.replace(tzinfo=UTC))
        stored: datetime = series.get("expanded_until", horizon)
        return max(horizon, stored)

    def _ahead_of(self, begin: datetime) -> datetime:
        ahead = parse_moment(f"+{self.ahead} months", begin).wall
        return datetime.combine(ahead, LAST_SECOND)

    def _behind(self, end: datetime) -> datetime | None:
        """Return the day so many months before; none before the first year."""
        with suppress(ValueError):
            behind = parse_moment(f"-{self.past} months", end).wall
            return datetime.combine(behind, time.min)
        return None

    def _site_now(self) -> datetime:
        return self.now().replace(tzinfo=UTC).astimezone(ZoneInfo(self.zone))

    def _dates_of(
        self,
        recurrence: Recurrence,
        span: TimeSpan,
        since: datetime | None,
        until: datetime,
        stored: Collection[datetime],
    ) -> Dates:
        """Return the dates of a recurrence up to a wall clock, but always the first one."""
        until = max(until, span.start_local)
        earlier = {wall for wall in stored if since and wall < since}
        return spans_of(recurrence, span, since=since, until=until, limit=self.limit, kept=earlier)
