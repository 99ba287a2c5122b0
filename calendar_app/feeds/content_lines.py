r"""A component of iCalendar as the lines of a file (RFC 5545 section 3.1).

``icalendar`` writes lines too, and escapes texts, but takes the most time of a feed for the one,
and takes ``\N`` in a text, as in a path of Windows, for the end of a line.
"""

from typing import Any, Self

from icalendar import vText
from icalendar.cal.component import Component

_END = b"\r\n"
_FOLD = b"\r\n "
_LONGEST = 75  # octets, without the end of the line
_SHORTEST = 40
_LEADING, _GOING_ON = 0b1100_0000, 0b1000_0000  # of an octet of UTF-8
_ESCAPED = str.maketrans({"\\": r"\\", ";": r"\;", ",": r"\,", "\n": r"\n"})


class Text(vText):
    """A text; ``language`` is the one that it is written in, where it is in any."""

    def __new__(cls, text: str, language: str = "", **parameters: str) -> Self:
        if language:
            parameters["LANGUAGE"] = language
        return super().__new__(cls, text, params=dict(parameters))

    def to_ical(self) -> bytes:
        """Return the text escaped as RFC 5545 section 3.3.11 has it."""
        return escaped(self).encode()


def escaped(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_ESCAPED)


def lines(component: Component) -> bytes:
    """Return a component as it stands in a file."""
    unfolded: list[Any] = component.content_lines()
    return b"".join(folded(line.encode()) + _END for line in unfolded if line)


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
