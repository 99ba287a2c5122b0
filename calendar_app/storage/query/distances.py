"""Great-circle distances from a point, computed by the database from indexed numbers."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from calendar_app.storage.query.clauses import Clause, all_of, less
from calendar_app.storage.query.geo import EARTH_RADIUS_KM, Circle, inside, within
from calendar_app.storage.query.list_query import ByDistance, Slice, Window
from calendar_app.storage.query.stages import Stages

_PLACE = "location"
_HALF_A_DEGREE = math.radians(0.5)
# Where too few are near, a circle so much wider is tried, unless it is nearly the whole. To measure
# all that lie within 100 km, 1,307 of 100,000 events, takes three times as long.
_WIDER, _WORTH_A_LOOK = 4, 1 / 2
# People ask for what is near where they are, and that is where most is; unless it is too near.
_NEARER, _TOO_NEAR = 1 / 16, 5  # km


def by_distance(
    collection: str, clause: Clause, order: ByDistance, window: Window | Slice
) -> Stages:
    """Sort by the distance to the point, then by id; add the ``distance`` in kilometers.

    The documents of the window alone are read.
    """
    return [
        *measuring(clause, order.circle, order.place),
        {"$sort": {"haversine": order.direction, "_id": 1}},
        {"$skip": window.skip},
        {"$limit": window.size},
        {"$lookup": {"from": collection, "localField": "_id", "foreignField": "_id", "as": "it"}},
        {
            "$replaceWith": {
                "$mergeObjects": [{"$first": "$it"}, {"distance": _kilometres("$haversine")}]
            }
        },
    ]


def shares(order: ByDistance) -> Iterator[float]:
    """Yield shares of the radius within which to look, the last one the whole."""
    if order.direction > 0 and order.place is None:
        share = _NEARER if order.circle.radius_km * _NEARER > _TOO_NEAR else 1.0
        while share < _WORTH_A_LOOK:
            yield share
            share *= _WIDER
    yield 1.0


def narrowed(clause: Clause, order: ByDistance, share: float) -> tuple[Clause, ByDistance]:
    """Return clause and order for a circle of a ``share`` of the radius."""
    if order.place:
        return clause, order
    wide = order.circle
    small = replace(wide, radius_km=wide.radius_km * share)
    nearer = all_of([less(clause, within(_PLACE, wide)), within(_PLACE, small)])
    return nearer, replace(order, circle=small)


def counted_within(clause: Clause, circle: Circle) -> Stages:
    """Return one document with the ``total`` of matches, or none without a match."""
    return [*measuring(clause, circle), {"$count": "total"}]


def measuring(clause: Clause, circle: Circle, place: Mapping[str, Any] | None = None) -> Stages:
    """Keep id and haversine of each record in the circle.

    ``place`` is the expression of a point in place of ``location``.
    """
    return [
        {"$match": less(clause, inside(_PLACE, circle))},
        *([{"$set": {_PLACE: place}}] if place else []),
        {"$project": {"haversine": _haversine(circle)}},
        {"$match": {"haversine": {"$lte": _farthest(circle)}}},
    ]


def with_distance(order: ByDistance) -> Stages:
    """Give each record its ``distance`` in kilometres from the point of an order."""
    place = order.place or f"${_PLACE}"
    way = _kilometres(_haversine(order.circle, "$$place"))
    return [{"$set": {"distance": {"$let": {"vars": {"place": place}, "in": way}}}}]


def _farthest(circle: Circle) -> float:
    """Return the haversine of the way from the centre to the edge."""
    return math.sin(circle.angle / 2) ** 2


def _haversine(circle: Circle, place: str = f"${_PLACE}") -> dict[str, Any]:
    """Return the haversine of the angle between two points: sin² of its half.

    It is exact for points that lie close together (R. W. Sinnott, Virtues of the Haversine, 1984).
    """
    latitude, longitude = f"{place}.latitude", f"{place}.longitude"
    parallels = math.cos(math.radians(circle.latitude))
    narrowing = {"$cos": {"$multiply": [2 * _HALF_A_DEGREE, latitude]}}
    return {
        "$add": [
            _square_of_sine(latitude, circle.latitude),
            {"$multiply": [parallels, narrowing, _square_of_sine(longitude, circle.longitude)]},
        ]
    }


def _square_of_sine(degrees: str, origin: float) -> dict[str, Any]:
    half = {"$multiply": [_HALF_A_DEGREE, {"$subtract": [degrees, origin]}]}
    return {"$pow": [{"$sin": half}, 2]}


def _kilometres(haversine: str | Mapping[str, Any]) -> dict[str, Any]:
    # At the other end of the earth rounding may lead beyond 1, of which there is no arcsine.
    half = {"$asin": {"$min": [1, {"$sqrt": haversine}]}}
    return {"$multiply": [2 * EARTH_RADIUS_KM, half]}
