"""In which form a single record is answered: as JSON, or as JSON-LD for who asks for it.

``Accept`` decides by its quality values (RFC 9110 section 12.5.1). JSON-LD is answered where it is
preferred, or where it is as welcome as JSON and named before it. A client that names neither gets
JSON, and so does one that takes neither.
"""

from functools import lru_cache

from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

JSON, JSON_LD = "application/json", "application/ld+json"

_MOST = 100  # headers that are remembered
_Range = tuple[str, float]
# The quality, how exactly it is named, and how far in front.
_Wish = tuple[float, int, int]
_NONE: _Wish = (0.0, 0, 0)


@lru_cache(_MOST)
def preferred(accept: str) -> str:
    """Return the form that suits a header ``Accept`` best."""
    accepted = parse_accept_header(accept, MIMEAccept)
    ranges = [(_bare(name), quality) for name, quality in accepted]
    return JSON_LD if _wish(JSON_LD, ranges) > _wish(JSON, ranges) else JSON


def _wish(name: str, ranges: list[_Range]) -> _Wish:
    """Return how much a form is wished for; the most specific range gives its quality."""
    scopes = {"*/*": 0, f"{name.partition('/')[0]}/*": 1, name: 2}
    found = [
        (scopes[each], -place, quality)
        for place, (each, quality) in enumerate(ranges)
        if each in scopes
    ]
    scope, place, quality = max(found, default=(0, 0, 0.0))
    return (quality, scope, place) if quality > 0 else _NONE


def _bare(name: str) -> str:
    """Return a media range without its parameters, such as ``profile``, in small letters."""
    return name.partition(";")[0].strip().lower()
