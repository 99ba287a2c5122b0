"""Events carry the point of their venue, whoever moves it."""

import pytest

from calendar_app.calendar.upgrading import name_coordinates
from calendar_app.domain.points import point as point_at
from calendar_app.mongo.store import Store

pytestmark = pytest.mark.needs_mongodb

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}


@pytest.fixture
def store(database):
    return Store(database)


@pytest.mark.parametrize(
    "place",
    [(46.85, 9.53), (-33.9, -70.6), (0, 0), (90, 180), (-90, -180), (47, 9), (-0.05, -0.05)],
)
def test_points_of_earlier_versions_get_the_same_cells_as_new_ones(place, database, store):
    latitude, longitude = place
    old = {"type": "Point", "coordinates": [longitude, latitude]}
    database["events"].insert_one({"_id": 1, "location": old})
    name_coordinates(store)
    assert database["events"].find_one({"_id": 1})["location"] == point_at(latitude, longitude)


def test_an_event_comes_to_where_another_worker_has_moved_the_venue(as_admin, worker, database):
    other = worker("admin")
    venue = as_admin.post("/venues", venue="Hall", geo_lat=46.85, geo_lng=9.53).json["id"]
    for latitude in (46.1, 46.2):
        for client in (as_admin, other, as_admin):
            client.post("/events", title="Concert", venue=venue, **EVENING)
        moved = other.patch(f"/venues/{venue}", geo_lat=latitude, geo_lng=9.53)
        assert moved.status_code == 200
        for client in (as_admin, other):
            client.post("/events", title="Concert", venue=venue, **EVENING)
        there = {event["location"]["latitude"] for event in database["events"].find()}
        assert there == {latitude}
