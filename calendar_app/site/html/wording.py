"""Dates, numbers and languages as readers of one language write them (CLDR)."""

import re
from collections.abc import Iterable
from datetime import date, datetime, time
from functools import cache, lru_cache

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_skeleton, format_time
from babel.lists import format_list
from babel.numbers import format_decimal

from calendar_app.domain.texts import directions

Span = tuple[datetime, datetime]
_SOURCE = "en"
_MOST_TEXTS = 1024
_DASH = " \u2013 "
_SHORT_MONTH = re.compile("(?<!M)MMM(?!M)")
_FIRST_OF_MONTH = re.compile(r"\b1(?= [^\W\d]|\u2013)")


direction = directions.direction


@cache
def locale_of(language: str) -> Locale:
    """Return the locale of a language; English where CLDR does not know it."""
    try:
        return Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale.parse(_SOURCE)


@lru_cache(_MOST_TEXTS)
def full_date(day: date, language: str) -> str:
    """Return weekday, day, month and year."""
    return _first_in_french(format_date(day, "full", locale_of(language)), day, language)


@lru_cache(_MOST_TEXTS)
def day_and_month(day: date, language: str) -> str:
    """Return day and month, without the year."""
    text = format_skeleton("MMMMd", day, locale=locale_of(language), fuzzy=True)
    return _first_in_french(text, day, language)


def day_from(day: date, year: int, language: str) -> str:
    """Return day and month, as somebody reads them in a ``year``; else with the year."""
    return (day_and_month if day.year == year else long_date)(day, language)


@lru_cache(_MOST_TEXTS)
def long_date(day: date, language: str) -> str:
    """Return day, month and year."""
    return _first_in_french(format_date(day, "long", locale_of(language)), day, language)


@lru_cache(_MOST_TEXTS)
def short_date(day: date, language: str) -> str:
    """Return a day in little room, with its whole year."""
    return _first_in_french(format_date(day, "medium", locale_of(language)), day, language)


@lru_cache(_MOST_TEXTS)
def month_and_year(day: date, language: str) -> str:
    return str(format_date(day, "LLLL y", locale_of(language)))


@lru_cache(_MOST_TEXTS)
def month_name(day: date, language: str, *, short: bool = False) -> str:
    return str(format_date(day, "LLL" if short else "LLLL", locale_of(language))).rstrip(".")


@lru_cache(_MOST_TEXTS)
def weekday(day: date, language: str, *, short: bool = False) -> str:
    return str(format_date(day, "ccc" if short else "cccc", locale_of(language))).rstrip(".")


@lru_cache(_MOST_TEXTS)
def clock(moment: datetime | time, language: str) -> str:
    """Return hours and minutes."""
    return str(format_time(moment, "short", locale=locale_of(language)))


@lru_cache(_MOST_TEXTS)
def date_range(first: date, last: date, language: str) -> str:
    """Return one day with its weekday, or the first and the last of several."""
    if first == last:
        return full_date(first, language)
    if (first.year, first.month) == (last.year, last.month):
        return _days_of_one_month(first, last, language)
    begins = day_and_month if first.year == last.year else long_date
    return f"{begins(first, language)}{_DASH}{long_date(last, language)}"


@lru_cache(_MOST_TEXTS)
def when(start: datetime, end: datetime, language: str, *, all_day: bool) -> str:
    """Return the time of an event in full."""
    if all_day:
        return date_range(start.date(), end.date(), language)
    if start == end:
        return f"{full_date(start.date(), language)}, {clock(start, language)}"
    if start.date() == end.date():
        return f"{full_date(start.date(), language)}, {hours(start, end, language)}"
    begins, ends = full_date(start.date(), language), full_date(end.date(), language)
    return f"{begins}, {clock(start, language)}{_DASH}{ends}, {clock(end, language)}"


@lru_cache(_MOST_TEXTS)
def short_when(start: datetime, end: datetime, language: str, *, all_day: bool) -> tuple[str, ...]:
    """Return the lines of the time of an event in a table: the day, then hours or the last day."""
    first, last = (short_day(moment.date(), language) for moment in (start, end))
    if start.date() == end.date():
        return (first,) if all_day else (first, hours(start, end, language))
    return (f"{first}{_DASH}".rstrip(), last)


