r"""Property values of iCalendar (RFC 5545 section 3.3).

``icalendar``'s own values are slow, and read ``\N`` in a text, as in a Windows path, as a line
break.
"""

import re
from collections.abc import Iterable
from datetime import date, datetime
from functools import lru_cache
from urllib.parse import quote

from icalendar.parser import Parameters

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
    return b";" + bytes(Parameters(dict(parameters)).to_ical()) if parameters else b""


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
