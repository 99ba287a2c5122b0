"""Circles and boxes where the earth's grid has its edges: the antimeridian, poles, everywhere."""

import pytest

# A degree of a great circle on a ball of 6,371.0088 km, the earth's mean radius.
DEGREE_KM = 111.19508
WORLD = "-180,-90,180,90"
PLACES = {
    "chur": (46.85, 9.53),
    "suva": (-18.14, 178.44),
    "apia": (-13.83, -171.76),
    "taveuni": (-16.8, 180),
    "rabi": (-16.5, -180),
    "alert": (82.5, -62.35),
    "north pole": (90, 0),
    "south pole": (-90, 120),
    "null island": (0, 0),
}


@pytest.fixture
def listed_places(make_venue, make_event, anyone):
    """Create an event in each place; return a function that lists the names of places."""
    names = {}
    for name, (latitude, longitude) in PLACES.items():
        venue = make_venue(venue=name, geo_lat=latitude, geo_lng=longitude)["id"]
        names[make_event(title=name, venue=venue)["id"]] = names[venue] = name

    def listed(**query):
        both = []
        for collection in ("events", "venues"):
            answer = anyone.get(f"/{collection}", per_page=50, **query)
            assert answer.status_code == 200, answer.json
            assert answer.json["total"] == len(answer.json[collection])
            both.append({names[record["id"]] for record in answer.json[collection]})
        assert both[0] == both[1]
        return both[0]

    return listed


def around(latitude, longitude, radius, **more):
    return {"geoloc_lat": latitude, "geoloc_lng": longitude, "geoloc_radius": radius, **more}


@pytest.mark.parametrize("order", [{}, {"orderby": "distance"}], ids=["by start", "by distance"])
def test_a_circle_has_no_edge_at_the_antimeridian_or_at_a_pole(listed_places, order):
    fiji = {"suva", "taveuni", "rabi"}
    assert listed_places(**around(-17, 179.9, 400, **order)) == fiji
    assert listed_places(**around(-17, -179.9, 400, **order)) == fiji
    assert listed_places(**around(89, 45, 100, **order)) == set()
    assert listed_places(**around(89, 45, 112, **order)) == {"north pole"}
    assert listed_places(**around(89, 117, 1000, **order)) == {"north pole", "alert"}
    assert listed_places(**around(-89.9, -60, 12, **order)) == {"south pole"}


@pytest.mark.parametrize("order", [{}, {"orderby": "distance"}], ids=["by start", "by distance"])
def test_a_radius_may_be_nothing_or_nearly_half_the_earth(listed_places, order):
    assert listed_places(**around(46.85, 9.53, 0, **order)) == {"chur"}
    assert listed_places(**around(46.8501, 9.53, 0, **order)) == set()
    assert listed_places(**around(0, 0, 20000, **order)) == set(PLACES)
    # Their antipodes are 20,015 km away.
    assert listed_places(**around(-46.85, -170.47, 20000, **order)) == set(PLACES) - {"chur"}
    assert listed_places(**around(0, 180, 20000, **order)) == set(PLACES) - {"null island"}
    assert listed_places(**around(-90, 0, 20000, **order)) == set(PLACES) - {"north pole"}


@pytest.mark.parametrize("order", [{}, {"orderby": "distance"}], ids=["by start", "by distance"])
def test_one_place_may_have_several_names(listed_places, order):
    assert listed_places(**around(-16.8, -180, 0, **order)) == {"taveuni"}
    assert listed_places(**around(-16.5, 180, 0, **order)) == {"rabi"}
    assert listed_places(**around(90, 77, 0, **order)) == {"north pole"}
    assert listed_places(**around(-90, -180, 0, **order)) == {"south pole"}


def test_a_box_may_cross_the_antimeridian_and_touch_it_from_either_side(listed_places):
    assert listed_places(geoloc_bbox="178,-20,-170,-10") == {"suva", "apia", "taveuni", "rabi"}
    assert listed_places(geoloc_bbox="178,-20,180,-10") == {"suva", "taveuni", "rabi"}
    assert listed_places(geoloc_bbox="-180,-20,-170,-10") == {"apia", "taveuni", "rabi"}
    assert listed_places(geoloc_bbox="180,-20,-180,-10") == {"taveuni", "rabi"}
    assert listed_places(geoloc_bbox="180,-20,180,-10") == {"taveuni", "rabi"}


