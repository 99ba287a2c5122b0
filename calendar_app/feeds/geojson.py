"""A feed as GeoJSON (RFC 7946), for maps."""

import orjson

from calendar_app.feeds.entry import Entry
from calendar_app.feeds.feed import Feed
from calendar_app.feeds.properties import properties

SEPARATOR, END = b",", b"]}"
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
    return orjson.dumps(told).removesuffix(END)


def item(entry: Entry) -> bytes:
    """Return an event as a feature; one that is nowhere on the map has no geometry."""
    point = {"type": "Point", "coordinates": entry.point} if entry.point else None
    said = {name: v for name, v in properties(entry).items() if name not in _ELSEWHERE}
    feature = {"type": "Feature", "id": entry.shown["id"], "geometry": point, "properties": said}
    return orjson.dumps(feature)
