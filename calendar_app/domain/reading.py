"""The parts of a moment that a text names, and the resulting wall clock.

Days that a month does not have roll over into the next one, unless ``require_day`` refuses them;
months and years keep the day.
"""

from calendar import monthrange
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, time, timedelta, tzinfo
from typing import TypeVar

from calendar_app.domain.zones import localize
from calendar_app.errors import Message

_Value = TypeVar("_Value")
NO_DATE = Message("The text is no date. Write it like 2030-01-31 19:30.")
NO_DAY = Message("There is no such day.")
_MONDAY = 1
_LAST_MONTH, _LAST_DAY, _LAST_HOUR, _LAST_MINUTE, _LEAP_SECOND = 12, 31, 24, 59, 60


@dataclass(slots=True)
class Reading:
    """The parts that a text names; the present fills the others.

    ``named_day`` is year, month and day, ``clock`` hour, minute and second. ``weekday`` is a count
    and an ISO weekday: next Friday is (1, 5), a count of 0 may be today. ``edge`` is the ``first``
    or ``last`` day of the month. ``in_week`` takes the weekday in the week of the day, or its
    Monday without a weekday. ``months``, ``days`` and ``seconds`` are added.
    """

    named_day: tuple[int | None, int, int | None] | None = None
    clock: tuple[int, int, int] | None = None
    zone: tzinfo | None = None
    weekday: tuple[int, int] | None = None
    edge: str = ""
    in_week: bool = False
    from_midnight: bool = False
    months: int = 0
    days: int = 0
    seconds: int = 0

    def set_date(self, year: int | None, month: int, day: int | None) -> None:
        if month > _LAST_MONTH or (day or 0) > _LAST_DAY:
            raise ValueError(NO_DAY)
        self.named_day = _once(self.named_day, (year, month, day))

    def require_day(self, today: date) -> None:
        """Raise ``ValueError`` if the named day is one that its month does not have."""
        year, month, day = self.named_day or (None, today.month, None)
        year = today.year if year is None else year
        if day is not None and not (month and 0 < day <= monthrange(year, month)[1]):
            raise ValueError(NO_DAY)

    def has_date(self) -> bool:
        return self.named_day is not None

    def has_year(self) -> bool:
        return self.named_day is not None and self.named_day[0] is not None

    def set_year(self, year: int) -> None:
        """Add the year that stands behind the time, as in ``Nov 22 19:00:00 2026``."""
        if self.named_day is None or self.clock is None or self.has_year():
            raise ValueError(NO_DATE)
        self.named_day = (year, *self.named_day[1:])

    def set_time(self, hour: int, minute: int = 0, second: int = 0) -> None:
        if hour > _LAST_HOUR or minute > _LAST_MINUTE or second > _LEAP_SECOND:
            raise ValueError("There is no such time of day.")
        self.clock = _once(self.clock, (hour, minute, second))

    def set_zone(self, zone: tzinfo) -> None:
        self.zone = _once(self.zone, zone)

    def set_weekday(self, count: int, weekday: int) -> None:
        self.weekday = _once(self.weekday, (count, weekday))
        self.from_midnight = True

    def reverse(self) -> None:
        """Turn everything added so far into the past: ``1 week 2 days ago``."""
        self.months, self.days, self.seconds = -self.months, -self.days, -self.seconds

    def wall(self, now: datetime) -> datetime:
        """Return the naive wall clock meant, as seen from ``now`` (aware).

        Raises ``ValueError`` or ``OverflowError`` outside the years 1 to 9999.
        """
        open_time = not (self.named_day or self.clock or self.from_midnight)
        if open_time and self.zone:
            # "now UTC" is this very instant, not the site's clock under another name.
            now = now.astimezone(self.zone)
        present = (now.hour, now.minute, now.second)
        hour, minute, second = present if open_time else self.clock or (0, 0, 0)
        midnight = datetime.combine(self._day(now.date()), time.min)
        wall = midnight + timedelta(hours=hour, minutes=minute, seconds=second)
        return _elapsed(wall, timedelta(seconds=self.seconds), self.zone or now.tzinfo)

    def _day(self, today: date) -> date:
        year, month, day = self.named_day or (None, today.month, None)
        year = today.year if year is None else year
        start = _rolled(year, month, today.day if day is None else day)
        start += timedelta(self._days_to_weekday(start))
        month = start.month + self.months
        start = _rolled(start.year, month, 1 if self.edge else start.day)
        if self.edge == "last":
            start = start.replace(day=monthrange(start.year, start.month)[1])
        return start + timedelta(self.days)

    def _days_to_weekday(self, start: date) -> int:
        if not (self.weekday or self.in_week):
            return 0
        count, weekday = self.weekday or (0, _MONDAY)
        ahead = weekday - start.isoweekday()
        if self.in_week:
            return ahead
        if count == 0:
            return ahead % 7
        return (ahead - 1) % 7 + 1 if count > 0 else ahead % 7 - 7


def _once(old: _Value | None, new: _Value) -> _Value:
    if old is not None:
        raise ValueError("The text names two different moments.")
    return new


def _rolled(year: int, month: int, day: int) -> date:
    """Return the day where ``month`` and ``day`` may lie beyond the calendar's."""
    years, index = divmod(month - 1, 12)
    if not MINYEAR <= year + years <= MAXYEAR:
        raise ValueError("The date lies outside the years 1 to 9999.")
    return date(year + years, index + 1, 1) + timedelta(day - 1)


def _elapsed(wall: datetime, passed: timedelta, zone: tzinfo | None) -> datetime:
    """Return the wall clock after so much time, whatever the clocks were set to meanwhile."""
    if not passed or zone is None:
        return wall + passed
    later = localize(wall, zone).astimezone(UTC) + passed
    return later.astimezone(zone).replace(tzinfo=None, fold=0)
