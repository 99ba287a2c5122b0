"""Content negotiation between JSON and JSON-LD.

``Accept`` decides by its quality values (RFC 9110 section 12.5.1). JSON-LD is sent if it is
preferred, or if it is named before JSON with the same quality; in all other cases JSON.
"""

from functools import lru_cache

from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

JSON, JSON_LD = "application/json", "application/ld+json"

_MOST = 100  # headers that are remembered
_Range = tuple[str, float]
# Quality, specificity, negated position.
_Preference = tuple[float, int, int]
_NONE: _Preference = (0.0, 0, 0)


@lru_cache(_MOST)
def preferred_type(accept: str) -> str:
    """Return the media type that ``Accept`` prefers."""
    accepted = parse_accept_header(accept, MIMEAccept)
    ranges = [(_without_parameters(name), quality) for name, quality in accepted]
    return JSON_LD if _preference(JSON_LD, ranges) > _preference(JSON, ranges) else JSON


def _preference(name: str, ranges: list[_Range]) -> _Preference:
    """Return the preference for a media type; the most specific range sets its quality."""
    scopes = {"*/*": 0, f"{name.partition('/')[0]}/*": 1, name: 2}
    matches = [
        (scopes[media_range], -position, quality)
        for position, (media_range, quality) in enumerate(ranges)
        if media_range in scopes
    ]
    scope, position, quality = max(matches, default=(0, 0, 0.0))
    return (quality, scope, position) if quality > 0 else _NONE


def _without_parameters(name: str) -> str:
    """Return a media range in lower case without parameters, for example ``profile``."""
    return name.partition(";")[0].strip().lower()
