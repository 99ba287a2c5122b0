"""Days and times of day as people write them in forms, in the languages of their readers.

The day comes before the month, as in Europe. In American English the month is first, unless there
are dots; names of months may be shortened. What programs send is read by ``domain/moments.py``.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, time, timedelta
from functools import cache

from babel import Locale, UnknownLocaleError

from calendar_app.domain.words import fold
from calendar_app.errors import Message

_LONGEST = 60
_MOST_YEARS = 9
_SHORTEST_NAME = 3
_ALWAYS = ("en", "de", "fr", "it", "rm")
_PIECE = re.compile(r"\d+|[^\W\d_]+")
_ISO = re.compile(r"(\d{4})([-./])(\d\d?)\2(\d\d?)")
_FIGURES = re.compile(r"(\d{1,2})([-./ ])(\d{1,2})(?:\2(\d{4}|\d{2}))?")
# The day and the month in words, and the year: "31. Dezember 26", "December 31", "Dec 31 2026".
_IN_WORDS = re.compile(
    r"(?:(?P<day>\d{1,2}) m(?: (?P<year>\d{4}|\d{2}))?|m (?P<second>\d{1,2})(?: (?P<last>\d{4}))?)"
)
# What stands around a day: "le 1er mai", "il 1° maggio", "ils 24 da december", "on the 1st of May".
_AROUND_DAYS = re.compile(
    "am|an|auf|den|der|er|il|ils|ilz|igl|la|le|lo|l|du|d|da|de|di|dal|dals|re|st|nd|rd|th|o|of|on|the"
)
_DAYS_AHEAD = {
    **dict.fromkeys(("heute", "aujourd'hui", "oggi", "oz", "today"), 0),
    **dict.fromkeys(("morgen", "demain", "domani", "damaun", "tomorrow"), 1),
    **dict.fromkeys(("ubermorgen", "apres-demain", "dopodomani", "puschdamaun"), 2),
}
# "next Friday", "nächsten Freitag", "vendredi prochain", "venerdì prossimo", "il proxim venderdi".
_NEXT = re.compile(
    r"next|coming|(?:nachste|kommende)[nrs]?|prochaine?|prossim[oa]|proxima?|vegninta?"
)
_WEEK = 7
# Spreadsheets write seconds; no event begins at one.
_CLOCK = re.compile(r"(\d{1,2})(?:\s*[:.h]\s*(\d{2})(?:[:.]\d{2})?)?(?:\s*([ap])\.?\s*m\.?)?")
_SPAN = re.compile(
    r"(?:(?:von|from|de|dalle|da)\s+)?(.+?)"
    r"\s*(?:[-\u2013\u2014]|\b(?:bis|to|until|till|à|alle|fin)\b)\s*(.+)",
    re.IGNORECASE,
)
_HALF = re.compile(r"[ap]\.?\s*m\b", re.IGNORECASE)
_COMPACT_CLOCK = re.compile(r"(\d{1,2})(\d{2})")
_AROUND_CLOCKS = re.compile(
    r"\b(?:um|ab|gegen|uhr|heures?|hrs?|h|des|vers|a(?!\.?\s*m\b)|las?|da|dallas|ore|alle|dalle|ura|uras|at|from"
    r"|ca|circa|o'clock|oras)\b"
)
_NAMED_TIMES = {
    **dict.fromkeys(("mittag", "midi", "mezzogiorno", "mezdi", "noon"), 12),
    **dict.fromkeys(("mitternacht", "minuit", "mezzanotte", "mesanotg", "midnight"), 0),
}
_NOON, _YEAR_FIGURES, _CENTURY = 12, 4, 2000
NO_SUCH_DAY = Message("There is no such day.")
NO_SUCH_TIME = Message("There is no such time of day.")
_NO_TIME = Message("Write the time like this: {example}", example="19:30")


def read_day(
    text: str,
    languages: Sequence[str],
    today: date,
    *,
    month_first: bool = False,
    example: str = "",
) -> date:
    """Return the day that a text names, which may be ``tomorrow`` or ``next Friday``.

    Raises ``ValueError`` as ``dated_day`` does.
    """
    return named_day(text, languages, today) or dated_day(
        text, languages, today, month_first=month_first, example=example
    )


def named_day(text: str, languages: Sequence[str], today: date) -> date | None:
    """Return a day that is named by today or by its weekday alone; ``None`` for others."""
    ahead = _days_ahead(_folded(text), tuple(languages), today)
    return None if ahead is None else today + timedelta(days=ahead)


def dated_day(
    text: str,
    languages: Sequence[str],
    today: date,
    *,
    month_first: bool = False,
    example: str = "",
) -> date:
    """Return the day of a date; without a year it is the next one of that name.

    Raises ``ValueError`` with the reason, for readers; ``example`` is how they write a day.
    """
    folded = _folded(text)
    parts = _parts(folded, tuple(languages), month_first=month_first)
    if parts is None:
        raise ValueError(_no_day(example or ("12/31/2026" if month_first else "31.12.2026")))
    day, month, year = parts
    if not year:
        return _next(day, month, today)
    try:
        return date(int(year) + (0 if len(year) == _YEAR_FIGURES else _CENTURY), month, day)
    except ValueError as error:
        raise ValueError(NO_SUCH_DAY) from error


def read_clock(text: str) -> time:
    """Return the time of day that a text names; raise ``ValueError`` with the reason."""
    folded = _folded(text)
    joined = re.sub(r"(\d)\s*(?:uhr|h|heures?|ura|uras)\s*(\d)", r"\1:\2", folded)
    joined = re.sub(r"(\d)\s*h\b", r"\1", joined)
    bare = " ".join(_AROUND_CLOCKS.sub(" ", joined).split()).removeprefix(". ")
    if bare in _NAMED_TIMES:
        return time(_NAMED_TIMES[bare])
    match = _CLOCK.fullmatch(bare) or _COMPACT_CLOCK.fullmatch(bare)
    if match is None:
        raise ValueError(_NO_TIME)
    hour, minute, *half = match.groups()
    try:
        return time(_hour(int(hour), half[0] if half else None), int(minute or 0))
    except ValueError as error:
        raise ValueError(NO_SUCH_TIME) from error


def _folded(text: str) -> str:
    return fold(text).strip() if len(text) <= _LONGEST else ""


def _no_day(example: str) -> Message:
    return Message("Write the day like this: {example}", example=example)


def is_clock(text: str) -> bool:
    """Return whether a text names a time of day."""
    try:
        read_clock(text)
    except ValueError:
        return False
    return True


def clocks_in(text: str) -> tuple[str, str] | None:
    """Return begin and end of a span of time, as ``19:30`` and ``21:00``; ``None`` for others."""
    match = _SPAN.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    # In 7-8 pm nobody knows which half of the day the first one is in.
    if match is None or bool(_HALF.search(match[1])) < bool(_HALF.search(match[2])):
        return None
    if not all(map(is_clock, match.groups())):
        return None
    begin, end = map(read_clock, match.groups())
    return f"{begin:%H:%M}", f"{end:%H:%M}"


def _hour(hour: int, half: str | None) -> int:
    if half is None:
        return hour
    if not 1 <= hour <= _NOON:
        raise ValueError(NO_SUCH_TIME)
    return hour % _NOON + (_NOON if half == "p" else 0)


def _days_ahead(folded: str, languages: tuple[str, ...], today: date) -> int | None:
    """Return how far a day is ahead that is named by today or by its weekday alone.

    A weekday may be today; the next one is not.
    """
    if folded in _DAYS_AHEAD:
        return _DAYS_AHEAD[folded]
    words = [word for word in _PIECE.findall(folded) if not _AROUND_DAYS.fullmatch(word)]
    names = [word for word in words if not _NEXT.fullmatch(word)]
    weekdays = _names("days", languages).items() if len(names) == 1 else ()
    numbers = {number for name, number in weekdays if _is_short_for(names[0], name)}
    if len(numbers) != 1:
        return None
    first = int(len(names) < len(words))
    return first + (numbers.pop() - today.weekday() - first) % _WEEK


def _parts(
    folded: str, languages: tuple[str, ...], *, month_first: bool
) -> tuple[int, int, str | None] | None:
    """Return day, month and the figures of the year that a text names; ``None`` for no day."""
    months = _months_in(_PIECE.findall(folded), languages)
    if months is None:
        return None
    if not months:
        words_gone = re.sub(r"[^\W\d_]+|,", " ", folded).strip(" .'")
        return _in_figures(re.sub(r"\s*([-./\s])\s*", r"\1", words_gone), month_first=month_first)
    pieces = _PIECE.findall(folded)
    shape = " ".join(
        piece if piece.isdecimal() else "m"
        for piece in pieces
        if piece.isdecimal() or not _AROUND_DAYS.fullmatch(piece)
        if piece.isdecimal() or _month(piece, languages)
    )
    match = _IN_WORDS.fullmatch(shape)
    if match is None or len(months) > 1:
        return None
    return int(match["day"] or match["second"]), months[0], match["year"] or match["last"]


def _in_figures(text: str, *, month_first: bool) -> tuple[int, int, str | None] | None:
    if iso := _ISO.fullmatch(text):
        return int(iso[4]), int(iso[3]), iso[1]
    match = _FIGURES.fullmatch(text)
    if match is None:
        return None
    first, second = int(match[1]), int(match[3])
    if month_first and match[2] != ".":
        first, second = second, first
    return first, second, match[4]


def _months_in(pieces: Iterable[str], languages: tuple[str, ...]) -> list[int] | None:
    """Return the months that words name; ``None`` where a word says nothing here."""
    weekdays, months = _names("days", languages), []
    for piece in pieces:
        if piece.isdecimal() or _AROUND_DAYS.fullmatch(piece):
            continue
        if month := _month(piece, languages):
            months.append(month)
        elif not any(_is_short_for(piece, name) or piece == name[:2] for name in weekdays):
            return None
    return months


def _month(piece: str, languages: tuple[str, ...]) -> int:
    """Return the month that a word names; 0 for none, or for several."""
    names = _names("months", languages).items()
    numbers = {number for name, number in names if _is_short_for(piece, name)}
    return numbers.pop() if len(numbers) == 1 else 0


def _is_short_for(piece: str, name: str) -> bool:
    return piece == name or (len(piece) >= _SHORTEST_NAME and name.startswith(piece))


def _next(day: int, month: int, today: date) -> date:
    """Return the next date with this day and month; 29 February may be some years away."""
    for year in range(today.year, today.year + _MOST_YEARS):
        with suppress(ValueError):
            if date(year, month, day) >= today:
                return date(year, month, day)
    raise ValueError(NO_SUCH_DAY)


@cache
def _names(kind: str, languages: tuple[str, ...]) -> Mapping[str, int]:
    """Return the folded names of months or weekdays in these languages and in ours."""
    names: dict[str, int] = {}
    for language in (*languages, *_ALWAYS):
        with suppress(UnknownLocaleError, ValueError):
            locale = Locale.parse(language, sep="-")
            for context in ("format", "stand-alone"):
                by_number = getattr(locale, kind)[context]["wide"]
                names |= {_PIECE.findall(fold(name))[-1]: n for n, name in by_number.items()}
    return names
