"""A map finds events as RFC 7946 has it."""

import geojson
import pytest

pytestmark = pytest.mark.without_mongodb


@pytest.fixture
def read(anyone):
    """Return a function that reads and validates the feed."""

    def feed(**query):
        answer = anyone.get("/events.geojson", **query)
        assert (answer.status_code, answer.mimetype) == (200, "application/geo+json")
        collection = geojson.loads(answer.text)
        assert isinstance(collection, geojson.FeatureCollection)
        assert collection.errors() == []
        for feature in collection.features:
            # RFC 7946 section 3.2: these members are always there.
            assert {"type", "geometry", "properties"} <= feature.keys()
        return collection

    return feed


def test_feed_without_events_is_valid(read):
    assert read().features == []


def test_event_has_the_coordinates_of_its_venue(read, make_event):
    venue = {"venue": "Town Hall", "city": "Chur", "geo_lat": 46.85, "geo_lng": 9.53}
    event = make_event(title="Concert", venue=venue)
    (feature,) = read().features
    assert (feature.id, feature.geometry.type) == (event["id"], "Point")
    assert feature.geometry.coordinates == [9.53, 46.85]
    properties = feature.properties
    assert (properties["title"], properties["venue"], properties["city"]) == (
        "Concert",
        "Town Hall",
        "Chur",
    )
    for name in ("start_date", "end_date", "utc_start_date", "timezone", "all_day", "url"):
        assert properties[name] == event[name]


def test_an_event_without_a_place_has_no_geometry(read, make_event):
    make_event()
    assert read().features[0].geometry is None


def test_names_are_text_and_not_html(read, make_event):
    make_event(title="Bread & Butter", categories=["Food & Drink"], tags=["<3"])
    properties = read().features[0].properties
    assert (properties["title"], properties["categories"]) == ("Bread & Butter", ["Food & Drink"])


def test_it_takes_the_filters_of_the_list(read, make_event):
    near = {"venue": "Near", "geo_lat": 46.0, "geo_lng": 9.0}
    far = {"venue": "Far", "geo_lat": 10.0, "geo_lng": 9.0}
    make_event(title="Near", venue=near)
    make_event(title="Far", venue=far)
    features = read(geoloc_bbox="8,45,10,47").features
    assert [feature.properties["title"] for feature in features] == ["Near"]
