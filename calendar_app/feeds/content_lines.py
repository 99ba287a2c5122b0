"""A component of iCalendar as the lines of a file (RFC 5545 section 3.1).

``icalendar`` writes lines too, but takes most of the time of a feed to break them.
"""

from typing import Any

from icalendar.cal.component import Component

from calendar_app.feeds.values import Value

_END = b"\r\n"
_FOLD = b"\r\n "
_LONGEST = 75  # octets, without the end of the line
_SHORTEST = 40
_LEADING, _GOING_ON = 0b1100_0000, 0b1000_0000  # of an octet of UTF-8


def lines(component: Component) -> bytes:
    """Return a component as it stands in a file."""
    return b"".join(folded(_line(*said)) + _END for said in component.property_items())


def _line(name: str, value: Any) -> bytes:
    """Return a property as one line.

    ``value`` is one of ours, one of icalendar's, or what it is written as.
    """
    if isinstance(value, Value):
        return b"%b%b:%b" % (name.encode(), value.parameters, value.octets)
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
