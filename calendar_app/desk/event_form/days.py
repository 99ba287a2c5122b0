"""Days and times of day as people write them in the languages of the site."""

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from functools import lru_cache

from calendar_app.domain.folding import fold
from calendar_app.errors import Message
from calendar_app.pages.wording import locale_of

_ALWAYS = ("en", "de", "fr", "it", "rm")
_YEAR = r"(?P<year>\d{4}|\d{2})"
_IN_FIGURES = (
    re.compile(r"(?P<year>\d{4})[-./](?P<month>\d{1,2})[-./](?P<day>\d{1,2})"),
    re.compile(rf"(?P<day>\d{{1,2}})\s*[-./]\s*(?P<month>\d{{1,2}})\s*(?:[-./]\s*{_YEAR}?)?"),
)
# Little words around a day: "le 1er mai", "ils 12 da matg", "am 5. Mai", "the 5th of May".
_ORDINAL = r"(?:\.|er|re|°|º|st|nd|rd|th)?"
_IN_WORDS = (
    re.compile(
        rf"(?P<day>\d{{1,2}}){_ORDINAL}\s*(?:of |de |da |d')?(?P<name>[a-z]+)\.?"
        rf"(?:\s+(?:de |dal )?{_YEAR})?"
    ),
    re.compile(rf"(?P<name>[a-z]+)\.?\s+(?P<day>\d{{1,2}}){_ORDINAL}(?:\s+{_YEAR})?"),
)
_ARTICLE = re.compile(r"^(?:am|den|der|le|il|lo|l'|ils|ilz|igl|the|on)\s+|^l'")
_CLOCK = re.compile(
    r"(?:um |a |à |alle |ore |las |la |at |ca\. ?)?"
    r"(?P<hour>\d{1,2})\s*(?:(?:[:.h]|uhr|heures?|ore|uras?)\s*(?P<minute>\d{1,2})?)?"
    r"(?:\s*(?:uhr|h|heures?|uras?))?\s*(?P<half>[ap])?\.?m?\.?"
)
_FOUR_FIGURES = re.compile(r"(?P<hour>\d{2})(?P<minute>\d{2})")
_NOON, _CENTURY, _TURN = 12, 2000, 100
NO_DAY = Message("There is no such day.")
NO_TIME = Message("There is no such time of day.")


def parse_day(text: str, today: date, languages: Iterable[str] = ()) -> date | None:
    """Return the day that a text names, or ``None`` for another notation.

    Without a year it is the next one from today on.
    Raises ``ValueError`` for a day that no month has.
    """
    names = _month_numbers(tuple(languages))
    plain = _without_weekday(fold(text).strip(), tuple(languages))
    for pattern in _IN_FIGURES:
        if match := pattern.fullmatch(plain):
            return _day(match["year"], int(match["month"]), int(match["day"]), today)
    for pattern in _IN_WORDS:
        match = pattern.fullmatch(plain)
        if match and match["name"] in names:
            return _day(match["year"], names[match["name"]], int(match["day"]), today)
    return None


def parse_clock(text: str) -> time | None:
    """Return the time of day that a text names, or ``None`` for another notation.

    Raises ``ValueError`` for a time that no day has.
    """
    plain = fold(text).strip()
    match = _FOUR_FIGURES.fullmatch(plain) or _CLOCK.fullmatch(plain)
    if match is None:
        return None
    hour, half = int(match["hour"]), match.groupdict().get("half")
    if half and not 1 <= hour <= _NOON:
        raise ValueError(NO_TIME)
    if half:
        hour = hour % _NOON + (_NOON if half == "p" else 0)
    try:
        return time(hour, int(match["minute"] or 0))
    except ValueError as error:
        raise ValueError(NO_TIME) from error


def is_clock(text: str) -> bool:
    """Return whether a text names a time that a day has."""
    try:
        return parse_clock(text) is not None
    except ValueError:
        return False


def day_text(day: date, language: str) -> str:
    """Return a day in figures, as the language writes it and ``parse_day`` reads it."""
    return f"{day:%Y-%m-%d}" if language.startswith("en") else f"{day:%d.%m.%Y}"


def clock_text(moment: datetime) -> str:
    return f"{moment:%H:%M}"


def _day(year: str | None, month: int, day: int, today: date) -> date:
    try:
        if year:
            number = int(year)
            return date(number + (_CENTURY if number < _TURN else 0), month, day)
        this_year = date(today.year, month, day)
        return this_year if this_year >= today else date(today.year + 1, month, day)
    except ValueError as error:
        raise ValueError(NO_DAY) from error


def _without_weekday(text: str, languages: tuple[str, ...]) -> str:
    first, _, rest = text.partition(" ")
    text = rest.strip() if first.strip(",.") in _weekdays(languages) else text
    return re.sub(r"\s+", " ", _ARTICLE.sub("", text.replace(",", " "))).strip()


@lru_cache(8)
def _month_numbers(languages: tuple[str, ...]) -> Mapping[str, int]:
    """Return the numbers of months by their folded names, wide and short."""
    return {
        fold(name).strip(".").rpartition(" ")[2].rpartition("'")[2]: number
        for language in (*languages, *_ALWAYS)
        for context in ("format", "stand-alone")
        for width in ("wide", "abbreviated")
        for number, name in locale_of(language).months[context][width].items()
    }


@lru_cache(8)
def _weekdays(languages: tuple[str, ...]) -> frozenset[str]:
    return frozenset(
        fold(name).strip(".")
        for language in (*languages, *_ALWAYS)
        for width in ("wide", "abbreviated", "short")
        for name in locale_of(language).days["format"][width].values()
    )
