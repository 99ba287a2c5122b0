"""Moments as people and programs write them: dates, words, timestamps, bounds of lists."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from functools import lru_cache, partial

from calendar_app.domain.datewords import NO_DATE, read
from calendar_app.domain.zones import instant_of, wall_of

# Gives the present as an aware time in UTC.
Clock = Callable[[], datetime]
# Gives the present as a naive UTC time in whole seconds.
Now = Callable[[], datetime]

_LONGEST = 200
_EPOCH = datetime.combine(datetime.fromtimestamp(0, UTC), datetime.min.time())
# Programs that write for people put blanks before AM and PM at which no line ends.
_BLANKS = str.maketrans("\xa0\u202f", "  ")
_NUMBER = re.compile(r"(?P<whole>[+-]?\d{1,15})(?:\.0*)?", re.ASCII)
_YEAR = re.compile(r"\d{4}", re.ASCII)
_COMPACT = re.compile(r"\d{8}", re.ASCII)
_NINE_DIGITS = 100_000_000
# As programs write it, and nearly all moments that are sent: read at a tenth of the cost.
_PLAIN = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", re.ASCII)
# A plus that stands in a query as it is becomes a blank there.
_WITHOUT_PLUS = re.compile(r".*\d:\d\d(?:\.\d+)? \d\d:\d\d", re.ASCII)
_TIMESTAMP = re.compile(r"[+-]?\d+(?:\.\d*)?|@.*", re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Moment:
    """A naive wall clock, and the zone of it where the text names one.

    A Unix timestamp is in UTC.
    """

    wall: datetime
    zone: tzinfo | None = None

    def in_zone(self, zone: tzinfo) -> datetime:
        """Return the naive wall clock in ``zone``: converted, or as it stands without one.

        Raises ``ValueError`` if it is outside the years 1 to 9999.
        """
        return self.wall if self.zone is None else wall_of(self.instant(zone), zone)

    def instant(self, zone: tzinfo) -> datetime:
        """Return the naive instant in UTC, where ``zone`` stands in for a missing one.

        Raises ``ValueError`` if it is outside the years 1 to 9999.
        """
        return instant_of(self.wall, self.zone or zone)


# The present as an aware time in UTC.
system_clock: Clock = partial(datetime.now, UTC)


def naive_clock(clock: Clock) -> Now:
    """Return a function that gives the time of ``clock`` as naive UTC in whole seconds."""

    def now() -> datetime:
        return clock().astimezone(UTC).replace(tzinfo=None, microsecond=0)

    return now


def parse_moment(value: str | float, now: datetime, *, rolls_over: bool = True) -> Moment:
    """Return the moment that a client means, seen from ``now`` (aware, in the site's zone).

    A day that no month has is one of the next month, or refused without ``rolls_over``.

    Raises ``ValueError`` if it is not understood, is the number 0 alone, by which programs mean
    "no date", is a year alone, or is outside the years 1 to 9999.
    """
    try:
        moment = _parsed(value, now, rolls_over=rolls_over)
        moment.instant(UTC)
    except OverflowError as error:
        raise ValueError("The date is outside the years 1 to 9999.") from error
    return moment


def is_timestamp(value: str | float) -> bool:
    """Tell whether a value that ``parse_moment`` takes counts seconds and names no day."""
    text = str(value).strip().lower()
    return _TIMESTAMP.fullmatch(text) is not None and _compact_day(text) is None


def _parsed(value: str | float, now: datetime, *, rolls_over: bool) -> Moment:
    match value:
        case str():
            text = value.translate(_BLANKS).strip().lower()
            return _from_text(text, now, rolls_over=rolls_over)
        case int() | float() if not isinstance(value, bool):
            # Eight digits or four may be meant as a day or a year.
            is_text = 0 < value < _NINE_DIGITS
            return _from_text(str(value), now, rolls_over=True) if is_text else _counted(value)
        case _:
            raise ValueError("A date is a text or a number.")


def _from_text(text: str, now: datetime, *, rolls_over: bool) -> Moment:
    if not text or len(text) > _LONGEST:
        raise ValueError(NO_DATE)
    if _PLAIN.fullmatch(text):
        # What does not exist as it is written, such as 30 February, may still mean something.
        with suppress(ValueError):
            return Moment(datetime.fromisoformat(text))
    if _YEAR.fullmatch(text):
        raise ValueError("A year is not enough for a date. Write it like 2030-01-31 19:30.")
    if day := _compact_day(text):
        return Moment(day)
    if number := _NUMBER.fullmatch(text):
        return _counted(int(number["whole"]))
    try:
        reading = read(text)
    except ValueError as error:
        if _WITHOUT_PLUS.fullmatch(text):
            raise ValueError("A + in an address has to be written as %2B.") from error
        raise
    if not rolls_over:
        reading.require_day(now.date())
    return Moment(reading.wall(now), reading.zone)


def _compact_day(text: str) -> datetime | None:
    """Return the day that eight digits name, if they name one."""
    if not _COMPACT.fullmatch(text):
        return None
    with suppress(ValueError):
        return datetime.strptime(text, "%Y%m%d")  # noqa: DTZ007  # a wall clock has no zone
    return None


def _counted(seconds: float) -> Moment:
    """Return the moment of a Unix timestamp."""
    if not seconds:
        raise ValueError("0 is not a date.")
    if seconds != int(seconds):
        raise ValueError("A Unix timestamp is a whole number.")
    try:
        return Moment(_EPOCH + timedelta(seconds=int(seconds)), UTC)
    except OverflowError as error:
        raise ValueError(
            "The date is outside the years 1 to 9999: timestamps count seconds, not milliseconds."
        ) from error


# The bounds of list filters: naive wall clocks that an event's own are compared with.

LAST_SECOND = time(23, 59, 59)
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
    return datetime.combine(wall, time.min if opening else LAST_SECOND)


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
    return start, datetime.combine(ahead, LAST_SECOND)
