"""The two fields of a point: what is pasted into one of them may be both."""

from collections.abc import Mapping
from typing import Any

from calendar_app.domain.texts.written_points import point_in

COORDINATES = ("geo_lat", "geo_lng")


def with_point(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a form, with a point that one field has in both of them."""
    points = (point_in(values.get(name) or "") for name in COORDINATES)
    point = next(filter(None, points), None)
    return {**values, **(dict(zip(COORDINATES, point, strict=True)) if point else {})}
