"""Clauses over places; coordinates are longitude, latitude in degrees, as GeoJSON has them."""

from calendar_app.query.clauses import (
    Clause,
    all_of,
    any_of,
    at_least,
    at_most,
    given,
    missing,
)

EARTH_RADIUS_KM = 6371.0088  # the mean radius (IUGG)


def located(field: str, *, wanted: bool) -> Clause:
    """Match what has (or lacks) a point."""
    return given(field) if wanted else missing(field)


def within(field: str, longitude: float, latitude: float, radius_km: float) -> Clause:
    """Match points at most ``radius_km`` away, measured along the great circle."""
    circle = [[longitude, latitude], radius_km / EARTH_RADIUS_KM]
    return {field: {"$geoWithin": {"$centerSphere": circle}}}


def in_box(field: str, west: float, south: float, east: float, north: float) -> Clause:
    """Match points between two meridians and two parallels, in degrees, the edges included.

    The numbers are compared as they are: a polygon's sides would be great circles, which leave
    the parallels.
    """
    longitude, latitude = f"{field}.coordinates.0", f"{field}.coordinates.1"
    between = [at_least(longitude, west), at_most(longitude, east)]
    across = all_of(between) if west <= east else any_of(between)
    return all_of([across, at_least(latitude, south), at_most(latitude, north)])
