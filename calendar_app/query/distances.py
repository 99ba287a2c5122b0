"""The great circle's way from a point, worked out by the database from numbers in an index.

MongoDB's own ``$geoNear`` reads every document on its way, and only by their distance: of events
at one venue, which are all as far, it cannot give a page.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from calendar_app.query.clauses import Clause, all_of, less
from calendar_app.query.geo import EARTH_RADIUS_KM, Circle, inside, within
from calendar_app.query.list_query import ByDistance, Slice, Window
from calendar_app.query.stages import Stages

_PLACE = "location"
_LATITUDE, _LONGITUDE = f"${_PLACE}.latitude", f"${_PLACE}.longitude"
_HALF_A_DEGREE = math.radians(0.5)
# Where too few are near, a circle so much wider is tried, unless it is nearly the whole.
_WIDER, _WORTH_A_LOOK = 4, 1 / 2
# People ask for what is near where they are, and that is where most is; unless it is too near.
_NEARER, _TOO_NEAR = 1 / 16, 5  # km


def by_distance(
    collection: str, clause: Clause, order: ByDistance, window: Window | Slice
) -> Stages:
    """Sort by the way to the point, ties by id; each gets its ``distance`` in kilometres.

    The documents of the window alone are read.
    """
    return [
        *measuring(clause, order.circle, order.place),
        {"$sort": {"haversine": order.direction, "_id": 1}},
        {"$skip": window.skip},
        {"$limit": window.size},
        {"$lookup": {"from": collection, "localField": "_id", "foreignField": "_id", "as": "it"}},
        {"$replaceWith": {"$mergeObjects": [{"$first": "$it"}, {"distance": _kilometres()}]}},
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


def by_numbers(clause: Clause, circle: Circle) -> Clause:
    """Return an equal clause over numbers, for indexes of cells.

    What has no place is left out by the box alone.
    """
    near = {"$expr": {"$lte": [_haversine(circle), _farthest(circle)]}}
    return all_of([less(clause, inside(_PLACE, circle)), near])


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


def _farthest(circle: Circle) -> float:
    """Return the haversine of the way from the centre to the edge."""
    return math.sin(circle.angle / 2) ** 2


def _haversine(circle: Circle) -> dict[str, Any]:
    """Return the haversine of the angle between two points: sin² of its half.

    It is exact for points that lie close together (R. W. Sinnott, Virtues of the Haversine, 1984).
    """
    parallels = math.cos(math.radians(circle.latitude))
    narrowing = {"$cos": {"$multiply": [2 * _HALF_A_DEGREE, _LATITUDE]}}
    return {
        "$add": [
            _square_of_sine(_LATITUDE, circle.latitude),
            {
                "$multiply": [
                    parallels,
                    narrowing,
                    _square_of_sine(_LONGITUDE, circle.longitude),
                ]
            },
        ]
    }


def _square_of_sine(degrees: str, origin: float) -> dict[str, Any]:
    half = {"$multiply": [_HALF_A_DEGREE, {"$subtract": [degrees, origin]}]}
    return {"$pow": [{"$sin": half}, 2]}


def _kilometres() -> dict[str, Any]:
    # At the other end of the earth rounding may lead beyond 1, of which there is no arcsine.
    half = {"$asin": {"$min": [1, {"$sqrt": "$haversine"}]}}
    return {"$multiply": [2 * EARTH_RADIUS_KM, half]}
