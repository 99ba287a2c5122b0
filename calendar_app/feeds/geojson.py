"""A feed as GeoJSON (RFC 7946), for maps."""

from collections.abc import Iterator
from typing import Any

import orjson

from calendar_app.feeds.entry import Entry
from calendar_app.feeds.feed import Feed
from calendar_app.feeds.properties import properties

# What the geometry says already.
_ELSEWHERE = {"id", "geo_lat", "geo_lng"}


def head(feed: Feed) -> bytes:
    """Return all that stands before the first feature.

    What RFC 7946 section 6.1 calls foreign members: the name, the language, and where it goes on.
    """
    told = {
        "type": "FeatureCollection",
        "name": feed.title,
        "language": feed.language,
        **({"next": feed.following} if feed.following else {}),
        "features": [],
    }
    return orjson.dumps(told).removesuffix(b"]}")


def body(entries: Iterator[Entry]) -> Iterator[bytes]:
    """Yield the features one by one, and the end."""
    between = b""
    for entry in entries:
        yield between + orjson.dumps(_feature(entry))
        between = b","
    yield b"]}"


def _feature(entry: Entry) -> dict[str, Any]:
    """Return an event as a feature; one that is nowhere on the map has no geometry."""
    point = {"type": "Point", "coordinates": entry.point} if entry.point else None
    said = {name: v for name, v in properties(entry).items() if name not in _ELSEWHERE}
    return {"type": "Feature", "id": entry.shown["id"], "geometry": point, "properties": said}
