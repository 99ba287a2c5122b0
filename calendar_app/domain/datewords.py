"""Parses dates and times in words and figures, like PHP's ``strtotime``.

A text is a row of items in any order: at most one date, time and zone, and any number of spans to
add. Where several rules match, the longest match counts, then the first rule.
"""

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, time, timedelta, tzinfo
from typing import TypeVar

from calendar_app.domain.zones import localize, zone_in_text, zone_of
from calendar_app.errors import Message

# The parts of a moment that a text names, and the resulting wall clock.
#
# Days that a month does not have roll over into the next one, unless ``require_day`` refuses
# them; months and years keep the day.

_Value = TypeVar("_Value")
NO_DATE = Message("The text is not a date. Write it like 2030-01-31 19:30.")
NO_DAY = Message("There is no such day.")
_MONDAY = 1
_LAST_MONTH, _LAST_DAY, _LAST_HOUR, _LAST_MINUTE, _LEAP_SECOND = 12, 31, 24, 59, 60


@dataclass(slots=True)
class DateParts:
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
        """Raise ``ValueError`` for a day that its month does not have."""
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
        raise ValueError("The date is outside the years 1 to 9999.")
    return date(year + years, index + 1, 1) + timedelta(day - 1)


def _elapsed(wall: datetime, passed: timedelta, zone: tzinfo | None) -> datetime:
    """Return the wall clock after so much time, whatever the clocks were set to meanwhile."""
    if not passed or zone is None:
        return wall + passed
    later = localize(wall, zone).astimezone(UTC) + passed
    return later.astimezone(zone).replace(tzinfo=None, fold=0)


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_COUNTS = {"this": 0, "next": 1, "last": -1, "previous": -1}
_UNITS = {
    "sec": ("seconds", 1), "second": ("seconds", 1), "min": ("seconds", 60),
    "minute": ("seconds", 60), "hour": ("seconds", 3600), "day": ("days", 1),
    "week": ("days", 7), "month": ("months", 1), "year": ("months", 12),
}  # fmt: skip
_DAYS_AHEAD = {"yesterday": -1, "today": 0, "midnight": 0, "tomorrow": 1}
_NOON = 12
_MOST_HOURS = 24
_DOTTED = re.compile(r"[\d.]+", re.ASCII)
# Years of two figures lie between 1970 and 2069.
_CENTURY = 70

_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t|tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])"
)
_WEEKDAY = (
    r"(?P<weekday>mon(?:day)?|tue(?:s|sday)?|wed(?:s|nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?"
    r"|sat(?:urday)?|sun(?:day)?)(?![a-z])"
)
_UNIT = rf"(?P<unit>{'|'.join(_UNITS)})s?(?![a-z])"
_COUNT = rf"(?P<count>{'|'.join(_COUNTS)})"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_SWISS_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])\.(?P<month>0?[1-9]|1[0-2])\."
_YEAR = r"(?P<year>\d{4})(?![\d:])"
_CLOCK = r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2})(?:[.,:]\d+)?)?"
_SHORT_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{1,2})(?::(?P<second>\d{1,2})(?:[.,]\d+)?)?"
_HALF = r"(?P<half>[ap])\.?m\b\.?"
# In "22 Nov 1900 2026", each of the two may be the year, and the other one the hour.
_LONG_YEAR = r"(?:(?:19[7-9]|20[0-6])\d|\d{4}(?!\s+\d{4}(?!\d)))(?![\d:])"
# What "5 Sep 10am", "5 Sep 19h" and "5 Sep 10-12" name is no year.
_YEAR_BEFORE_TIME = rf"\d{{2}}(?=(?:[\s,]+t?|t)\d{{1,2}}(?:[:.]\d|\s*{_HALF}))"
_SHORT_YEAR = rf"(?P<year>{_LONG_YEAR}|{_YEAR_BEFORE_TIME}|\d{{2}}(?=\s*$))"
# JavaScript writes the name of the zone in the language of the browser behind its offset.
_COMMENT = r"(?:\s*\([^()]*\))?"