def short_moment(start: datetime, end: datetime, language: str, *, all_day: bool) -> str:
    """Return the time of an event in one line, as messages have it."""
    lines = short_when(start, end, language, all_day=all_day)
    return (", " if start.date() == end.date() else " ").join(lines)


def move(before: Span, after: Span, language: str, *, all_day: bool) -> tuple[str, str]:
    """Return both times of a moved event; the first without their common parts."""
    (start, end), (new_start, new_end) = before, after
    is_same_year = start.year == new_start.year
    day = short_day(start.date(), language, with_year=not is_same_year)
    is_same_time = (start.time(), end.time()) == (new_start.time(), new_end.time())
    first = day if all_day or is_same_time else f"{day}, {hours(start, end, language)}"
    return first, short_moment(new_start, new_end, language, all_day=all_day)


@lru_cache(_MOST_TEXTS)
def short_day(day: date, language: str, *, with_year: bool = True) -> str:
    """Return weekday, day, month and mostly the year in little room."""
    locale, skeleton = locale_of(language), "yMMMEd" if with_year else "MMMEd"
    pattern = str(locale.datetime_skeletons.get(skeleton, ""))
    if "dd-MM" in pattern:
        # CLDR has figures with dashes for Romansh, which nobody writes.
        pattern = "EEE, d MMM y" if with_year else "EEE, d MMM"
    return _first_in_french(str(format_date(day, pattern, locale)), day, language)


@lru_cache(_MOST_TEXTS)
def hours(start: datetime, end: datetime, language: str) -> str:
    """Return the time of day of the start, and of the end where it is another one."""
    if start == end:
        return clock(start, language)
    return f"{clock(start, language)}\u2013{clock(end, language)}"


@lru_cache(_MOST_TEXTS)
def number(value: float, language: str) -> str:
    return str(format_decimal(value, locale=locale_of(language)))


def _first_in_french(text: str, day: date, language: str) -> str:
    """Write the first day of a month as French does, for which CLDR has no pattern: 1er mai."""
    if day.day != 1 or locale_of(language).language != "fr":
        return text
    return _FIRST_OF_MONTH.sub("1er", text, count=1)


def _days_of_one_month(first: date, last: date, language: str) -> str:
    """Return two days of one month, which is named once."""
    locale = locale_of(language)
    formats = locale.interval_formats
    patterns = formats.get("yMMMMd", formats["yMMMd"])["d"]
    days = zip(patterns, (first, last), strict=True)
    text = "".join(
        format_date(day, _SHORT_MONTH.sub("MMMM", pattern).replace("dd", "d"), locale)
        for pattern, day in days
    )
    return _first_in_french(text, first, language)


def enumeration(words: Iterable[str], language: str) -> str:
    """Return words as one list: ``a, b and c``."""
    return str(format_list(list(words), locale=locale_of(language)))


@cache
def language_name(tag: str, language: str) -> str:
    """Return the name of a language in another one, with a capital letter."""
    name = locale_of(tag).get_display_name(locale_of(language)) or tag
    return name[:1].upper() + name[1:]


@cache
def _tags_by_name(language: str) -> dict[str, str]:
    names = locale_of(language).languages
    return {str(name).casefold(): tag.replace("_", "-") for tag, name in names.items()}


def language_named(text: str, language: str) -> str | None:
    """Return the tag of a language by its name in another one."""
    return _tags_by_name(language).get(text.strip().casefold())


@cache
def own_name(language: str) -> str:
    """Return the name of a language in that language."""
    return language_name(language, language)


def first_weekday(language: str) -> int:
    """Return the day with which weeks begin, Monday being 0."""
    return int(locale_of(language).first_week_day)


def hour(number: int) -> time:
    """Return the time at which an hour begins."""
    return time(number)


@cache
def language_in_text(tag: str, language: str) -> str:
    """Return the name of a language as it stands inside a sentence of another one."""
    return str(locale_of(tag).get_display_name(locale_of(language)) or tag)
