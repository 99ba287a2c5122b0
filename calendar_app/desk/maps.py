"""Where the map of a form begins when no point is set yet."""

from collections.abc import Sequence

from calendar_app.http.request import current
from calendar_app.kinds import VENUE
from calendar_app.resources.linked import VenueListSchema

_MOST = 50


def known_area() -> Sequence[float]:
    """Return west, south, east and north of the newest places; empty without tiles or places."""
    if not current.settings().map_tiles:
        return ()
    sent = {"geoloc": "true", "status": "any", "per_page": str(_MOST)}
    listing = VenueListSchema().load(sent).listing
    venues = current.reader().search(VENUE, listing, current.caller()).items
    if not venues:
        return ()
    longitudes, latitudes = zip(*(each["location"]["coordinates"] for each in venues), strict=True)
    return (min(longitudes), min(latitudes), max(longitudes), max(latitudes))
