"""Clauses over places, in degrees: latitudes from -90 to 90, longitudes from -180 to 180.

Points are stored as ``domain/points.py`` makes them. Boxes compare their numbers, so that an index
of numbers answers alone; a polygon's sides would be great circles, which leave the parallels.
"""

import math
from dataclasses import dataclass

from calendar_app.domain.points import ANTIMERIDIAN, POLE
from calendar_app.storage.query.clauses import (
    EVERYTHING,
    Clause,
    all_of,
    any_of,
    at_least,
    at_most,
    equals,
    less,
    missing,
)

EARTH_RADIUS_KM = 6371.0088  # the mean radius (IUGG)
# 180° and -180°, and all longitudes at a pole, are one place but for the rounding of numbers.
_MILLIMETRE_KM = 1e-6


@dataclass(frozen=True, slots=True)
class Circle:
    """All that is at most ``radius_km`` away, measured along the great circle."""

    longitude: float
    latitude: float
    radius_km: float

    @property
    def angle(self) -> float:
        """The radius as seen from the centre of the earth, in radians."""
        return (self.radius_km + _MILLIMETRE_KM) / EARTH_RADIUS_KM


def located(field: str, *, exists: bool) -> Clause:
    """Match documents with (or without) a point."""
    latitude = f"{field}.latitude"
    return at_least(latitude, -POLE) if exists else missing(latitude)


def inside(field: str, circle: Circle) -> Clause:
    """Match the points of a circle. The documents are needed for that."""
    centre = [circle.longitude, circle.latitude]
    return {field: {"$geoWithin": {"$centerSphere": [centre, circle.angle]}}}


def within(field: str, circle: Circle) -> Clause:
    """Match the points of a circle, and those in the box around it first, by an index alone."""
    return all_of([_around(field, circle), inside(field, circle)])


def in_box(field: str, west: float, south: float, east: float, north: float) -> Clause:
    """Match points between two meridians and two parallels, the edges included.

    Where ``west`` is east of ``east`` the box lies across the antimeridian.
    """
    latitude = f"{field}.latitude"
    parallels = [at_least(latitude, south), at_most(latitude, north)]
    return all_of([*parallels, _between_meridians(f"{field}.longitude", west, east)])


def _between_meridians(longitude: str, west: float, east: float) -> Clause:
    between = [at_least(longitude, west), at_most(longitude, east)]
    if west > east:
        return any_of(between)
    if east - west >= 2 * ANTIMERIDIAN:
        return EVERYTHING
    # The antimeridian has two names.
    twins = [-edge for edge in (west, east) if abs(edge) == ANTIMERIDIAN]
    return any_of([all_of(between), *(equals(longitude, twin) for twin in twins)])


def _around(field: str, circle: Circle) -> Clause:
    """Match the points between the meridians and parallels that touch a circle."""
    reach = math.degrees(circle.angle)
    south, north = circle.latitude - reach, circle.latitude + reach
    if south <= -POLE or north >= POLE:
        # The circle has a pole in it, and thus points at all longitudes.
        return in_box(field, -ANTIMERIDIAN, max(south, -POLE), ANTIMERIDIAN, min(north, POLE))
    aside = math.degrees(
        math.asin(min(1, math.sin(circle.angle) / math.cos(math.radians(circle.latitude))))
    )
    west, east = _wrapped(circle.longitude - aside), _wrapped(circle.longitude + aside)
    return in_box(field, west, south, east, north)


def _wrapped(longitude: float) -> float:
    """Return the longitude between -180 and 180."""
    return math.remainder(longitude, 2 * ANTIMERIDIAN)


# A list of a circle by start goes by the index of points on a sphere, or by that of the starts:
# MongoDB tries which of them fills the page sooner. The box around the circle would offer it the
# indexes of numbers too, which look around the whole earth between two parallels.

# Where anything else narrows a list, an index of that has the coordinates beside it.
_NARROWED_BY = frozenset({"status", "hidden", "start_local", "end_local"})


def by_sphere(clause: Clause, field: str, circle: Circle) -> Clause:
    """Return an equal clause that has no box around the circle, where nothing else narrows it."""
    rest = less(clause, _around(field, circle))
    parts = less(rest, inside(field, circle)).get("$and", [])
    return rest if all(part.keys() <= _NARROWED_BY for part in parts) else clause
