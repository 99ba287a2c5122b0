"""Points on the earth, in their stored form."""

from typing import Any

from calendar_app.domain.cells import cell_of


def point(latitude: float, longitude: float) -> dict[str, Any]:
    """Return a GeoJSON point, with its coordinates once more under their names, and its cell.

    No index of numbers reaches into the list of coordinates. RFC 7946, section 6.1, allows
    members of one's own.
    """
    return {
        "type": "Point",
        "coordinates": [longitude, latitude],
        "latitude": latitude,
        "longitude": longitude,
        "cell": cell_of(latitude, longitude),
    }
