"""A list of sources as a table, a row each: its columns are settings of sources.

A column with a dot, ``defaults.venue``, is a member of a setting. Empty cells say nothing.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from calendar_app.domain.kind import Record
from calendar_app.domain.words import fold
from calendar_app.errors import InvalidParameters, Message
from calendar_app.sources.lists import ListedSource
from calendar_app.sources.parsed import ParsedCalendar, SourceError
from calendar_app.sources.readers.sheets import sheet_of
from calendar_app.sources.readers.table_times import YES
from calendar_app.sources.source import Source

_NEEDED = ("name", "kind")
_NO = frozenset({"no", "false", "0", "nein", "non", "na"})
# What is no text: settings by their usual values, members of settings by their names.
_USUAL = asdict(Source(id=0, name="", kind=""))
_FLAGS = frozenset(name for name, value in _USUAL.items() if isinstance(value, bool))
_NUMBERS = {"defaults.venue", "defaults.organizer"} | {
    name for name, value in _USUAL.items() if isinstance(value, int)
}
_WORDS = frozenset({"filters.words", "filters.without_words", "filters.places"})
_IDS = {"defaults.categories", "defaults.tags"} | {
    name for name, value in _USUAL.items() if isinstance(value, list | tuple)
}


def read_list(content: bytes) -> list[ListedSource]:
    """Return the rows of a table of sources, CSV or an Excel workbook.

    Raises ``InvalidParameters`` where it is none.
    """
    try:
        sheet = sheet_of(content, ParsedCalendar())
        names = [fold(name).strip().replace(" ", "_") for name in sheet.header()]
        rows = [*enumerate(sheet.rows(), 2)]
    except SourceError as error:
        raise InvalidParameters({"file": error.args[0]}) from error
    lacking = [name for name in _NEEDED if name not in names]
    if lacking:
        reason = Message("It has no column {name}.", name=", ".join(lacking))
        raise InvalidParameters({"file": reason})
    return [
        ListedSource(line, _values(dict(zip(names, cells, strict=False))))
        for line, cells in rows
        if any(cell.strip() for cell in cells)
    ]


def _values(cells: Mapping[str, str]) -> Record:
    values: Record = {}
    for path, cell in cells.items():
        text = cell.strip()
        if not path or not text:
            continue
        name, _, member = path.partition(".")
        value = _value(path, text)
        if member:
            values.setdefault(name, {})[member] = value
        else:
            values[name] = value
    return values


def _value(path: str, text: str) -> Any:
    if path in _WORDS | _IDS:
        words = [each.strip() for each in text.split(";") if each.strip()]
        return [*map(_number, words)] if path in _IDS else words
    if path in _FLAGS and fold(text) in {*YES, *_NO}:
        return fold(text) in YES
    return _number(text) if path in _NUMBERS else text


def _number(text: str) -> int | str:
    """Return a whole number, or the text unchanged for the setting to refuse."""
    return int(text) if text.isascii() and text.removeprefix("-").isdecimal() else text
