"""CSV feed (RFC 4180), for spreadsheets."""

import csv
from io import StringIO
from typing import Any
from unicodedata import category, normalize

from calendar_app.domain.statuses import Stamp
from calendar_app.feeds.feed import Feed
from calendar_app.feeds.properties import NAMES, properties
from calendar_app.readmodel.events import ReadEvent

# Spreadsheets evaluate texts that begin with one of these, also in full width.
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")
# Unicode categories of invisible characters, for example U+200B, and of spaces.
_INVISIBLE = ("Cf", "Mn", "Zs")
_TEXT_MARK = "'"


def head(feed: Feed) -> bytes:
    """Return the header line."""
    del feed
    return _line(NAMES)


def item(event: ReadEvent, _: Stamp, feed: Feed) -> bytes:
    """Return an event as a line."""
    return _line(_cell(value) for value in properties(event, feed.uid_of(event.id)).values())


def _cell(value: Any) -> Any:
    """Return a value as a cell; formulas are escaped."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int() | float():
            return value
        case list():
            return _cell("; ".join(value))
        case _:
            text = str(value)
            return f"{_TEXT_MARK}{text}" if _is_formula(text) else text


def _is_formula(text: str) -> bool:
    """Return whether a spreadsheet may evaluate a text as a formula."""
    visible = (character for character in text if category(character) not in _INVISIBLE)
    return normalize("NFKC", next(visible, "")).startswith(_FORMULA_SIGNS)


def _line(cells: Any) -> bytes:
    line = StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue().encode()
