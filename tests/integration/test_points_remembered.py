"""A worker remembers the points of venues, and notices when one has moved, whoever moved it."""

import pytest

from calendar_app.catalogue.places.points import Places
from calendar_app.catalogue.upgrading import name_coordinates
from calendar_app.domain.points import point as point_at
from calendar_app.storage.connection import count_round_trips_anew, round_trips
from calendar_app.storage.store import Store

pytestmark = pytest.mark.needs_mongodb

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
HALL = 7
HERE, THERE = point_at(46.85, 9.53), point_at(46.1, 9.0)
NAMELESS = {"type": "Point", "coordinates": [9.0, 46.1]}


@pytest.fixture
def store(database):
    return Store(database)


@pytest.fixture
def places(store):
    return Places(store)


@pytest.fixture
def point(store, places):
    """Return what tells the point of a new event at the hall, as one worker sees it."""

    def ask(turn=1):
        event = {"_id": turn, "venues": [HALL]}
        return store.transact(lambda: places.point_of(event))

    return ask


@pytest.fixture
def hall(database):
    """Return what puts a hall somewhere without telling anybody."""

    def put(location):
        database["venues"].replace_one({"_id": HALL}, {"location": location}, upsert=True)

    return put


def questions(work):
    count_round_trips_anew()
    work()
    return round_trips()


def test_a_point_that_was_read_is_not_read_again(hall, point):
    hall(HERE)
    first, second = (questions(point) for _ in range(2))
    assert second == first - 1
    assert point() == HERE


def test_a_venue_that_moves_is_looked_at_again(hall, point, store):
    elsewhere = Places(Store(store.database))
    hall(HERE)
    for location in (THERE, HERE, None, THERE):
        point()
        hall(location)
        store.transact(lambda to=location: elsewhere.follow({"_id": HALL, "location": to}))
        assert [point(turn) for turn in range(20)] == [location] * 20


def test_a_venue_that_goes_is_looked_for_again(hall, point, places, store):
    hall(HERE)
    point()
    store["venues"].remove({"_id": HALL})
    store.transact(lambda: places.leave(HALL))
    assert point() is None
    hall(THERE)
    assert point() == THERE


def test_a_point_that_was_never_stored_is_forgotten(hall, point, places, store):
    point()

    def fail():
        store["venues"].insert({"_id": HALL, "location": HERE})
        assert places.point_of({"_id": 1, "venues": [HALL]}) == HERE
        raise RuntimeError

    with pytest.raises(RuntimeError):
        store.transact(fail)
    hall(THERE)
    assert point() == THERE


def test_points_of_another_database_are_not_believed(hall, point, database):
    hall(HERE)
    point()
    for name in ("venues", "gates"):
        database[name].delete_many({})
    hall(THERE)
    assert point() == THERE


def test_gates_of_earlier_versions_are_as_good(hall, point, database):
    database["gates"].insert_many([{"_id": gate, "passed": 5} for gate in range(16 * 64)])
    hall(HERE)
    first, second = (questions(point) for _ in range(2))
    assert second == first - 1
    assert point() == HERE


def test_points_that_get_their_coordinates_by_name_are_read_again(hall, point, store):
    hall(NAMELESS)
    assert point() == NAMELESS
    name_coordinates(store)
    assert point() == THERE


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
