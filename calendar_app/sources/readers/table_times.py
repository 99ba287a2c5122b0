"""When an event of a table takes place, as people and programs write it in one cell or several."""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from calendar_app.domain.kind import Record
from calendar_app.domain.moments import parse_moment
from calendar_app.domain.texts.written_dates import dated_day, read_clock
from calendar_app.domain.words import fold
from calendar_app.errors import Message
from calendar_app.sources.imports.ics.zones import iana_name
from calendar_app.sources.readers.records import Reading, times, today

YES = frozenset({"1", "-1", "x", "true", "yes", "ja", "oui", "si", "gea", "wahr", "vrai", "vero"})
_ALL_DAY = frozenset(
    {"ganztagig", "ganzer tag", "ganztags", "all day", "journee entiere", "toute la journee"}
    | {"tutto il giorno", "giornata intera", "entir di"}
)
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})(?:/\d{2,4})?\b.*", re.DOTALL)
_HALF_DAY = re.compile(r"\d\s*[ap]\.?m\b", re.IGNORECASE)
_MONTHS = 12
_CLOCK_BEHIND = re.compile(
    r"(?P<day>.*?\S)[\s,]+(?P<clock>\S*\d[:.h]\d\d\S*(?:\s*[ap]\.?m\.?)?"
    r"(?:\s*(?:uhr|h))?|\d{1,2}\s*(?:uhr|h|[ap]\.?m\.?))",
    re.IGNORECASE,
)
_MACHINE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?|\d{8}T\d{6}Z?|\d{9,}")
_BETWEEN = re.compile(r"\s*[\u2013\u2014]\s*|\s+(?:-|bis|to|until|au|al|fin)\s+|(?<=\d)-(?=\d)")
# "1.-3.5.2027": the first day has the month and the year of the second.
_SHORT_RANGE = re.compile(
    r"(?P<first>\d{1,2})\.?\s*(?:[-\u2013+]|bis|und|et|e)\s*(?P<last>\d{1,2})(?P<rest>\..+)",
    re.IGNORECASE,
)
_LONGEST = 100  # characters of a cell, with which the patterns' time grows by their cube
_DAY = timedelta(days=1)

TableRow = Mapping[str, str]


class _Span(NamedTuple):
    """A start and an end, as a cell has them; either may be missing."""

    start: str
    end: str


def is_month_first(rows: Iterable[TableRow]) -> bool:
    """Return whether the days of a table put the month first, as in 12/31/2026.

    Where every day would do either way, clocks with am and pm say so.
    """
    is_american = False
    for row in rows:
        for field in ("start", "end"):
            if match := _SLASHED.fullmatch(row.get(field, "").strip()):
                if int(match[1]) > _MONTHS:
                    return False
                texts = (row.get(field, ""), row.get(f"{field}_time", ""))
                is_american |= int(match[2]) > _MONTHS or any(map(_HALF_DAY.search, texts))
    return is_american


def times_of(row: TableRow, reading: Reading, *, month_first: bool) -> Record:
    """Return the changes of the times of a row; raise ``ValueError`` with the column and why."""
    zone = row.get("timezone", "")
    name = iana_name(zone) if zone else reading.timezone
    if not name:
        raise ValueError(Message("timezone is unknown: {zone}", zone=zone))
    row, is_whole = _parted(row, reading, month_first=month_first)
    moments = _Moments(row, reading, month_first=month_first)
    start = moments.read("start")
    end = moments.read("end", day=start)
    if start is None:
        raise ValueError("It has no start.")
    if is_whole:
        return times(*_whole_days(start, end), name)
    if isinstance(start, datetime) and isinstance(end, datetime) and not end.tzinfo:
        end = end.replace(tzinfo=start.tzinfo)
    return times(start, end, name)


def _whole_days(start: date, end: date | None) -> tuple[date, date | None]:
    """Return the first and the last day; Outlook ends at midnight after the last one."""
    first = start.date() if isinstance(start, datetime) else start
    if isinstance(end, datetime):
        last = end.date() - _DAY if end.time() == time.min else end.date()
        return first, max(first, last)
    return first, end


