"""The feeds that a list or an event can be subscribed to, and how headers name them (RFC 8288)."""

from collections.abc import Mapping
from types import MappingProxyType

from calendar_app.domain.kind import Kind, Record
from calendar_app.http.request import current

# The media type of every format, by the suffix of its address.
FEED_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "ics": "text/calendar",
        "atom": "application/atom+xml",
        "geojson": "application/geo+json",
        "csv": "text/csv",
    }
)
# Pages of a list are of another size than those of a feed, which has no fields to choose from.
_OF_LISTS = frozenset({"page", "per_page", "_fields", "context"})
# Servers in front of this one take some four kilobytes of headers; each feed repeats the query.
_LONGEST = 2000


def feeds_of_list(kind: Kind, sent: Mapping[str, str]) -> dict[str, str]:
    """Return the addresses of what a list was ``sent`` to select, by suffix."""
    asked = {name: value for name, value in sent.items() if name not in _OF_LISTS}
    addresses = current.addresses()
    if current.language() != addresses.spoken:
        asked.setdefault(current.settings().translation_parameter, current.language())
    return {suffix: addresses.feed(kind.name, suffix, asked) for suffix in FEED_TYPES}


def alternates(shown: Record) -> dict[str, str]:
    """Return the header that names the ``feeds`` of what is ``shown``, if there is room for it."""
    links = ", ".join(
        f'<{address}>; rel="alternate"; type="{FEED_TYPES[suffix]}"'
        for suffix, address in shown.get("feeds", {}).items()
    )
    return {"Link": links} if 0 < len(links) <= _LONGEST else {}
