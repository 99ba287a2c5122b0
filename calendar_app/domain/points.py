"""Points on the earth, and a grid of cells that index nearby places.

A cell is a tenth of a degree high and wide: 11 km from south to north, and at 47° N 8 km from west
to east. Rows begin at the south pole, columns at the antimeridian.
"""

import math
from typing import Any

POLE = 90
ANTIMERIDIAN = 180


# Parts of a degree.
PARTS = 10
COLUMNS = 360 * PARTS


def cell_of(latitude: float, longitude: float) -> int:
    """Return the number of the cell in which a point lies, in degrees."""
    return _row(latitude) * COLUMNS + _column(longitude) % COLUMNS


def cells_between(west: float, south: float, east: float, north: float, most: int) -> list[int]:
    """Return the cells in which the points of a box may lie; none where there are more than that.

    The west of the box is not east of its east.
    """
    rows = range(_row(south), _row(north) + 1)
    columns = range(_column(west), _column(east) + 1)
    if len(rows) * len(columns) > most:
        return []
    return [row * COLUMNS + column % COLUMNS for row in rows for column in columns]


def _row(latitude: float) -> int:
    return math.floor((latitude + POLE) * PARTS)


def _column(longitude: float) -> int:
    return math.floor((longitude + ANTIMERIDIAN) * PARTS)


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
