"""Searches by distance use an index and examine few records beside the page."""

from copy import deepcopy
from datetime import timedelta

import pytest

from calendar_app.domain.points import point

pytestmark = pytest.mark.lasting

RECORDS = 3000
PAGE = 12
# Looks at what the records of a page link to.
ASIDE = 2 * PAGE
NEAR = {"geoloc_lat": "47", "geoloc_lng": "9"}
FAR = NEAR | {"geoloc_radius": "30"}
SUMMER = {"start_date": "2030-06-01", "end_date": "2030-08-31"}
BOX = {"geoloc_bbox": "8.7,46.7,9.3,47.3"}
QUERIES = {
    "10 km": NEAR,
    "30 km": FAR,
    "30 km in a summer": FAR | SUMMER,
    "box": BOX,
    "box in a summer": BOX | SUMMER,
    "by distance, 10 km": NEAR | {"orderby": "distance"},
    "by distance, 30 km": FAR | {"orderby": "distance"},
    "by distance, 30 km in a summer": FAR | SUMMER | {"orderby": "distance"},
    "by distance, everywhere": NEAR | {"orderby": "distance", "geoloc_radius": "20000"},
    "with coordinates": {"geoloc": "true"},
    "without coordinates": {"geoloc": "false"},
}


@pytest.fixture
def many(make_venue, make_event, database):
    """Have venues and events, half of them within a degree of 47° N 9° E."""
    if not database["events"].find_one():
        _fill(make_venue, make_event, database)
    return database["events"]


def _fill(make_venue, make_event, database):
    hall = make_venue(geo_lat=0, geo_lng=0)["id"]
    make_event(venue=hall)
    for name in ("venues", "events"):
        (original,) = database[name].find()
        database[name].insert_many(copy(original, number) for number in range(1, RECORDS))


def copy(record, number):
    """Return a record like this one, somewhere else and, if it has a time, within two years."""
    copied = deepcopy(record) | {"_id": record["_id"] + number * 2}
    copied.pop("slugs")
    # Steps of the golden ratio spread evenly.
    north, east = (number * 0.618034) % 1 - 0.5, (number * 0.754878) % 1 - 0.5
    if number % 10 == 0:
        copied["location"] = None
    elif number % 2:
        copied["location"] = point(47 + 2 * north, 9 + 2 * east)
    else:
        copied["location"] = point(150 * north, 300 * east)
    if "start" in record:
        span = timedelta(days=number % 600)
        for name in ("start", "end", "start_local", "end_local"):
            copied[name] += span
    return copied


@pytest.fixture
def profiled_list(database):
    """Return a function that lists records, with the profiler's entries."""

    def listed(client, collection, query):
        database.command("profile", 0)
        database["system.profile"].drop()
        database.command("profile", 2)
        answer = client.get(f"/{collection}", **query)
        database.command("profile", 0)
        assert answer.status_code == 200, answer.json
        notes = database["system.profile"].find({"ns": f"{database.name}.{collection}"})
        return answer.json["total"], list(notes)

    yield listed
    database.command("profile", 0)
    database["system.profile"].drop()


def counts(note):
    return any(
        "$count" in stage or "$group" in stage for stage in note["command"].get("pipeline", ())
    )


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("collection", ["events", "venues"])
def test_search_by_distance_examines_only_nearby_records(anyone, profiled_list, collection):
    for name, query in QUERIES.items():
        total, notes = profiled_list(anyone, collection, query)
        assert total > PAGE, (name, total)
        assert notes
        for note in notes:
            assert "COLLSCAN" not in note["planSummary"], name
            # A page by start of a circle may have to sort what is in it.
            sorted_first = total if "geoloc_lat" in query and "orderby" not in query else 0
            most = 0 if counts(note) else 2 * max(PAGE, sorted_first) + ASIDE
            assert note["docsExamined"] <= most, (name, note["planSummary"], note["docsExamined"])


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("area", [NEAR | {"geoloc_radius": "25"}, BOX])
def test_page_of_a_small_area_examines_little_beyond_it(anyone, profiled_list, area):
    total, notes = profiled_list(anyone, "events", area | {"per_page": PAGE})
    (page,) = [note for note in notes if not counts(note) and note["nreturned"]]
    assert total > PAGE
    # The cells of a sphere's index reach beyond the circle.
    assert page["docsExamined"] <= 1.5 * total + PAGE
    assert page["keysExamined"] <= 4 * total


@pytest.mark.usefixtures("many")
def test_the_nearest_are_looked_for_near_the_point(anyone, profiled_list):
    query = NEAR | {"geoloc_radius": "100", "orderby": "distance", "per_page": PAGE}
    total, _ = profiled_list(anyone, "events", query)
    assert total > 2 * 4 * PAGE
    looked = {}
    for order in ("asc", "desc"):
        _, notes = profiled_list(anyone, "events", query | {"order": order})
        looked[order] = sum(note["keysExamined"] for note in notes if not counts(note))
    # The farthest are found by a look at all of the circle.
    assert looked["asc"] < looked["desc"] / 2


@pytest.fixture(params=["featured", "ticketed"])
def flag(request, many):
    """Raise it on every third event."""
    many.update_many({"_id": {"$mod": [3, 0]}}, {"$set": {request.param: True}})
    yield request.param
    many.update_many({}, {"$set": {request.param: False}})


def test_nearby_records_are_filtered_before_they_are_read(anyone, profiled_list, flag):
    query = {flag: "true"}
    total, notes = profiled_list(anyone, "events", NEAR | query | {"geoloc_radius": "25"})
    assert total > PAGE
    assert sum(note["docsExamined"] for note in notes if not counts(note)) <= 1.5 * total + PAGE
