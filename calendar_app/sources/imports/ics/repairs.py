"""Content lines that are nearly right, put right before a component is parsed.

Programs write times of other notations, quotes with a backslash, and lines that they do not fold.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from icalendar.prop import TypesFactory

# A quoted value of a parameter may hold what ends one elsewhere, and a quote behind a backslash.
_LINE = re.compile(
    r'(?P<name>[A-Za-z0-9-]+)(?P<parameters>(?:;(?:[^:"\\]|\\.|"(?:[^"\\]|\\.)*+")*+)?):(?P<value>.*)',
    re.DOTALL,
)
_ESCAPED_QUOTE = re.compile(r'(?<!\\)\\"')
_TIMES = frozenset({"DTSTART", "DTEND", "RECURRENCE-ID", "EXDATE", "RDATE"})
_TIME = re.compile(
    r"(?P<day>\d{4}-?\d\d-?\d\d)"
    r"(?:[Tt ](?P<hour>\d\d):?(?P<minute>\d\d)(?::?(?P<second>\d\d)(?:[.,]\d+)?)?"
    r" ?(?P<offset>[Zz]|[+-]\d\d:?\d\d)?)?",
    re.ASCII,
)
_KIND = re.compile(r";VALUE=(?:DATE|DATE-TIME)(?=;|$)", re.IGNORECASE)
_ZONE = re.compile(r';TZID=(?:"[^"]*"|[^;"]*)', re.IGNORECASE)
_MIDNIGHT = "24"
# Of RFC 7986, 9073 and 9253; the library reads them as texts.
_TEXTS = frozenset({"CALENDAR-ADDRESS", "COLOR", "NAME", "STRUCTURED-DATA", "STYLED-DESCRIPTION"})


def repaired(component: str) -> tuple[str, list[str]]:
    """Return the repaired content lines of a component, and the lines without a property."""
    lines: list[str] = []
    strays: list[str] = []
    for line in component.split("\r\n"):
        match = _LINE.fullmatch(line)
        if not line or (match and _is_property(match["name"])):
            lines.append(_repaired(match) if match else line)
        else:
            strays.append(line)
    return "\r\n".join(lines), strays


def _is_property(name: str) -> bool:
    known = name.upper() in _TEXTS or name in TypesFactory.types_map
    return known or name.upper() in ("BEGIN", "END") or name[:2].upper() == "X-"


def _repaired(line: re.Match[str]) -> str:
    name, parameters, value = line.groups()
    # RFC 6868: a quote inside of a quoted value.
    parameters = _ESCAPED_QUOTE.sub("^'", parameters)
    if name.upper() in _TIMES:
        parameters, value = _with_times(parameters, value)
    return f"{name}{parameters}:{value}"


def _with_times(parameters: str, value: str) -> tuple[str, str]:
    """Return parameters and value of a property with times in the notation of RFC 5545."""
    matches = [_TIME.fullmatch(each.strip()) for each in value.split(",")]
    if not all(matches):
        return parameters, value
    times = [*_times(filter(None, matches))]
    kinds = {"T" in each for each in times}
    # A kind that contradicts the value is an oversight: the value was meant.
    if kinds == {"DATE-TIME" not in parameters.upper()} and _KIND.search(parameters):
        parameters = _KIND.sub("", parameters)
    if any(match and match["offset"] for match in matches):
        parameters = _ZONE.sub("", parameters)
    return parameters, ",".join(times)


def _times(matches: Iterator[re.Match[str]]) -> Iterator[str]:
    for match in matches:
        day = match["day"].replace("-", "")
        if match["hour"] is None:
            yield day
        else:
            yield _time(day, match)


def _time(day: str, match: re.Match[str]) -> str:
    """Return a time in basic notation, in UTC where it has an offset; 24:00 is the next day."""
    hour, clock = match["hour"], f"{match['minute']}{match['second'] or '00'}"
    offset = (match["offset"] or "").upper()
    is_late = hour == _MIDNIGHT and clock == "0000"
    try:
        wall = datetime.strptime(f"{day}{'00' if is_late else hour}{clock}", "%Y%m%d%H%M%S")  # noqa: DTZ007
        wall += timedelta(days=is_late)
        if offset not in ("", "Z"):
            wall = datetime.fromisoformat(f"{wall.isoformat()}{offset}").astimezone(UTC)
    except (ValueError, OverflowError):
        return match[0]
    return f"{wall:%Y%m%dT%H%M%S}{'Z' if offset else ''}"
