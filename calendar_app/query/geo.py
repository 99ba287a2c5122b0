"""Clauses over places; coordinates are longitude, latitude in degrees, as GeoJSON has them."""

from calendar_app.query.clauses import Clause, given, missing

EARTH_RADIUS_KM = 6371.0088  # the mean radius (IUGG)


def located(field: str, *, wanted: bool) -> Clause:
    """Match what has (or lacks) a point."""
    return given(field) if wanted else missing(field)


def within(field: str, longitude: float, latitude: float, radius_km: float) -> Clause:
    """Match points at most ``radius_km`` away, measured along the great circle."""
    circle = [[longitude, latitude], radius_km / EARTH_RADIUS_KM]
    return {field: {"$geoWithin": {"$centerSphere": circle}}}
