"""The text of an iCalendar file, and the components in it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from calendar_app.domain.addresses import Network
from calendar_app.errors import Message
from calendar_app.sources.charsets import decode
from calendar_app.sources.imports.downloading import Downloader, DownloadError, download_address
from calendar_app.sources.parsed import SourceError


def read_source(source: str, limit: int, permitted: Sequence[Network]) -> bytes:
    """Return the content of a file or an address; raise ``SourceError``.

    Downloads have up to ``limit`` bytes; see ``PublicNetwork`` for ``permitted``.
    """
    address = download_address(source)
    if not address:
        return Path(source).read_bytes()
    with closing(Downloader(limit, permitted, accept="text/calendar, */*")) as downloader:
        try:
            content, _ = downloader.fetch(address)
        except DownloadError as error:
            raise SourceError(
                Message("{address}: {reason}", address=address, reason=error)
            ) from error
    return content


# The text of an iCalendar file: its encoding, and the components in it, each by itself.
#
# A component that no library can parse is then refused alone.

_LINE_END = re.compile(r"\r\n|\n|\r")
_BOUNDARY = re.compile(r"(BEGIN|END):\s*([A-Za-z0-9-]+)\s*", re.IGNORECASE)
# RRULE: and RDATE;VALUE=DATE: say nothing.
_EMPTY = re.compile(r'[\w-]+(?:;[^:"]*(?:"[^"]*"[^:"]*)*)?:\s*')
# Programs write some of them anew at each download.
_UNREAD = re.compile(r"(?:DTSTAMP|CREATED|LAST-MODIFIED)[;:].*", re.IGNORECASE)
_SHOWN_ZONE = re.compile(r"X-WR-TIMEZONE(?:;[^:]*)?:(.*)", re.IGNORECASE)
_CALENDAR, _ZONE, _EVENT = "VCALENDAR", "VTIMEZONE", "VEVENT"
# RFC 5545 knows three components in each other, and drafts four.
_DEEPEST = 20


@dataclass(slots=True)
class CalendarText:
    """A VCALENDAR: its ``X-WR-TIMEZONE``, and each VTIMEZONE and VEVENT as content lines.

    They are without the times at which programs wrote them, and events without the components in
    them, such as alarms. ``other_components`` counts those of other kinds, such as tasks.
    """

    zone: str = ""
    zones: list[str] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    other_components: Counter[str] = field(default_factory=Counter)


def split(content: bytes) -> list[CalendarText]:
    """Return the calendars of a file; raise ``SourceError`` if it is none, or is cut off."""
    calendars, cut = split_partly(content)
    if cut:
        raise SourceError(cut)
    return calendars


def split_partly(content: bytes) -> tuple[list[CalendarText], str]:
    """Return the calendars of a file, and where it is cut off, empty if it is not.

    Raises ``SourceError`` if it is no calendar.
    """
    splitter = _Splitter()
    for number, line in _lines(decode(content)):
        splitter.take(number, line)
    return splitter.calendars, splitter.cut


class _Splitter:
    """Takes a file line by line; ``_open`` has name and line of each component not yet ended."""

    def __init__(self) -> None:
        self._calendars: list[CalendarText] = []
        self._open: list[tuple[str, int]] = []
        self._component: list[str] = []

    def take(self, number: int, line: str) -> None:
        boundary = _BOUNDARY.fullmatch(line)
        if boundary is None:
            self._take_property(line)
        elif boundary[1].upper() == "BEGIN":
            self._begin(boundary[2].upper(), number, line)
        else:
            self._end(boundary[2].upper(), number, line)

    @property
    def calendars(self) -> list[CalendarText]:
        if not self._calendars:
            raise SourceError("It is not an iCalendar file: there is no VCALENDAR in it.")
        return self._calendars

    @property
    def cut(self) -> str:
        """Return where the file is cut off, empty if it is not."""
        if not self._open:
            return ""
        name, number = self._open[-1]
        return Message(
            "The iCalendar file is cut off: the {name} of line {number} does not end.",
            name=name,
            number=number,
        )

    @property
    def _path(self) -> list[str]:
        return [name for name, _ in self._open]

    def _begin(self, name: str, number: int, line: str) -> None:
        self._open.append((name, number))
        if len(self._open) > _DEEPEST:
            raise SourceError(
                Message(
                    "It is not an iCalendar file: components are nested deeper than {number} "
                    "in line {line}.",
                    number=_DEEPEST,
                    line=number,
                )
            )
        if self._path == [_CALENDAR]:
            self._calendars.append(CalendarText())
        if self._path in ([_CALENDAR, _EVENT], [_CALENDAR, _ZONE]):
            self._component = [line]
        elif self._path[:2] == [_CALENDAR, _ZONE]:
            self._component.append(line)
        elif self._path == [_CALENDAR, name]:
            self._calendars[-1].other_components[name] += 1

    def _take_property(self, line: str) -> None:
        path = self._path
        in_zone = path[:2] == [_CALENDAR, _ZONE]
        if _UNREAD.fullmatch(line):
            return
        if in_zone or (path == [_CALENDAR, _EVENT] and not _EMPTY.fullmatch(line)):
            self._component.append(line)
        elif path == [_CALENDAR] and (zone := _SHOWN_ZONE.fullmatch(line)):
            self._calendars[-1].zone = zone[1].strip()

    def _end(self, name: str, number: int, line: str) -> None:
        if self._open and name != self._open[-1][0] and self._open[-1][0].startswith(name):
            return  # the file is cut off in this line
        if name not in self._path:
            raise SourceError(
                Message(
                    "It is not an iCalendar file: END:{name} in line {number} ends nothing.",
                    name=name,
                    number=number,
                )
            )
        if self._open[-1][0] != name:
            raise SourceError(self._unended())
        path = self._path
        self._open.pop()
        if path[:2] == [_CALENDAR, _ZONE] or path == [_CALENDAR, _EVENT]:
            self._component.append(line)
        if path == [_CALENDAR, _EVENT]:
            self._calendars[-1].events.append("\r\n".join([*self._component, ""]))
        elif path == [_CALENDAR, _ZONE]:
            self._calendars[-1].zones.append("\r\n".join([*self._component, ""]))

    def _unended(self) -> str:
        name, number = self._open[-1]
        return Message(
            "It is not an iCalendar file: the {name} of line {number} does not end.",
            name=name,
            number=number,
        )


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield each content line unfolded, with the number of its first line."""
    pieces: list[str] = []
    first = 0
    for number, line in enumerate(_split_at_ends(text), 1):
        if line[:1] in (" ", "\t") and pieces:
            pieces.append(line[1:])
        elif line.strip():
            if pieces:
                yield first, "".join(pieces)
            pieces, first = [line], number
    if pieces:
        yield first, "".join(pieces)


def _split_at_ends(text: str) -> Iterator[str]:
    """Yield each line; all of a large file at once would take more memory than the file."""
    begin = 0
    for end in _LINE_END.finditer(text):
        yield text[begin : end.start()]
        begin = end.end()
    yield text[begin:]
