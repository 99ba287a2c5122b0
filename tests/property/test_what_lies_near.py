"""Each page of a circle, of a box and of the nearest events is the one that reckoning gives."""

import math
import os
from copy import deepcopy
from datetime import timedelta
from random import Random

import pytest

from calendar_app.domain.points import point

QUESTIONS = int(os.environ.get("GEO_QUESTIONS", "80"))
EARTH_RADIUS_KM = 6371.0088
MILLIMETRE_KM = 1e-6
HALL = (46.85, 9.53)
IN_THE_HALL = 500
RADII = (0, 1, 5, 10, 25, 60, 100, 400, 3000, 20000)
ORDERS = (
    {},
    {},
    {"order": "desc"},
    {"orderby": "distance"},
    {"orderby": "distance", "order": "desc"},
)
# One after the other, and each as long as many others.
pytestmark = [pytest.mark.lasting, pytest.mark.timeout(400)]


def all_places(random):
    """Return places: many in one hall, others around it, on the whole earth and at its edges."""
    near = [(random.gauss(46.8, 0.3), random.gauss(9.5, 0.3)) for _ in range(250)]
    far = [
        (math.degrees(math.asin(random.uniform(-1, 1))), random.uniform(-180, 180))
        for _ in range(150)
    ]
    poles = [
        (random.choice([90, -90, 89.99, -89.99]), random.uniform(-180, 180)) for _ in range(30)
    ]
    antimeridian = [
        (random.uniform(-20, 20), random.choice([180, -180, 179.95, -179.95])) for _ in range(50)
    ]
    return [HALL] * IN_THE_HALL + near + far + poles + antimeridian


@pytest.fixture
def events(make_event, database):
    """Have events at all these places; return the place and the start of each, by its id."""
    places = all_places(Random(8))  # noqa: S311  # nothing secret, and the same at each run
    if not database["events"].find_one():
        make_event(start_date="2030-02-01 12:00", end_date="2030-02-01 13:00")
        (original,) = database["events"].find()
        copies = [copy(original, number, place) for number, place in enumerate(places)]
        database["events"].delete_many({})
        database["events"].insert_many(copies)
    return {
        event["_id"]: (places[event["_id"] - 1], event["start_local"])
        for event in database["events"].find()
    }


def copy(event, number, place):
    """Return an event like this one, elsewhere, on one of 200 days."""
    copied = deepcopy(event) | {"_id": number + 1, "location": point(*place)}
    copied.pop("slugs")
    for name in ("start", "end", "start_local", "end_local"):
        copied[name] += timedelta(days=number * 7919 % 200)
    return copied


def haversine(center, place):
    """Return sin² of half the angle between two points."""
    half = math.radians(0.5)
    north, east = (math.sin(half * (a - b)) ** 2 for a, b in zip(place, center, strict=True))
    narrowing = math.cos(math.radians(center[0])) * math.cos(math.radians(place[0]))
    return north + narrowing * east


def kilometers(center, place):
    return 2 * EARTH_RADIUS_KM * math.asin(min(1, math.sqrt(haversine(center, place))))


def in_box(place, west, south, east, north):
    """Return whether a place lies in a box; the antimeridian is both 180 and -180."""
    latitude, longitude = place
    names = (180, -180) if abs(longitude) == 180 else (longitude,)
    if west > east:
        return south <= latitude <= north and any(x >= west or x <= east for x in names)
    return south <= latitude <= north and any(west <= x <= east for x in names)


def a_center(random, events):
    """Return a point at an event, near one, or anywhere."""
    latitude, longitude = random.choice(list(events.values()))[0]
    match random.randrange(3):
        case 0:
            return latitude, longitude
        case 1:
            north = latitude + random.gauss(0, 0.1)
            return max(-90, min(90, north)), math.remainder(longitude + random.gauss(0, 0.1), 360)
        case _:
            return random.uniform(-90, 90), random.uniform(-180, 180)


def by_start(ids, events, order):
    """Return ids ordered by start, then by id."""
    backward = order.get("order") == "desc"
    return sorted(ids, key=lambda each: (events[each][1], each), reverse=backward)


def a_circle(random, events):
    """Return a question about a circle, and the ids that answer it; ``None`` near the rim."""
    center, radius, order = a_center(random, events), random.choice(RADII), random.choice(ORDERS)
    ways = {each: kilometers(center, place) for each, (place, _) in events.items()}
    # Two ways to reckon differ most near the other end of the earth.
    doubt = MILLIMETRE_KM / 2 + radius * 1e-8
    if any(abs(way - radius - MILLIMETRE_KM) < doubt for way in ways.values()):
        return None
    ids = [each for each, way in ways.items() if way <= radius + MILLIMETRE_KM]
    if "orderby" in order:
        sign = -1 if order.get("order") == "desc" else 1
        ids.sort(key=lambda each: (sign * haversine(center, events[each][0]), each))
    else:
        ids = by_start(ids, events, order)
    asked = {"geoloc_lat": center[0], "geoloc_lng": center[1], "geoloc_radius": radius}
    return asked | order, ids, ways


def a_box(random, events):
    """Return a question about a box, and the ids that answer it."""
    latitude, longitude = a_center(random, events)
    size, order = random.choice([0, 0.05, 0.3, 2, 30]), random.choice(ORDERS[:3])
    south, north = max(-90, latitude - size), min(90, latitude + size)
    west, east = (math.remainder(longitude + way, 360) for way in (-size, size))
    sides = (west, south, east, north)
    ids = [each for each, (place, _) in events.items() if in_box(place, *sides)]
    asked = {"geoloc_bbox": ",".join(f"{side:.17g}" for side in sides)}
    return asked | order, by_start(ids, events, order), {}


def agrees(listed, expected, events, ways):
    """Return whether two pages are the same, but for places that are equally far away."""
    pairs = list(zip(listed, expected, strict=True))
    return len(set(listed)) == len(listed) and all(
        a == b
        or (
            events[a][0] != events[b][0]
            and a in ways
            and math.isclose(ways[a], ways[b], rel_tol=1e-9, abs_tol=1e-4)
        )
        for a, b in pairs
    )


def test_every_page_of_an_area_is_the_one_that_reckoning_gives(events, anyone):
    random = Random(45)  # noqa: S311  # nothing secret, and the same at each run
    asked = 0
    while asked < QUESTIONS:
        question = random.choice((a_circle, a_circle, a_box))(random, events)
        if question is None:
            continue
        query, ids, ways = question
        size, number = random.randint(1, 50), random.randint(1, 3)
        number = min(number, max(1, -(-len(ids) // size)))
        answer = anyone.get("/events", per_page=size, page=number, **query)
        assert answer.status_code == 200, (query, answer.json)
        assert answer.json["total"] == len(ids), query
        listed = [event["id"] for event in answer.json["events"]]
        expected = ids[(number - 1) * size : number * size]
        assert agrees(listed, expected, events, ways), (query, size, number)
        asked += 1
