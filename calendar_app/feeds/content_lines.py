"""Values, content lines and time zones of iCalendar (RFC 5545)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta, tzinfo
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from calendar_app.domain.zones import ClockChange, ZoneRule, changes, ruled

if TYPE_CHECKING:
    from icalendar import Timezone
    from icalendar.cal.component import Component

# icalendar is loaded late: it takes three megabytes, and most workers serve no feed of it.

# Backslashes first, since the other escapes add some.
_ESCAPES = (
    ("\\", r"\\"),
    (";", r"\;"),
    (",", r"\,"),
    ("\r\n", r"\n"),
    ("\r", r"\n"),
    ("\n", r"\n"),
)

# The pattern of HTML's email inputs.
_MAIL_ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
    r"(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*"
)
_IN_MAILTO = "@!$'*+"


class Value:
    """An encoded value; ``parameters`` follow the property's name."""

    __slots__ = ("octets", "parameters")

    def __init__(self, value: str, parameters: Iterable[tuple[str, str]] = ()) -> None:
        self.octets = value.encode()
        self.parameters = _encode_parameters(tuple(parameters))


@lru_cache(maxsize=1024)
def _encode_parameters(parameters: tuple[tuple[str, str], ...]) -> bytes:
    """Encode parameters, each behind a semicolon."""
    if not parameters:
        return b""
    from icalendar.parser import Parameters  # noqa: PLC0415

    return b";" + bytes(Parameters(dict(parameters)).to_ical())


def text(words: str, language: str = "", **parameters: str) -> Value:
    """Return a text; ``language`` is empty if it has none."""
    language_parameter = {"LANGUAGE": language} if language else {}
    return Value(escape_text(words), (parameters | language_parameter).items())


def texts(several: Iterable[str], language: str) -> Value:
    """Return several texts as one value."""
    return Value(",".join(escape_text(words) for words in several), [("LANGUAGE", language)])


def uri(address: str, **parameters: str) -> Value:
    """Return a URI, without line breaks."""
    return Value("".join(address.split()), parameters.items())


def is_mail_address(text: str) -> bool:
    """Return whether a text is one e-mail address in ASCII."""
    return _MAIL_ADDRESS.fullmatch(text) is not None


def mailto(address: str, **parameters: str) -> Value:
    """Return a mailto URI, with reserved characters encoded."""
    return Value(f"mailto:{quote(address, safe=_IN_MAILTO)}", parameters.items())


def utc_datetime(instant: datetime) -> Value:
    """Return a naive UTC time as a UTC date-time."""
    return Value(f"{_datetime_text(instant)}Z")


def local_datetime(wall: datetime, tzid: str) -> Value:
    """Return a local time with its TZID."""
    return Value(_datetime_text(wall), [("TZID", tzid)])


def date_value(day: date) -> Value:
    """Return a date."""
    return Value(f"{day.year:04}{day:%m%d}", [("VALUE", "DATE")])


def escape_text(words: str) -> str:
    """Escape a text (RFC 5545 section 3.3.11)."""
    for character, escape in _ESCAPES:
        words = words.replace(character, escape)
    return words


def _datetime_text(value: datetime) -> str:
    return f"{value.year:04}{value:%m%dT%H%M%S}"


# Content lines of iCalendar (RFC 5545 section 3.1).
#
# ``icalendar``'s own folding takes most of the time of a feed.

_LINE_END = b"\r\n"
_FOLD = b"\r\n "
_LONGEST = 75  # octets, without the end of the line
_SHORTEST = 40
_CONTINUATION_MASK, _CONTINUATION = 0b1100_0000, 0b1000_0000  # of an octet of UTF-8


def lines(component: "Component") -> bytes:
    """Return the bytes of a component."""
    return b"".join(fold(_line(*item)) + _LINE_END for item in component.property_items())


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


# A zone as a VTIMEZONE (RFC 5545 section 3.6.5).
#
# ``icalendar``'s own VTIMEZONE begins summer time an hour late: it uses the local time after the
# change, where RFC 5545 requires that before it.

# Every feed has the same years, since clients cache a zone by its name. After the last year the
# rule continues, if the zone has one.
_FIRST_YEAR, LAST_YEAR = 1970, 2100


def is_utc(zone: tzinfo) -> bool:
    """Return whether a zone is UTC, which needs no VTIMEZONE."""
    return zone.utcoffset(None) == timedelta()


def tzid_of(zone: tzinfo) -> str:
    """Return the name of a zone: ``Europe/Zurich``, or ``UTC+05:30`` for an offset."""
    return str(getattr(zone, "key", None) or zone.tzname(None))


def vtimezone(zone: tzinfo, first: int) -> "Timezone":
    """Return the zone with all its transitions, from before the year ``first``."""
    return _build(tzid_of(zone), zone, min(first - 1, _FIRST_YEAR))


# The name is part of the key, since fixed offsets with different names are equal.
@lru_cache(maxsize=1024)
def _build(tzid: str, zone: tzinfo, first: int) -> "Timezone":
    from icalendar import Timezone  # noqa: PLC0415

    component = Timezone()
    component.add("tzid", tzid)
    similar = groupby(
        sorted(changes(zone, first, LAST_YEAR), key=_sort_key),
        key=lambda change: (change.before, change.after),
    )
    for _, group in similar:
        for observance in _observances(list(group)):
            component.add_component(observance)
    return component


def _sort_key(change: ClockChange) -> tuple[object, ...]:
    return (change.before, change.after, change.onset)


def _observances(similar: Sequence[ClockChange]) -> Iterator["Component"]:
    """Yield transitions between the same offsets: single dates, then a rule.

    A rule that ended before the last year is listed as dates, since an RRULE would continue.
    """
    walls = [change.wall for change in similar]
    goes_on = similar[-1].onset.year == LAST_YEAR
    at, rule = ruled(walls) if goes_on else (len(walls), {})
    if at:
        yield _observance(similar[0], walls[:at], {})
    if rule:
        yield _observance(similar[0], walls[at : at + 1], rule)


def _observance(change: ClockChange, walls: Sequence[datetime], rule: ZoneRule) -> "Component":
    from icalendar import TimezoneDaylight, TimezoneStandard, vRecur  # noqa: PLC0415

    component = TimezoneDaylight() if change.after.daylight else TimezoneStandard()
    component.add("dtstart", walls[0])
    component.add("tzoffsetfrom", change.before.offset)
    component.add("tzoffsetto", change.after.offset)
    component.add("tzname", change.after.name)
    if rule:
        component.add("rrule", vRecur(dict(rule)))
    # One per line, and DTSTART again: some clients read only the first of a list, and ical.js
    # ignores DTSTART beside RDATE.
    for wall in walls if len(walls) > 1 else ():
        component.add("rdate", [wall])
    return component
