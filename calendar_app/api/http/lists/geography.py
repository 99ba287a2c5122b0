"""Geographic list parameters of events and venues."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

import marshmallow as ma

from calendar_app.api.http.errors.problems import refuse
from calendar_app.api.http.fields.scalars import Flag, Number, finite_number, listed
from calendar_app.api.http.fields.schema import Parameter
from calendar_app.api.http.lists.filtering import by
from calendar_app.api.http.request.current import Context
from calendar_app.domain.kind import Record
from calendar_app.domain.points import ANTIMERIDIAN, POLE
from calendar_app.errors import Message
from calendar_app.storage.query.clauses import EVERYTHING, Clause
from calendar_app.storage.query.geo import Circle, in_box, located, within
from calendar_app.storage.query.list_query import ByDistance

# Makes a clause about a point, given its field, for what holds the point that the caller sees.
AtPoint = Callable[[Callable[[str], Clause], Context], Clause]

_POINT = ("geoloc_lat", "geoloc_lng")
_NO_POINT = Message("distance needs geoloc_lat and geoloc_lng.")
_RADIUS_KM = 10.0
_LARGEST_RADIUS_KM = 20_000.0
_SIDES = 4


class Box(Parameter):
    """``west,south,east,north`` in degrees; a west above its east crosses 180°."""

    schema: Mapping[str, Any] = MappingProxyType({"type": "string"})

    def read(self, value: Any, _context: Context) -> tuple[float, ...]:
        sides = [finite_number(side) for side in listed(value)]
        valid = tuple(side for side in sides if side is not None)
        if len(sides) != _SIDES or len(valid) != _SIDES:
            refuse(Message("{name} must be west,south,east,north in degrees.", name=self.sent_name))
        west, south, east, north = valid
        if max(abs(west), abs(east)) > ANTIMERIDIAN or not -POLE <= south <= north <= POLE:
            refuse(
                Message(
                    "{name} must lie on the earth, its south below its north.", name=self.sent_name
                )
            )
        return valid


def at_location(clause: Callable[[str], Clause], _context: Context) -> Clause:
    """Apply a clause to the field ``location``."""
    return clause("location")


def geo_filters(at_point: AtPoint) -> type[ma.Schema]:
    """Return the parameters for a point, a box, and for having coordinates."""

    class PlaceFilters(ma.Schema):
        geoloc = Flag(
            metadata=by(
                lambda flag, context: at_point(partial(located, exists=flag), context),
                "true: only venues with known coordinates; false: only those without.",
            )
        )
        geoloc_lat = Number(
            -POLE, POLE, description="The latitude of a point to search around; requires `geo_lng`."
        )
        geoloc_lng = Number(
            -ANTIMERIDIAN,
            ANTIMERIDIAN,
            description="Near this longitude; needs a latitude.",
        )
        geoloc_radius = Number(
            0, _LARGEST_RADIUS_KM, description="The radius around the point, in kilometers."
        )
        geoloc_bbox = Box(
            metadata=by(
                lambda box, context: at_point(lambda field: in_box(field, *box), context),
                "Within west,south,east,north, in degrees, such as `9.4,46.7,9.6,46.9`.",
            )
        )
        distance = Flag(
            description="true: each record has its distance from the point, in kilometers."
        )

    return PlaceFilters


def circle_of(values: Record) -> Circle | None:
    """Return the circle around the requested point, if any; refuse a single coordinate."""
    lacking = [name for name in _POINT if name not in values]
    if len(lacking) == 1:
        raise ma.ValidationError(
            {lacking[0]: [Message("One coordinate is not enough: both are needed.")]}
        )
    if lacking:
        return None
    radius = values.get("geoloc_radius", _RADIUS_KM)
    return Circle(values["geoloc_lng"], values["geoloc_lat"], radius)


def near_clause(values: Record, at_point: AtPoint, context: Context) -> Clause:
    """Return the clause for that circle."""
    circle = circle_of(values)
    return at_point(lambda field: within(field, circle), context) if circle else EVERYTHING


def from_point(
    values: Record, direction: int, field: Mapping[str, Any] | None = None
) -> ByDistance | None:
    """Return the order by distance from the requested point, if any.

    ``field`` is the expression of a record's point, if not ``location``.
    """
    circle = circle_of(values)
    return ByDistance(circle, direction, field) if circle else None


def distance_shown(values: Record, field: Mapping[str, Any] | None = None) -> ByDistance | None:
    """Return the point from which records show their distance, where that is asked for.

    Lists by distance show it anyway. ``field`` is as in ``from_point``.
    """
    if not values.get("distance"):
        return None
    measured = from_point(values, 1, field)
    if measured is None:
        raise ma.ValidationError({"distance": [_NO_POINT]})
    return None if values.get("orderby") == "distance" else measured


def direction_of(values: Record) -> int:
    """Return 1 for ascending, -1 for descending."""
    return -1 if str(values.get("order", "asc")).lower() == "desc" else 1
