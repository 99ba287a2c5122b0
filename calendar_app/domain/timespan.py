"""The time span of an event, its changes by writes, and its length."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import NamedTuple

from calendar_app.domain.moments import LAST_SECOND, Moment
from calendar_app.domain.zones import instant_of, wall_of, zone_of


class EndBeforeStart(ValueError):
    """The event would end before it starts."""


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """The time of an event: naive datetimes, whole seconds.

    ``start`` and ``end`` are UTC instants; ``start_local`` and ``end_local`` are what the clocks
    in ``timezone`` show then. An all-day event lasts from 00:00:00 to 23:59:59 on its last day.

    Lists rely on ``end_local`` being no earlier than ``start_local``: where the clocks are put back
    in between and show less at the end, it is the same.
    """

    start: datetime
    end: datetime
    start_local: datetime
    end_local: datetime
    timezone: str
    all_day: bool


def settle(  # noqa: PLR0913  each of these may be sent or not
    stored: TimeSpan | None,
    *,
    start: Moment | None,
    end: Moment | None,
    timezone: str | None,
    all_day: bool | None,
    site_timezone: str,
) -> TimeSpan:
    """Return the time of an event after a write; ``None`` was not sent.

    What was not sent stays as stored; a new event is in the site's zone and not all-day. Another
    ``timezone`` keeps the wall clock and moves the instants; ``""`` is the site's. Where the clocks
    were put back so that they show less at the end, it keeps the start and the length.

    Raises ``EndBeforeStart``, and ``ValueError`` on an unknown zone, a new event without a start
    or an end, or an instant outside the years 1 to 9999.
    """
    name = (stored.timezone if stored and timezone is None else timezone) or site_timezone
    zone = zone_of(name)
    # A whole day may be stored with a midnight that the clocks skipped.
    stale = stored is not None and (
        stored.all_day or zone_of(stored.timezone or site_timezone) != zone
    )
    kept_start, kept_end = _edges(stored, site_timezone)
    first = _after(kept_start, start, zone, stale=stale)
    if stored and _is_put_back(stored) and stale and not (start or end):
        end = Moment(first.instant + (stored.end - stored.start), UTC)
    last = _after(kept_end, end, zone, stale=stale)
    whole = all_day if all_day is not None else stored is not None and stored.all_day
    if whole:
        first = _at(datetime.combine(first.wall, time.min), zone)
        last = _at(datetime.combine(last.wall, LAST_SECOND), zone)
    last = _no_earlier(last, first)
    return TimeSpan(first.instant, last.instant, first.wall, last.wall, name, whole)


class _Edge(NamedTuple):
    """One end of a span: the wall clock on the spot, the instant, and the clock as written."""

    wall: datetime
    instant: datetime
    sent_wall: datetime


def _is_put_back(stored: TimeSpan) -> bool:
    """Say whether the clocks show less at the end than at the start."""
    return stored.end_local == stored.start_local and stored.end > stored.start


def _edges(stored: TimeSpan | None, site_timezone: str) -> tuple[_Edge | None, _Edge | None]:
    if stored is None:
        return None, None
    first = _Edge(stored.start_local, stored.start, stored.start_local)
    if _is_put_back(stored):
        return first, _showing(stored.end, zone_of(stored.timezone or site_timezone))
    return first, _Edge(stored.end_local, stored.end, stored.end_local)


def _after(edge: _Edge | None, sent: Moment | None, zone: tzinfo, *, stale: bool) -> _Edge:
    """Return an end of the span after a write; ``stale``: the stored instant no longer holds."""
    if sent:
        if sent.zone is None:
            return _normalized(sent.wall, zone)
        # Not through the wall clock: an offset tells the two readings of an ambiguous hour apart.
        instant = sent.instant(zone).replace(microsecond=0)
        return _showing(instant, zone)
    if edge is None:
        raise ValueError("An event needs a start and an end.")
    return _normalized(edge.wall, zone) if stale else edge


def _normalized(wall: datetime, zone: tzinfo) -> _Edge:
    sent_wall = wall.replace(microsecond=0)
    return _showing(instant_of(sent_wall, zone), zone)._replace(sent_wall=sent_wall)


def _showing(instant: datetime, zone: tzinfo) -> _Edge:
    wall = wall_of(instant, zone)
    return _Edge(wall, instant, wall)


def _at(wall: datetime, zone: tzinfo) -> _Edge:
    """Keep the wall clock: a whole day starts at 00:00 even if midnight is skipped."""
    return _Edge(wall, instant_of(wall, zone), wall)


def _no_earlier(last: _Edge, first: _Edge) -> _Edge:
    """Return the end, no earlier than the start by the wall clock either.

    Where the start was skipped by the clocks and has moved behind the end, what was written counts,
    and the event ends when it starts.
    """
    skipped = first.sent_wall != first.wall
    if last.instant < first.instant:
        if skipped and last.sent_wall >= first.sent_wall:
            return first
        raise EndBeforeStart("The event ends before it starts.")
    return last._replace(wall=max(first.wall, last.wall))


# How long events last, roughly: enough to know how long ago one began that is still on.
#
# Most events are over within the day, a few go on for months. Told apart by their length, those
# that are on at some time began shortly before it, but for the few.

# In days. What lasts longer than all of these may have begun at any time.
LENGTHS = (1, 8, 64, 512)
LONGER = 0


def lasts_under(start: datetime, end: datetime) -> int:
    """Return the least of the lengths that the time between is shorter than, else ``LONGER``."""
    return next((days for days in LENGTHS if end - start < timedelta(days=days)), LONGER)
