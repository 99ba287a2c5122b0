r"""The values of properties of iCalendar, as they are written (RFC 5545 section 3.3).

``icalendar`` has values too, of which every one that is made takes its time, and which take
``\N`` in a text, as in a path of Windows, for the end of a line.
"""

import re
from collections.abc import Iterable
from datetime import date, datetime
from functools import lru_cache
from urllib.parse import quote

from icalendar.parser import Parameters

# The first one first, since the others make more of it.
_ESCAPES = (
    ("\\", r"\\"),
    (";", r"\;"),
    (",", r"\,"),
    ("\r\n", r"\n"),
    ("\r", r"\n"),
    ("\n", r"\n"),
)

# What HTML takes for one, too.
_MAIL_ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
    r"(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*"
)
_IN_MAILTO = "@!$'*+"


class Value:
    """A value that is written as ``octets``; ``parameters`` stand behind the property's name."""

    __slots__ = ("octets", "parameters")

    def __init__(self, written: str, parameters: Iterable[tuple[str, str]] = ()) -> None:
        self.octets = written.encode()
        self.parameters = _qualified(tuple(parameters))


@lru_cache(maxsize=1024)
def _qualified(parameters: tuple[tuple[str, str], ...]) -> bytes:
    """Return parameters as they are written, each behind a semicolon."""
    return b";" + bytes(Parameters(dict(parameters)).to_ical()) if parameters else b""


def text(words: str, language: str = "", **parameters: str) -> Value:
    """Return a text; ``language`` is the one that it is written in, where it is in any."""
    said = {"LANGUAGE": language} if language else {}
    return Value(escaped(words), (parameters | said).items())


def texts(several: Iterable[str], language: str) -> Value:
    """Return several texts as one value."""
    return Value(",".join(escaped(words) for words in several), [("LANGUAGE", language)])


def uri(address: str, **parameters: str) -> Value:
    """Return an address; it has no ends of lines."""
    return Value("".join(address.split()), parameters.items())


def is_mail_address(written: str) -> bool:
    """Say whether a text is one address of e-mail, in ASCII."""
    return _MAIL_ADDRESS.fullmatch(written) is not None


def mailto(address: str, **parameters: str) -> Value:
    """Return an address of e-mail; what has a meaning in other addresses is encoded."""
    return Value(f"mailto:{quote(address, safe=_IN_MAILTO)}", parameters.items())


def utc(instant: datetime) -> Value:
    """Return an instant, naive in UTC, as a time of that form."""
    return Value(f"{_clock(instant)}Z")


def on_the_spot(wall: datetime, tzid: str) -> Value:
    """Return what clocks in a zone show."""
    return Value(_clock(wall), [("TZID", tzid)])


def on_day(day: date) -> Value:
    """Return a day."""
    return Value(f"{day.year:04}{day:%m%d}", [("VALUE", "DATE")])


def escaped(words: str) -> str:
    """Return a text escaped as RFC 5545 section 3.3.11 has it."""
    for written, escape in _ESCAPES:
        words = words.replace(written, escape)
    return words


def _clock(shown: datetime) -> str:
    return f"{shown.year:04}{shown:%m%dT%H%M%S}"
