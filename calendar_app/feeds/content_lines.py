"""Content lines of iCalendar (RFC 5545 section 3.1).

``icalendar``'s own folding takes most of the time of a feed.
"""

from typing import Any

from icalendar.cal.component import Component

from calendar_app.feeds.values import Value

_END = b"\r\n"
_FOLD = b"\r\n "
_LONGEST = 75  # octets, without the end of the line
_SHORTEST = 40
_CONTINUATION_MASK, _CONTINUATION = 0b1100_0000, 0b1000_0000  # of an octet of UTF-8


def lines(component: Component) -> bytes:
    """Return the bytes of a component."""
    return b"".join(fold(_line(*item)) + _END for item in component.property_items())


def _line(name: str, value: Any) -> bytes:
    """Return a property as one line.

    ``value`` is ours, one of icalendar's, or encoded.
    """
    if isinstance(value, Value):
        return b"%b%b:%b" % (name.encode(), value.parameters, value.octets)
    parameters = getattr(value, "params", None)
    content = value if isinstance(value, bytes) else value.to_ical()
    octets = content if isinstance(content, bytes) else content.encode()
    qualified = b";".join((name.encode(), parameters.to_ical())) if parameters else name.encode()
    return qualified + b":" + octets


def fold(line: bytes) -> bytes:
    """Fold a line into pieces of at most 75 octets.

    No character and no escape sequence is split. No piece begins with a space, since some clients
    drop blank lines.
    """
    if len(line) <= _LONGEST:
        return line
    pieces, begin, length = [], 0, _LONGEST
    while len(line) - begin > length:
        end = _break(line, begin, begin + length)
        pieces.append(line[begin:end])
        # From the second piece on, the space in front takes one octet.
        begin, length = end, _LONGEST - 1
    pieces.append(line[begin:])
    return _FOLD.join(pieces)


def _break(line: bytes, begin: int, latest: int) -> int:
    """Return the best position to fold at, never inside a character."""
    for end in range(latest, begin + _SHORTEST, -1):
        if (
            not _is_continuation(line[end])
            and line[end] not in b" \t"
            and line[end - 1] not in b"\\^"
        ):
            return end
    while _is_continuation(line[latest]):
        latest -= 1
    return latest


def _is_continuation(octet: int) -> bool:
    """Return whether an octet continues a UTF-8 character."""
    return octet & _CONTINUATION_MASK == _CONTINUATION
