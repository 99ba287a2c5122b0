r"""A component of iCalendar as the lines of a file (RFC 5545 section 3.1).

``icalendar`` writes lines too, and escapes texts, but takes most of the time for that,
and takes ``\N`` in a text, as in a path of Windows, for the end of a line.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Self

from icalendar import vText
from icalendar.cal.component import Component
from icalendar.prop import vInline

_END = b"\r\n"
_FOLD = b"\r\n "
_LONGEST = 75  # octets, without the end of the line
_SHORTEST = 40
_LEADING, _GOING_ON = 0b1100_0000, 0b1000_0000  # of an octet of UTF-8
# The first one first, since the others make more of it.
_ESCAPES = (
    ("\\", r"\\"),
    (";", r"\;"),
    (",", r"\,"),
    ("\r\n", r"\n"),
    ("\r", r"\n"),
    ("\n", r"\n"),
)


class Text(vText):
    """A text; ``language`` is the one that it is written in, where it is in any."""

    def __new__(cls, text: str, language: str = "", **parameters: str) -> Self:
        if language:
            parameters["LANGUAGE"] = language
        return super().__new__(cls, text, params=dict(parameters))

    def to_ical(self) -> bytes:
        """Return the text escaped as RFC 5545 section 3.3.11 has it."""
        return escaped(self).encode()


def texts(several: Iterable[str], language: str) -> vInline:
    """Return several texts as one value."""
    return vInline(",".join(escaped(text) for text in several), params={"LANGUAGE": language})


def escaped(text: str) -> str:
    for written, escape in _ESCAPES:
        text = text.replace(written, escape)
    return text


def utc(instant: datetime) -> vInline:
    """Return an instant, naive in UTC, as a time of that form."""
    return vInline(f"{_clock(instant)}Z")


def on_the_spot(wall: datetime, tzid: str) -> vInline:
    """Return what clocks in a zone show."""
    return vInline(_clock(wall), params={"TZID": tzid})


def _clock(shown: datetime) -> str:
    return f"{shown.year:04}{shown:%m%dT%H%M%S}"


def lines(component: Component) -> bytes:
    """Return a component as it stands in a file."""
    return b"".join(folded(_line(*said)) + _END for said in component.property_items())


def _line(name: str, value: Any) -> bytes:
    """Return a property as one line; ``value`` is one of icalendar's, or what it is written as."""
    parameters = getattr(value, "params", None)
    said = value if isinstance(value, bytes) else value.to_ical()
    octets = said if isinstance(said, bytes) else said.encode()
    qualified = b";".join((name.encode(), parameters.to_ical())) if parameters else name.encode()
    return qualified + b":" + octets


def folded(line: bytes) -> bytes:
    """Break a line into pieces of at most 75 octets.

    No character is broken, and nothing that an escape character begins. No piece begins with a
    space, since there are programs that drop a line of nothing else.
    """
    if len(line) <= _LONGEST:
        return line
    pieces, begin, room = [], 0, _LONGEST
    while len(line) - begin > room:
        end = _break(line, begin, begin + room)
        pieces.append(line[begin:end])
        # From the second piece on, the space in front takes one octet.
        begin, room = end, _LONGEST - 1
    pieces.append(line[begin:])
    return _FOLD.join(pieces)


def _break(line: bytes, begin: int, latest: int) -> int:
    """Return where to break; where a good place is too far back, between two characters."""
    for end in range(latest, begin + _SHORTEST, -1):
        if not _inside(line[end]) and line[end] not in b" \t" and line[end - 1] not in b"\\^":
            return end
    while _inside(line[latest]):
        latest -= 1
    return latest


def _inside(octet: int) -> bool:
    """Say whether an octet of UTF-8 goes on with a character."""
    return octet & _LEADING == _GOING_ON
