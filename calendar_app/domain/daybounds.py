"""The bounds of list filters: naive wall clocks that an event's own are compared with."""

import re
from datetime import UTC, datetime, time, timedelta, tzinfo
from functools import lru_cache

from calendar_app.domain.moments import is_timestamp, parse_moment

_LAST_SECOND = time(23, 59, 59)
_MONTHS_AHEAD = 24
_ABSOLUTE = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?", re.ASCII)


def is_absolute(value: str | float) -> bool:
    """Say whether a date means the same day whenever it is read; ``False`` where in doubt."""
    return isinstance(value, str) and _ABSOLUTE.fullmatch(value) is not None


def day_bound(
    value: str | float, *, now: datetime, zone: tzinfo, strict: bool, opening: bool
) -> datetime:
    """Return the bound that a client means with ``value``, on the site's clocks (``zone``).

    A strict bound is the time as it stands; only a value with a zone of its own is converted.
    Any other is the first second (``opening``) or the last one of the day as it is written, for a
    Unix timestamp of the site's day. Raises ``ValueError`` as ``parse_moment`` does.
    """
    moment = parse_moment(value, now.astimezone(zone))
    if strict:
        return moment.in_zone(zone)
    wall = moment.in_zone(zone) if is_timestamp(value) else moment.wall
    return datetime.combine(wall, time.min if opening else _LAST_SECOND)


def default_window(now: datetime, zone: tzinfo) -> tuple[datetime, datetime]:
    """Return the bounds of a list without any, seen from ``now`` (aware).

    The start is the day that a site in ``zone`` has at 23:59 UTC of yesterday, the end the last
    second of the day 24 months ahead; 29 February runs on into 1 March.
    """
    return _window_of(now.astimezone(UTC).replace(second=0, microsecond=0), zone)


# Days begin at full minutes.
@lru_cache(8)
def _window_of(now: datetime, zone: tzinfo) -> tuple[datetime, datetime]:
    eve = datetime.combine(now.astimezone(UTC) - timedelta(days=1), time(23, 59), UTC)
    start = datetime.combine(eve.astimezone(zone), time.min)
    ahead = parse_moment(f"+{_MONTHS_AHEAD} months", now.astimezone(zone)).wall
    return start, datetime.combine(ahead, _LAST_SECOND)
