"""Moments as people and programs write them: dates, words and Unix timestamps."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from calendar_app.domain.datewords import read
from calendar_app.domain.zones import instant_of, wall_of

# Gives the present as a naive UTC time.
Now = Callable[[], datetime]

_LONGEST = 200
_EPOCH = datetime.combine(datetime.fromtimestamp(0, UTC), datetime.min.time())
# Programs that write for people put blanks before AM and PM at which no line ends.
_BLANKS = str.maketrans("\xa0\u202f", "  ")
_NUMBER = re.compile(r"(?P<whole>[+-]?\d{1,15})(?:\.0*)?", re.ASCII)
_SCIENTIFIC = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)e[+-]?\d+", re.ASCII)
# As programs write it, and nearly all moments that are sent: read at a tenth of the cost.
_PLAIN = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", re.ASCII)
# A plus that stands in a query as it is becomes a blank there.
_WITHOUT_PLUS = re.compile(r".*\d:\d\d(?:\.\d+)? \d\d:\d\d", re.ASCII)
_TIMESTAMP = re.compile(rf"[+-]?\d+(?:\.\d*)?|{_SCIENTIFIC.pattern}|@.*", re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Moment:
    """A naive wall clock, and the zone of it where the text names one.

    A Unix timestamp is in UTC.
    """

    wall: datetime
    zone: tzinfo | None = None

    def in_zone(self, zone: tzinfo) -> datetime:
        """Return the naive wall clock in ``zone``: converted, or as it stands without one.

        Raises ``ValueError`` if it lies outside the years 1 to 9999.
        """
        return self.wall if self.zone is None else wall_of(self.instant(zone), zone)

    def instant(self, zone: tzinfo) -> datetime:
        """Return the naive instant in UTC, where ``zone`` stands in for a missing one.

        Raises ``ValueError`` if it lies outside the years 1 to 9999.
        """
        return instant_of(self.wall, self.zone or zone)


def parse_moment(value: str | float, now: datetime, *, zero: bool = False) -> Moment:
    """Return the moment that a client means, seen from ``now`` (aware, in the site's zone).

    Raises ``ValueError`` if it is not understood, is the Unix epoch itself, which is how
    programs write "no date", or lies outside the years 1 to 9999. With ``zero`` the number 0 is
    taken for a moment like any other.
    """
    try:
        moment = _parsed(value, now)
    except OverflowError as error:
        raise ValueError("The date lies outside the years 1 to 9999.") from error
    if moment.instant(UTC) == _EPOCH and not (zero and _is_number(value)):
        raise ValueError("The date is the beginning of Unix time.")
    return moment


def is_timestamp(value: str | float) -> bool:
    """Tell whether a value that ``parse_moment`` takes counts seconds and names no day."""
    return not isinstance(value, str) or _TIMESTAMP.fullmatch(value.strip().lower()) is not None


def _is_number(value: str | float) -> bool:
    return is_timestamp(value) and not str(value).strip().startswith("@")


def _parsed(value: str | float, now: datetime) -> Moment:
    match value:
        case str():
            return _from_text(value.translate(_BLANKS).strip().lower(), now)
        case int() | float() if not isinstance(value, bool):
            return _since_epoch(value)
        case _:
            raise ValueError("A date is a text or a number.")


def _from_text(text: str, now: datetime) -> Moment:
    if not text or len(text) > _LONGEST:
        raise ValueError("The text is no date.")
    if _PLAIN.fullmatch(text):
        # What does not exist as it is written, such as 30 February, may still mean something.
        with suppress(ValueError):
            return Moment(datetime.fromisoformat(text))
    if number := _NUMBER.fullmatch(text):
        return _since_epoch(int(number["whole"]))
    if _SCIENTIFIC.fullmatch(text):
        return _since_epoch(float(text))
    try:
        reading = read(text)
    except ValueError as error:
        if _WITHOUT_PLUS.fullmatch(text):
            raise ValueError("A + in an address has to be written as %2B.") from error
        raise
    return Moment(reading.wall(now), reading.zone)


def _since_epoch(seconds: float) -> Moment:
    if seconds != int(seconds):
        raise ValueError("A Unix timestamp is a whole number.")
    try:
        return Moment(_EPOCH + timedelta(seconds=int(seconds)), UTC)
    except OverflowError as error:
        raise ValueError(
            "The date lies outside the years 1 to 9999: timestamps count seconds, not milliseconds."
        ) from error
