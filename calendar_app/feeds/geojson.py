"""GeoJSON feed (RFC 7946), for maps."""

import orjson

from calendar_app.feeds.entry import Entry
from calendar_app.feeds.feed import Feed
from calendar_app.feeds.properties import properties

SEPARATOR, END = b",", b"]}"
# What the geometry says already.
_IN_GEOMETRY = {"id", "geo_lat", "geo_lng"}


def head(feed: Feed) -> bytes:
    """Return the bytes before the first feature.

    Name, language and next page are foreign members (RFC 7946 section 6.1).
    """
    collection = {
        "type": "FeatureCollection",
        "name": feed.title,
        "language": feed.language,
        **({"next": feed.next_url} if feed.next_url else {}),
        "features": [],
    }
    return orjson.dumps(collection).removesuffix(END)


def item(entry: Entry) -> bytes:
    """Return an event as a feature; without coordinates it has no geometry."""
    point = {"type": "Point", "coordinates": entry.point} if entry.point else None
    values = {name: v for name, v in properties(entry).items() if name not in _IN_GEOMETRY}
    feature = {
        "type": "Feature",
        "id": entry.event_json["id"],
        "geometry": point,
        "properties": values,
    }
    return orjson.dumps(feature)