def test_a_box_may_be_the_world_or_most_of_it_or_a_line_or_a_point(listed_places):
    assert listed_places(geoloc_bbox=WORLD) == set(PLACES)
    assert listed_places(geoloc_bbox="-180,80,180,90") == {"alert", "north pole"}
    assert listed_places(geoloc_bbox="-180,-90,180,-80") == {"south pole"}
    assert listed_places(geoloc_bbox="-175,-80,175,80") == {"chur", "apia", "null island"}
    beyond = {"alert", "north pole", "south pole"}
    assert listed_places(geoloc_bbox="10,-80,9,80") == set(PLACES) - beyond - {"chur"}
    assert listed_places(geoloc_bbox="9.53,0,9.53,90") == {"chur"}
    assert listed_places(geoloc_bbox="0,0,0,0") == {"null island"}


def test_the_sides_of_a_box_are_parallels_not_great_circles(make_venue, anyone):
    # A great circle from 45° N 0° E to 45° N 90° E passes 54.7° N on its way.
    make_venue(venue="below", geo_lat=44.9, geo_lng=45)
    make_venue(venue="within", geo_lat=54, geo_lng=45)
    make_venue(venue="above", geo_lat=60.1, geo_lng=45)
    for box in ("0,45,90,60", "-90,45,100,60"):
        venues = anyone.get("/venues", geoloc_bbox=box).json["venues"]
        assert [venue["venue"] for venue in venues] == ["within"], box


def test_circle_and_distance_measure_on_the_same_earth(make_venue, anyone):
    make_venue(geo_lat=0, geo_lng=1)

    for radius, count in ((DEGREE_KM - 0.001, 0), (DEGREE_KM + 0.001, 1)):
        for order in ({}, {"orderby": "distance"}):
            answer = anyone.get("/venues", **around(0, 0, radius, **order))
            assert answer.json["total"] == count
    assert answer.json["venues"][0]["distance"] == pytest.approx(DEGREE_KM, abs=0.001)


@pytest.mark.parametrize("collection", ["events", "venues"])
@pytest.mark.parametrize("name", ["geoloc_lat", "geoloc_lng", "geoloc_radius"])
@pytest.mark.parametrize(
    "value",
    [
        "",
        "x",
        "nan",
        "NaN",
        "inf",
        "-inf",
        "1e999",
        "-1e999",
        "20001",
        "-181",
        "1,2",
        "0x1",
        "\u0661",
    ],
    ids=ascii,
)
def test_coordinate_out_of_range_is_refused_by_name(anyone, collection, name, value):
    answer = anyone.get(f"/{collection}", **around(46, 9, 10) | {name: value})

    assert answer.status_code == 400
    assert answer.invalid_params == [name]


@pytest.mark.parametrize("collection", ["events", "venues"])
@pytest.mark.parametrize("lacking", ["geoloc_lat", "geoloc_lng"])
def test_one_coordinate_alone_is_refused_by_the_name_of_the_other(anyone, collection, lacking):
    query = around(46, 9, 10)
    del query[lacking]
    answer = anyone.get(f"/{collection}", **query)

    assert answer.status_code == 400
    assert answer.invalid_params == [lacking]


@pytest.mark.parametrize("collection", ["events", "venues"])
@pytest.mark.parametrize(
    "box",
    [
        *("", ",", ",,,", "9", "9,46", "9,46,10", "9,46,10,47,11", "9,46,10,x", "9;46;10;47"),
        *("9,47,10,46", "9,-91,10,47", "9,46,10,91", "-181,46,10,47", "9,46,181,47"),
        *("nan,46,10,47", "9,46,10,nan", "-inf,46,10,47", "9,46,1e999,47", "[9,46,10,47]"),
    ],
    ids=ascii,
)
def test_invalid_box_is_refused(anyone, collection, box):
    answer = anyone.get(f"/{collection}", geoloc_bbox=box)

    assert answer.status_code == 400
    assert answer.invalid_params == ["geoloc_bbox"]


@pytest.mark.parametrize("value", ["nan", "inf", "1e999", 91, True, [46], {"a": 1}], ids=str)
def test_a_venue_lies_on_the_earth(as_admin, value):
    answer = as_admin.post("/venues", venue="Nowhere", geo_lat=value, geo_lng=9)

    assert answer.status_code == 400
    assert answer.invalid_params == ["geo_lat"]


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity"])
def test_json_has_no_numbers_beyond_all_bounds(as_admin, number):
    body = f'{{"venue": "Nowhere", "geo_lat": {number}, "geo_lng": 9}}'
    answer = as_admin.send("POST", "/venues", data=body, content_type="application/json")

    assert (answer.status_code, answer.code) == (400, "rest_invalid_json")
