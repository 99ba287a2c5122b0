"""Days and times of day as people write them, in the languages of their readers.

The day comes before the month, as in Europe; names of months may be shortened.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, time
from functools import cache

from babel import Locale, UnknownLocaleError

from calendar_app.domain.folding import fold

_LONGEST = 60
_MOST_YEARS = 9
_SHORTEST_NAME = 3
_PIECE = re.compile(r"\d+|[^\W\d_]+")
_ISO = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)")
# What stands around a day: "le 1er mai", "il 1° maggio", "ils 24 da december", "on the 1st of May".
_AROUND_DAYS = re.compile(
    "am|an|auf|den|der|er|il|ils|igl|le|l|du|d|da|de|di|dals|st|nd|rd|th|o|of|on|the"
)
_CLOCK = re.compile(r"(\d{1,2})(?:\s*[:.h]\s*(\d{2}))?(?:\s*([ap])\.?\s*m\.?)?")
_COMPACT_CLOCK = re.compile(r"(\d{1,2})(\d{2})")
_AROUND_CLOCKS = re.compile(
    r"\b(?:um|ab|uhr|heures?|hrs?|h|a|las|dallas|ore|alle|dalle|ura|uras|at|o'clock|oras)\b"
)
_NAMED_TIMES = {
    **dict.fromkeys(("mittag", "midi", "mezzogiorno", "mezdi", "noon"), 12),
    **dict.fromkeys(("mitternacht", "minuit", "mezzanotte", "mesanotg", "midnight"), 0),
}
_NOON, _YEAR_FIGURES, _CENTURY = 12, 4, 2000


def read_day(text: str, languages: Sequence[str], today: date) -> date:
    """Return the day that a text names; without a year it is the next one of that name.

    Raises ``ValueError`` if it is not understood or there is no such day.
    """
    if iso := _ISO.fullmatch(text.strip()):
        return date(*map(int, iso.groups()))
    pieces = _PIECE.findall(fold(text)) if len(text) <= _LONGEST else []
    numbers = [int(piece) for piece in pieces if piece.isdecimal()]
    months = list(_months_in(pieces, tuple(languages)))
    match numbers, months:
        case ([day], [month]) | ([day, month], []):
            return _next(day, month, today)
        case ([day, year], [month]) | ([day, month, year], []):
            return date(_year(year, pieces), month, day)
        case _:
            raise ValueError("The text is no day.")


def read_clock(text: str) -> time:
    """Return the time of day that a text names; raise ``ValueError`` if it names none."""
    folded = fold(text).strip() if len(text) <= _LONGEST else ""
    if folded in _NAMED_TIMES:
        return time(_NAMED_TIMES[folded])
    joined = re.sub(r"(\d)\s*(?:uhr|h|heures?|ura|uras)\s*(\d)", r"\1:\2", folded)
    joined = re.sub(r"(\d)\s*h\b", r"\1", joined)
    bare = " ".join(_AROUND_CLOCKS.sub(" ", joined).split())
    match = _CLOCK.fullmatch(bare) or _COMPACT_CLOCK.fullmatch(bare)
    if match is None:
        raise ValueError("The text is no time of day.")
    hour, minute, *half = match.groups()
    return time(_hour(int(hour), half[0] if half else None), int(minute or 0))


def _hour(hour: int, half: str | None) -> int:
    if half is None:
        return hour
    if not 1 <= hour <= _NOON:
        raise ValueError("There is no such hour before or after noon.")
    return hour % _NOON + (_NOON if half == "p" else 0)


def _months_in(pieces: Iterable[str], languages: tuple[str, ...]) -> Iterable[int]:
    """Yield the months that words name; raise ``ValueError`` for a word that says nothing here."""
    months, weekdays = _names("months", languages), _names("days", languages)
    for piece in pieces:
        if piece.isdecimal() or _AROUND_DAYS.fullmatch(piece):
            continue
        named = {number for name, number in months.items() if _is_short_for(piece, name)}
        if len(named) == 1:
            yield named.pop()
        elif not any(_is_short_for(piece, name) or piece == name[:2] for name in weekdays):
            raise ValueError("The text is no day.")


def _is_short_for(piece: str, name: str) -> bool:
    return piece == name or (len(piece) >= _SHORTEST_NAME and name.startswith(piece))


def _next(day: int, month: int, today: date) -> date:
    """Return the next date with this day and month; 29 February may be some years away."""
    for year in range(today.year, today.year + _MOST_YEARS):
        with suppress(ValueError):
            if date(year, month, day) >= today:
                return date(year, month, day)
    raise ValueError("There is no such day.")


def _year(year: int, pieces: Sequence[str]) -> int:
    figures = len(next(piece for piece in reversed(pieces) if piece.isdecimal()))
    if figures not in (2, _YEAR_FIGURES):
        raise ValueError("A year has two or four figures.")
    return year + _CENTURY if figures < _YEAR_FIGURES else year


@cache
def _names(kind: str, languages: tuple[str, ...]) -> Mapping[str, int]:
    """Return the folded names of months or weekdays in these languages and in English."""
    names: dict[str, int] = {}
    for language in (*languages, "en"):
        with suppress(UnknownLocaleError, ValueError):
            locale = Locale.parse(language, sep="-")
            for context in ("format", "stand-alone"):
                by_number = getattr(locale, kind)[context]["wide"]
                names |= {_PIECE.findall(fold(name))[-1]: n for n, name in by_number.items()}
    return names
