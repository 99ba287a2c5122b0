"""How often a request goes to the database does not depend on how much it shows."""

import pytest

from calendar_app.storage.connection import count_round_trips_anew, round_trips

pytestmark = pytest.mark.needs_mongodb

MOST = 8


@pytest.fixture
def make_many(make_event, make_venue, make_organizer, make_category, make_tag):
    """Return what makes events of which each links to records of its own."""

    def make(number):
        above = make_category()["id"]
        for _ in range(number):
            make_event(
                venue=make_venue(image="https://a.example/b.png")["id"],
                organizer=[make_organizer()["id"], make_organizer()["id"]],
                categories=[make_category(parent=above)["id"]],
                tags=[make_tag()["id"]],
            )

    return make


def trips(client, path, **query):
    """Return how many commands one request sends."""
    client.get("/events")  # so that the caller is known
    count_round_trips_anew()
    assert client.get(path, **query).status_code == 200
    return round_trips()


LISTS = [
    ("/events", {}),
    ("/events", {"search": "Event"}),
    ("/events", {"orderby": "title"}),
    ("/events", {"translation_language": "all"}),
    ("/events", {"geoloc": "false"}),
    ("/venues", {}),
    ("/venues", {"has_events": "true"}),
    ("/venues", {"only_with_upcoming": "true"}),
    ("/organizers", {}),
    ("/categories", {"hide_empty": "true"}),
    ("/categories", {"hide_empty": "false"}),
    ("/tags", {}),
]


@pytest.mark.parametrize("name", [None, "editor"])
def test_many_records_take_as_many_as_one(calling_as, make_many, name):
    client = calling_as(name)

    def of_all_lists():
        return [trips(client, path, **query, per_page=50) for path, query in LISTS]

    make_many(1)
    few = of_all_lists()
    make_many(11)
    assert of_all_lists() == few
    assert max(few) <= MOST


def test_a_list_by_distance_takes_as_many_for_many(anyone, make_venue, make_event):
    query = {"geoloc_lat": 46, "geoloc_lng": 9, "orderby": "distance", "per_page": 50}
    make_event(venue=make_venue(geo_lat=46, geo_lng=9)["id"])
    few = trips(anyone, "/events", **query)
    for n in range(10):
        make_event(venue=make_venue(geo_lat=46, geo_lng=9 + n / 1000)["id"])

    assert trips(anyone, "/events", **query) == few


def test_one_event_takes_no_more_than_a_list(anyone, make_many, as_admin):
    make_many(1)
    (event,) = as_admin.get("/events").json["events"]

    assert trips(anyone, f"/events/{event['id']}") <= MOST
