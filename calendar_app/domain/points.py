"""Points on the earth."""

import math
from typing import Any

POLE = 90
ANTIMERIDIAN = 180
# Parts of a degree.
_PARTS = 10
_COLUMNS = 360 * _PARTS


def point(latitude: float, longitude: float) -> dict[str, Any]:
    """Return a GeoJSON point, with its coordinates once more under their names.

    No index of numbers reaches into the list of coordinates. RFC 7946, section 6.1, allows
    members of one's own.
    """
    return {
        "type": "Point",
        "coordinates": [longitude, latitude],
        "latitude": latitude,
        "longitude": longitude,
        "cell": _cell_of(latitude, longitude),
    }


def _cell_of(latitude: float, longitude: float) -> int:
    """Return the number of a cell of a grid of tenths of a degree.

    Version 0.2, which may run beside this one, narrows small areas to the cells in them.
    """
    row = math.floor((latitude + POLE) * _PARTS)
    return row * _COLUMNS + math.floor((longitude + ANTIMERIDIAN) * _PARTS) % _COLUMNS
