"""Postal addresses in one line: ``Via Nova 3, 7500 Valdorta``."""

import re
from typing import NamedTuple

# Programs of one line for a place write the town behind the street, and perhaps the country last.
# Each run of white space and commas is gone through once, however long it is.
_LINE = re.compile(
    r"(?P<street>.*?)(?<![\s,])[\s,]*+\b(?:[A-Z]{1,2}-)?(?P<zip>\d{4,5})\s++(?P<town>[^\d,]+)"
    r"(?:,\s*+(?P<country>[^\d,]+))?",
    re.DOTALL,
)


class Postal(NamedTuple):
    """The parts of an address; missing ones are empty."""

    street: str
    zip: str
    town: str
    country: str = ""


def parse_line(text: str) -> Postal | None:
    """Return the parts of an address with a zip and a town; ``None`` for other texts."""
    match = _LINE.fullmatch(text.strip())
    if match is None:
        return None
    street, country = match["street"].strip(" ,"), (match["country"] or "").strip()
    return Postal(street, match["zip"], match["town"].strip(), country)
