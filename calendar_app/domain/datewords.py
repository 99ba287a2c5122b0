"""The words and figures that name a date or a time, after the manner of PHP's ``strtotime``.

A text is a row of items in any order: at most one date, time and zone, and any number of spans to
add. Where several rules match, the longest match counts, then the first rule.
"""

import re
from collections.abc import Callable
from datetime import UTC

from calendar_app.domain.reading import NO_DATE, Reading
from calendar_app.domain.zones import zone_in_text, zone_of

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
_LAST_HOUR = 24
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


def read(text: str) -> Reading:
    """Return the moment that a text in lower case names.

    Raises ``ValueError`` if it cannot be understood.
    """
    reading, position = Reading(), 0
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


def _date(reading: Reading, match: re.Match[str]) -> None:
    groups = match.groupdict()
    month = groups["month"]
    number = int(month) if month.isdecimal() else _MONTHS.index(month[:3]) + 1
    day = int(groups["day"]) if groups.get("day") else None
    reading.set_date(_year(groups.get("year")), number, day)


def _short_date(reading: Reading, match: re.Match[str]) -> None:
    """Take "5.11.26" for a date, and behind another date for a time."""
    if reading.has_date():
        clock = re.fullmatch(_CLOCK, match[0])
        if clock is None:
            raise ValueError(NO_DATE)
        _time(reading, clock)
    else:
        _date(reading, match)


def _american_date(reading: Reading, match: re.Match[str]) -> None:
    if int(match["month"]) > len(_MONTHS):
        raise ValueError("There is no such day: between slashes the month comes first.")
    _date(reading, match)


def _month_of_year(reading: Reading, match: re.Match[str]) -> None:
    month = match["month"]
    number = int(month) if month.isdecimal() else _MONTHS.index(month[:3]) + 1
    reading.set_date(_year(match["year"]), number, 1)


def _timestamp(reading: Reading, match: re.Match[str]) -> None:
    reading.set_date(1970, 1, 1)
    reading.set_time(0)
    reading.set_zone(UTC)
    reading.seconds += int(match["seconds"])


def _time(reading: Reading, match: re.Match[str]) -> None:
    groups = match.groupdict()
    hour = int(groups["hour"])
    if hour > _LAST_HOUR and _DOTTED.fullmatch(match[0]):
        raise ValueError(NO_DATE)  # The beginning of "31.02.203" is no time of day.
    if half := groups.get("half"):
        if not 1 <= hour <= _NOON:
            raise ValueError("There is no such hour before or after noon.")
        hour = hour % _NOON + (_NOON if half == "p" else 0)
    reading.set_time(hour, int(groups.get("minute") or 0), int(groups.get("second") or 0))


def _figures(reading: Reading, match: re.Match[str]) -> None:
    """Take "1900" behind "22 Nov 2026" for the hour, "2026" behind "22 Nov 19:00" for the year."""
    if reading.has_year():
        _time(reading, match)
    elif len(match[0]) == len("2026"):
        reading.set_year(int(match[0]))
    else:
        raise ValueError(NO_DATE)


def _noon(reading: Reading, _match: re.Match[str]) -> None:
    reading.set_time(_NOON)


def _near_day(reading: Reading, match: re.Match[str]) -> None:
    reading.from_midnight = True
    reading.days += _DAYS_AHEAD[match[0]]


def _counted(reading: Reading, match: re.Match[str]) -> None:
    sign = -1 if match["sign"].count("-") % 2 else 1
    _add(reading, match["unit"], sign * int(match["number"]))


def _worded(reading: Reading, match: re.Match[str]) -> None:
    _add(reading, match["unit"], _COUNTS[match["count"]])
    # "sunday next week" is the Sunday in that week, not the first one after seven days.
    reading.in_week |= match[0].endswith("week")


def _add(reading: Reading, unit: str, count: int) -> None:
    field, size = _UNITS[unit]
    setattr(reading, field, getattr(reading, field) + count * size)


def _weekday(reading: Reading, match: re.Match[str]) -> None:
    count = match.groupdict().get("count") or "this"
    reading.set_weekday(_COUNTS[count], _WEEKDAYS.index(match["weekday"][:3]) + 1)


def _edge_of_month(reading: Reading, match: re.Match[str]) -> None:
    reading.edge = match["edge"]


def _ago(reading: Reading, _match: re.Match[str]) -> None:
    reading.reverse()


def _now(_reading: Reading, _match: re.Match[str]) -> None:
    """Leave everything open."""


def _offset(reading: Reading, match: re.Match[str]) -> None:
    reading.set_zone(zone_of(match["offset"]))


def _zone(reading: Reading, match: re.Match[str]) -> None:
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
_RULES: tuple[tuple[re.Pattern[str], Callable[[Reading, re.Match[str]], None]], ...] = tuple(
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
