"""Points as people paste them: two numbers, or the address of a place on a map of the web."""

import re

_LATITUDE = r"(-?\d{1,2}(?:\.\d+)?)"
_LONGITUDE = r"(-?\d{1,3}(?:\.\d+)?)"
_COMMA = r"(?:,|%2C)\s*"
# What maps of the web and telephones write, the place itself before the middle of what is shown.
_LINKS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"!3d{_LATITUDE}!4d{_LONGITUDE}",
        rf"[?&]mlat={_LATITUDE}&mlon={_LONGITUDE}",
        rf"[?&](?:q|query|ll|destination|daddr|cp)=(?:loc:)?{_LATITUDE}(?:{_COMMA}|~){_LONGITUDE}",
        rf"^geo:{_LATITUDE},{_LONGITUDE}",
        rf"#map=\d+(?:\.\d+)?/{_LATITUDE}/{_LONGITUDE}",
        rf"/@{_LATITUDE},{_LONGITUDE}",
    )
)
_LONGEST = 2000
# "46,85" alone is one number with a decimal comma.
_PAIRS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(-?\d{1,2}\.\d+)\s*[,;\s]\s*(-?\d{1,3}\.\d+)",
        rf"{_LATITUDE}(?:,\s+|\s*;\s*|\s+){_LONGITUDE}",
        r"(-?\d{1,2},\d+)(?:\s*;\s*|,?\s+)(-?\d{1,3},\d+)",
    )
)


def point_in(text: str) -> tuple[str, str] | None:
    """Return latitude and longitude in degrees as texts; ``None`` where a text is no point."""
    text = text[:_LONGEST].strip()
    matches = [*(each.search(text) for each in _LINKS), *(each.fullmatch(text) for each in _PAIRS)]
    match = next(filter(None, matches), None)
    return (match[1].replace(",", "."), match[2].replace(",", ".")) if match else None
