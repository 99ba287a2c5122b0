"""Distances in MongoDB agree with great circles, for any point."""

import math
import os
from itertools import islice, pairwise
from random import Random

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import settings as runs
from hypothesis import strategies as st
from keeping import kept

EXAMPLES = int(os.environ.get("GEO_EXAMPLES", "8"))
EARTH_RADIUS_KM = 6371.0088
# Who is so near the rim may be in or out, and distances may differ by as much. Two models of the
# earth differ by a thousandth, two ways to reckon on one of them by far less.
TOLERANCE = 1e-6
A_METRE = 0.001
EDGES = [(90, 0), (-90, 10), (0, 180), (0, -180), (89.999, 45), (46.8, 9.5), (46.8, -170.5)]
latitudes = st.floats(-90, 90) | st.sampled_from([-90, -89.99, 0, 46.8, 89.99, 90])
longitudes = st.floats(-180, 180) | st.sampled_from([-180, -179.99, 0, 9.5, 179.99, 180])
radii = st.floats(0, 20000) | st.floats(-3, 4.3).map(lambda power: 10**power)
quickly = runs(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def kilometres(start, end):
    """Return the way along the great circle, by the angle between two vectors."""
    a, b = vector(*start), vector(*end)
    across = math.hypot(
        a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    )
    along = sum(x * y for x, y in zip(a, b, strict=True))
    return EARTH_RADIUS_KM * math.atan2(across, along)


def vector(latitude, longitude):
    north, east = math.radians(latitude), math.radians(longitude)
    return (
        math.cos(north) * math.cos(east),
        math.cos(north) * math.sin(east),
        math.sin(north),
    )


def is_between(place, west, south, east, north):
    """Say whether a place is in a box; the antimeridian is both 180 and -180."""
    latitude, longitude = place
    names = (180, -180) if abs(longitude) == 180 else (longitude,)
    if west > east:
        return south <= latitude <= north and any(x >= west or x <= east for x in names)
    return south <= latitude <= north and any(west <= x <= east for x in names)


def somewhere(random):
    """Yield points all over the earth, and as many close together in the Alps."""
    while True:
        yield math.degrees(math.asin(random.uniform(-1, 1))), random.uniform(-180, 180)
        yield random.gauss(46.8, 0.3), random.gauss(9.5, 0.3)


@kept
def places(make_venue, make_event):
    """Make venues at points by chance, with an event each; return the points by both ids."""
    by_chance = somewhere(Random(8))  # noqa: S311  # nothing secret, and the same at each run
    points = [*EDGES, *islice(by_chance, 33)]
    points_by_id = {"venues": {}, "events": {}}
    for point in points:
        venue = make_venue(geo_lat=point[0], geo_lng=point[1])["id"]
        points_by_id["venues"][venue] = point
        points_by_id["events"][make_event(venue=venue)["id"]] = point
    return points_by_id


def listed(client, collection, per_page=50, **query):
    """Return the records of all pages; they are as many as the total says, each once."""
    answer, records = client.get(f"/{collection}", per_page=per_page, **query), []
    while True:
        assert answer.status_code == 200, answer.json
        records += answer.json[collection]
        if "next_rest_url" not in answer.json:
            break
        answer = client.follow(answer.json["next_rest_url"])
    assert len(records) == answer.json["total"] == len({record["id"] for record in records})
    return records


def agrees(matching_ids, places, center, radius):
    for record, place in places.items():
        way = kilometres(center, place)
        if abs(way - radius) > max(A_METRE, TOLERANCE * radius):
            assert (record in matching_ids) == (way < radius), (center, place, way, radius)


@quickly
@given(latitude=latitudes, longitude=longitudes, radius=radii)
@example(latitude=90, longitude=0, radius=0)
@example(latitude=0, longitude=-180, radius=20000)
def test_circles_agree_with_the_great_circle(places, anyone, latitude, longitude, radius):
    center = (latitude, longitude)
    query = {"geoloc_lat": latitude, "geoloc_lng": longitude, "geoloc_radius": radius}
    for collection, points in places.items():
        plain = {record["id"] for record in listed(anyone, collection, **query)}
        agrees(plain, points, center, radius)
        # So few that pages are full, and looked for in smaller circles.
        nearest = listed(anyone, collection, per_page=4, **query, orderby="distance")
        assert {record["id"] for record in nearest} == plain
        ways = [kilometres(center, points[record["id"]]) for record in nearest]
        for record, way in zip(nearest, ways, strict=True):
            assert record["distance"] == pytest.approx(way, rel=TOLERANCE, abs=A_METRE)
        assert all(a <= b + A_METRE for a, b in pairwise(ways))


@quickly
@given(sides=st.tuples(longitudes, latitudes, longitudes, latitudes))
@example(sides=(170, -90, -170, 90))
@example(sides=(-180, -90, 180, 90))
@example(sides=(9.5, 46.8, 9.5, 46.8))
def test_boxes_agree_with_their_meridians_and_parallels(places, anyone, sides):
    west, south, east, north = sides[0], min(sides[1::2]), sides[2], max(sides[1::2])
    box = ",".join(f"{side:.17g}" for side in (west, south, east, north))
    for collection, points in places.items():
        matching_ids = {record["id"] for record in listed(anyone, collection, geoloc_bbox=box)}
        assert matching_ids == {
            record
            for record, place in points.items()
            if is_between(place, west, south, east, north)
        }