def read(text: str) -> DateParts:
    """Return the moment that a text in lower case names.

    Raises ``ValueError`` if it cannot be understood.
    """
    reading, position = DateParts(), 0
    while position < len(text):
        if gap := _GAP.match(text, position):
            position = gap.end()
            continue
        matches = [(match, rule) for form, rule in _RULES if (match := form.match(text, position))]
        if not matches:
            raise ValueError(NO_DATE)
        match, rule = max(matches, key=lambda pair: pair[0].end())
        rule(reading, match)
        position = match.end()
    return reading


def _date(reading: DateParts, match: re.Match[str]) -> None:
    groups = match.groupdict()
    month = groups["month"]
    number = int(month) if month.isdecimal() else _MONTHS.index(month[:3]) + 1
    day = int(groups["day"]) if groups.get("day") else None
    reading.set_date(_year(groups.get("year")), number, day)


def _short_date(reading: DateParts, match: re.Match[str]) -> None:
    """Take "5.11.26" for a date, and behind another date for a time."""
    if reading.has_date():
        clock = re.fullmatch(_CLOCK, match[0])
        if clock is None:
            raise ValueError(NO_DATE)
        _time(reading, clock)
    else:
        _date(reading, match)


def _american_date(reading: DateParts, match: re.Match[str]) -> None:
    if int(match["month"]) > len(_MONTHS):
        raise ValueError("There is no such day: between slashes the month comes first.")
    _date(reading, match)


def _month_of_year(reading: DateParts, match: re.Match[str]) -> None:
    month = match["month"]
    number = int(month) if month.isdecimal() else _MONTHS.index(month[:3]) + 1
    reading.set_date(_year(match["year"]), number, 1)


def _timestamp(reading: DateParts, match: re.Match[str]) -> None:
    reading.set_date(1970, 1, 1)
    reading.set_time(0)
    reading.set_zone(UTC)
    reading.seconds += int(match["seconds"])


def _time(reading: DateParts, match: re.Match[str]) -> None:
    groups = match.groupdict()
    hour = int(groups["hour"])
    if hour > _MOST_HOURS and _DOTTED.fullmatch(match[0]):
        raise ValueError(NO_DATE)  # The beginning of "31.02.203" is no time of day.
    if half := groups.get("half"):
        if not 1 <= hour <= _NOON:
            raise ValueError("There is no such hour before or after noon.")
        hour = hour % _NOON + (_NOON if half == "p" else 0)
    reading.set_time(hour, int(groups.get("minute") or 0), int(groups.get("second") or 0))


def _figures(reading: DateParts, match: re.Match[str]) -> None:
    """Take "1900" behind "22 Nov 2026" for the hour, "2026" behind "22 Nov 19:00" for the year."""
    if reading.has_year():
        _time(reading, match)
    elif len(match[0]) == len("2026"):
        reading.set_year(int(match[0]))
    else:
        raise ValueError(NO_DATE)


def _noon(reading: DateParts, _match: re.Match[str]) -> None:
    reading.set_time(_NOON)


def _near_day(reading: DateParts, match: re.Match[str]) -> None:
    reading.from_midnight = True
    reading.days += _DAYS_AHEAD[match[0]]


def _counted(reading: DateParts, match: re.Match[str]) -> None:
    sign = -1 if match["sign"].count("-") % 2 else 1
    _add(reading, match["unit"], sign * int(match["number"]))


def _worded(reading: DateParts, match: re.Match[str]) -> None:
    _add(reading, match["unit"], _COUNTS[match["count"]])
    # "sunday next week" is the Sunday in that week, not the first one after seven days.
    reading.in_week |= match[0].endswith("week")


def _add(reading: DateParts, unit: str, count: int) -> None:
    field, size = _UNITS[unit]
    setattr(reading, field, getattr(reading, field) + count * size)


def _weekday(reading: DateParts, match: re.Match[str]) -> None:
    count = match.groupdict().get("count") or "this"
    reading.set_weekday(_COUNTS[count], _WEEKDAYS.index(match["weekday"][:3]) + 1)


def _edge_of_month(reading: DateParts, match: re.Match[str]) -> None:
    reading.edge = match["edge"]


def _ago(reading: DateParts, _match: re.Match[str]) -> None:
    reading.reverse()


def _now(_reading: DateParts, _match: re.Match[str]) -> None:
    """Leave everything open."""


