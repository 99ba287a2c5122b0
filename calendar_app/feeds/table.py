"""A feed as CSV (RFC 4180), for spreadsheets."""

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Any

from calendar_app.feeds.entry import Entry
from calendar_app.feeds.feed import Feed
from calendar_app.feeds.properties import NAMES, properties

# With one of these in front, spreadsheets take a text for something to work out.
_WORKED_OUT = ("=", "+", "-", "@", "\t", "\r", "\n")
_TEXT_MARK = "'"


def head(feed: Feed) -> bytes:
    """Return the names of the columns; that there is more, a table cannot say."""
    del feed
    return _line(NAMES)


def body(entries: Iterator[Entry]) -> Iterator[bytes]:
    """Yield the lines one by one."""
    for entry in entries:
        yield _line(_cell(value) for value in properties(entry).values())


def _cell(value: Any) -> Any:
    """Return a value as it stands in a table; a text is never worked out, where it came from."""
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
            return f"{_TEXT_MARK}{text}" if text.startswith(_WORKED_OUT) else text


def _line(cells: Any) -> bytes:
    line = StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue().encode()
