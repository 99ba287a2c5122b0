"""GeoJSON feed (RFC 7946), for maps."""

import orjson

from calendar_app.domain.statuses import Stamp
from calendar_app.feeds.feed import Feed
from calendar_app.feeds.properties import properties
from calendar_app.readmodel.events import ReadEvent

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


def item(event: ReadEvent, _: Stamp, feed: Feed) -> bytes:
    """Return an event as a feature; without coordinates it has no geometry."""
    point = {"type": "Point", "coordinates": event.point} if event.point else None
    uid = feed.uid_of(event.id)
    values = {n: value for n, value in properties(event, uid).items() if n not in _IN_GEOMETRY}
    feature = {
        "type": "Feature",
        "id": event.id,
        "geometry": point,
        "properties": values,
    }
    return orjson.dumps(feature)