def _parted(row: TableRow, reading: Reading, *, month_first: bool) -> tuple[TableRow, bool]:
    """Return a row with start and end apart, and whether it is about whole days."""
    cells = dict(row)
    is_whole = fold(row.get("all_day", "")) in YES
    for field in ("start_time", "end_time"):
        if fold(row.get(field, "")) in _ALL_DAY:
            cells[field], is_whole = "", True
    if not row.get("end_time") and (span := _clocks_of(row.get("start_time", ""))):
        cells["start_time"], cells["end_time"] = span
    if not row.get("end") and (span := _days_of(row["start"], reading, month_first=month_first)):
        cells["start"], cells["end"] = span
    return cells, is_whole


def _clocks_of(text: str) -> _Span | None:
    """Return two times of day in one cell: 19:30-21:00."""
    parts = _BETWEEN.split(text) if len(text) <= _LONGEST else []
    if len(parts) != 2:  # noqa: PLR2004  # a start and an end
        return None
    with suppress(ValueError):
        return _Span(*(f"{read_clock(part):%H:%M}" for part in parts))
    return None


def _days_of(text: str, reading: Reading, *, month_first: bool) -> _Span | None:
    """Return two days in one cell: 1.5.2027 - 3.5.2027, or 1.-3.5.2027."""
    if len(text) > _LONGEST:
        return None
    short = _SHORT_RANGE.fullmatch(text.strip())
    parts = (
        [f"{short['first']}{short['rest']}", f"{short['last']}{short['rest']}"]
        if short
        else _BETWEEN.split(text)
    )
    languages = (reading.language, *reading.languages)
    if len(parts) != 2:  # noqa: PLR2004  # a start and an end
        return None
    with suppress(ValueError):
        days = [
            dated_day(part, languages, today(reading), month_first=month_first) for part in parts
        ]
        return _Span(*(day.isoformat() for day in days))
    return None


class _Moments:
    """Reads the days and times in the cells of a row."""

    def __init__(self, row: TableRow, reading: Reading, *, month_first: bool) -> None:
        self._row = row
        self._reading = reading
        self._month_first = month_first

    def read(self, field: str, *, day: date | None = None) -> date | datetime | None:
        """Return a day, or a time of a day.

        An end may be a time alone, on the ``day`` of the start. Raises ``ValueError`` with the
        name of the column and the reason.
        """
        text, clock = self._row.get(field, ""), self._row.get(f"{field}_time", "")
        if not text and not (clock and day):
            return None
        if len(text) + len(clock) > _LONGEST:
            raise ValueError(
                Message(
                    "{field} cannot be read: it is longer than {number} characters.",
                    field=field,
                    number=_LONGEST,
                )
            )
        try:
            return self._moment(text, clock, day)
        except ValueError as error:
            words = f"{text} {clock}".strip()
            raise ValueError(
                Message(
                    "{field} cannot be read: {words}. {reason}",
                    field=field,
                    words=words,
                    reason=error,
                )
            ) from error

    def _moment(self, text: str, clock: str, day: date | None) -> date | datetime | None:
        if text and _MACHINE.fullmatch(text) and not clock:
            return self._from_program(text)
        if clock:
            # A date of Excel that is shown with its midnight, beside the time.
            text = text.removesuffix(" 00:00:00")
        if text and not clock and (match := _CLOCK_BEHIND.fullmatch(text)):
            with suppress(ValueError):
                clock, text = f"{read_clock(match['clock']):%H:%M}", match["day"]
        if text and day and not clock:
            with suppress(ValueError):
                return datetime.combine(day, read_clock(text))
        if text:
            # A table is read again tomorrow, and then "tomorrow" is another day.
            languages = (self._reading.language, *self._reading.languages)
            day = dated_day(text, languages, today(self._reading), month_first=self._month_first)
        return datetime.combine(day or date.min, read_clock(clock)) if clock else day

    def _from_program(self, text: str) -> date | datetime:
        moment = parse_moment(text, self._reading.clock(), rolls_over=False)
        if len(text) == len("2026-12-24"):
            return moment.wall.date()
        return moment.wall.replace(tzinfo=moment.zone)