def _offset(reading: DateParts, match: re.Match[str]) -> None:
    reading.set_zone(zone_of(match["offset"]))


def _zone(reading: DateParts, match: re.Match[str]) -> None:
    try:
        zone = zone_in_text(match["zone"])
    except ValueError as error:
        # Any word that is not understood comes here; that it is no zone would say too little.
        raise ValueError(NO_DATE) from error
    reading.set_zone(zone)


def _year(figures: str | None) -> int | None:
    if not figures:
        return None
    if len(figures) == len("2027"):
        return int(figures)
    return int(figures) + (2000 if int(figures) < _CENTURY else 1900)


_GAP = re.compile(r"[\s,]+", re.ASCII)
_RULES: tuple[tuple[re.Pattern[str], Callable[[DateParts, re.Match[str]], None]], ...] = tuple(
    (re.compile(form, re.ASCII), rule)
    for form, rule in (
        (r"(?P<year>\d{4})([-/])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?!\d)", _date),
        (r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})(?=[t\s])", _date),
        (r"(?P<month>\d{1,2})/(?P<day>\d{1,2})(?:/(?P<year>\d{4}|\d{2}))?(?!\d)", _american_date),
        (r"(?P<day>\d{1,2})([-.])(?P<month>\d{1,2})\2(?P<year>\d{4})(?!\d)", _date),
        (rf"{_SWISS_DAY}(?P<year>\d{{2}})(?!\d)", _short_date),
        (rf"{_SWISS_DAY}(?!\d)", _short_date),
        (rf"{_DAY}(?!\.\s)[\s.-]*{_MONTH}(?:[\s.,-]*{_SHORT_YEAR})?", _date),
        # In "22. November 20", 20 may be the hour.
        (rf"{_DAY}\.\s+{_MONTH}(?:[\s.,-]*(?P<year>{_LONG_YEAR}|{_YEAR_BEFORE_TIME}))?", _date),
        (rf"{_MONTH}[\s.-]*{_DAY}(?![\d:])(?:[\s.,-]+{_SHORT_YEAR})?", _date),
        (rf"(?P<year>\d{{4}})[\s.-]*{_MONTH}[\s.-]*{_DAY}(?![\d:])", _date),
        (_MONTH, _date),
        (rf"{_MONTH}[\s.,-]*{_YEAR}", _month_of_year),
        (rf"(?P<year>\d{{4}})[\s.-]*{_MONTH}", _month_of_year),
        (r"(?P<year>\d{4})-(?P<month>\d{1,2})(?![\d-])", _month_of_year),
        (r"@(?P<seconds>-?\d{1,15})(?:\.\d*)?(?!\d)", _timestamp),
        (rf"t?{_CLOCK}(?!\d)(?:\s*{_HALF})?", _time),
        (rf"t?{_SHORT_CLOCK}(?!\d)", _time),
        (r"t(?P<hour>\d{2})(?:(?P<minute>\d{2})(?P<second>\d{2})?)?(?!\d)", _time),
        (rf"(?P<hour>\d{{1,2}})\s*{_HALF}", _time),
        (r"(?P<hour>\d{2})(?P<minute>\d{2})(?P<second>\d{2})?(?![\d:/.-])", _figures),
        (r"noon(?![a-z])", _noon),
        (rf"(?:{'|'.join(_DAYS_AHEAD)})(?![a-z])", _near_day),
        (r"now(?![a-z])", _now),
        (r"ago(?![a-z])", _ago),
        (rf"(?P<sign>[+-]*)\s*(?P<number>\d{{1,12}})\s*{_UNIT}", _counted),
        (rf"{_COUNT}\s+{_UNIT}", _worded),
        (rf"(?:{_COUNT}\s+)?{_WEEKDAY}", _weekday),
        (r"(?P<edge>first|last)\s+day\s+of(?![a-z])", _edge_of_month),
        (rf"(?:gmt|utc)?(?P<offset>[+-]\d{{1,2}}(?::?\d{{2}})?)(?!\d){_COMMENT}", _offset),
        (r"\(?(?P<zone>[a-z]+)\)?", _zone),
        (r"(?P<zone>[a-z_]+(?:/[a-z0-9_+-]+)+)", _zone),
    )
)
