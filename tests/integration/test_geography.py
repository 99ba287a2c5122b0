"""Where events take place; only a real MongoDB measures distances."""

import pytest

CHUR, DAVOS, ZURICH = (46.8508, 9.5320), (46.8027, 9.8360), (47.3769, 8.5417)


@pytest.fixture
def make_at(make_venue, make_event):
    """Return a function that creates a venue at a point with an event; it returns both ids."""

    def make(point=None, **changes):
        place = dict(zip(("geo_lat", "geo_lng"), point, strict=True)) if point else {}
        venue = make_venue(**place)["id"]
        return make_event(venue=venue, **changes)["id"], venue

    return make


def near(point, **more):
    return {"geoloc_lat": point[0], "geoloc_lng": point[1], **more}


@pytest.fixture
def listed(anyone):
    """Return a function that lists the ids for given parameters."""

    def ids(collection="events", **query):
        answer = anyone.get(f"/{collection}", **query)
        assert answer.status_code == 200, answer.json
        assert answer.json["total"] == len(answer.json[collection])
        return [record["id"] for record in answer.json[collection]]

    return ids


def test_events_are_found_within_a_radius(make_at, listed):
    chur, davos, zurich = (make_at(point)[0] for point in (CHUR, DAVOS, ZURICH))
    make_at()

    assert listed(**near(CHUR)) == [chur]
    assert listed(**near(CHUR, geoloc_radius=30)) == [chur, davos]
    assert listed(**near(CHUR, geoloc_radius=20000)) == [chur, davos, zurich]
    assert listed(**near(CHUR, geoloc_radius="0.5")) == [chur]


def test_events_are_ordered_by_distance(make_at, anyone):
    zurich, chur, davos = (make_at(point)[0] for point in (ZURICH, CHUR, DAVOS))
    query = near(DAVOS, geoloc_radius=500, orderby="distance")
    events = anyone.get("/events", **query).json["events"]

    assert [event["id"] for event in events] == [davos, chur, zurich]
    assert events[0]["distance"] == pytest.approx(0, abs=0.01)
    assert events[1]["distance"] == pytest.approx(23.7, abs=0.3)
    assert events[2]["distance"] == pytest.approx(117, abs=2)
    down = anyone.get("/events", **query, order="desc").json["events"]
    assert [event["id"] for event in down] == [zurich, chur, davos]


def test_only_the_order_by_distance_shows_it(make_at, anyone):
    make_at(CHUR)

    assert "distance" not in anyone.get("/events", **near(CHUR)).json["events"][0]


@pytest.mark.parametrize("collection", ["events", "venues"])
def test_any_order_shows_the_distance_where_that_is_asked_for(make_at, anyone, collection):
    davos = make_at(DAVOS, start_date="2030-02-01 10:00", end_date="2030-02-01 11:00")
    chur = make_at(CHUR, start_date="2030-02-02 10:00", end_date="2030-02-02 11:00")
    ids = [ids_there[collection == "venues"] for ids_there in (davos, chur)]
    query = near(DAVOS, geoloc_radius=500)
    plain = anyone.get(f"/{collection}", **query).json[collection]
    measured = anyone.get(f"/{collection}", **query, distance=True).json[collection]

    assert [record["id"] for record in measured] == [record["id"] for record in plain]
    distances = {record["id"]: record["distance"] for record in measured}
    assert distances[ids[0]] == pytest.approx(0, abs=0.01)
    assert distances[ids[1]] == pytest.approx(23.7, abs=0.3)
    by_distance = anyone.get(f"/{collection}", **query, orderby="distance", distance=True).json
    assert {record["id"]: record["distance"] for record in by_distance[collection]} == distances


@pytest.mark.parametrize("collection", ["events", "venues"])
def test_a_distance_needs_a_point(anyone, collection):
    answer = anyone.get(f"/{collection}", distance=True)
    assert (answer.status_code, answer.invalid_params) == (400, ["distance"])


def test_the_distance_of_a_hidden_venue_is_for_its_readers(make_at, anyone, as_admin):
    _, venue = make_at(CHUR)
    as_admin.put(f"/venues/{venue}", status="private")
    query = near(CHUR, distance=True)

    assert anyone.get("/events", **query).json["events"] == []
    (event,) = as_admin.get("/events", **query).json["events"]
    assert event["distance"] == pytest.approx(0, abs=0.01)


def test_a_known_place_is_a_filter(make_at, make_event, listed):
    there, nowhere = make_at(CHUR)[0], make_at()[0]
    placeless = make_event()["id"]

    assert listed(geoloc=True) == [there]
    assert listed(geoloc=False) == [nowhere, placeless]


def test_a_box_is_a_filter(make_at, listed):
    chur, davos, zurich = (make_at(point)[0] for point in (CHUR, DAVOS, ZURICH))

    assert listed(geoloc_bbox="9.4,46.7,9.6,46.9") == [chur]
    assert listed(geoloc_bbox="8,46,10,48") == [chur, davos, zurich]
    assert listed(geoloc_bbox="-180,-90,180,90") == [chur, davos, zurich]


def test_a_box_may_cross_the_date_line(make_at, listed):
    fiji = make_at((-17.7, 178.0))[0]
    samoa = make_at((-13.8, -172.0))[0]
    make_at(CHUR)

    assert listed(geoloc_bbox="170,-30,-170,0") == [fiji, samoa]


@pytest.mark.parametrize(
    "query",
    [
        {"geoloc_lat": 46},
        {"geoloc_lng": 9},
        {"geoloc_lat": 91, "geoloc_lng": 0},
        {"geoloc_lat": 0, "geoloc_lng": 181},
        {"geoloc_lat": "x", "geoloc_lng": 0},
        {"geoloc_lat": 0, "geoloc_lng": 0, "geoloc_radius": -1},
        {"geoloc_lat": 0, "geoloc_lng": 0, "geoloc_radius": 20001},
        {"geoloc_lat": "nan", "geoloc_lng": 0},
        {"geoloc_bbox": "1,2,3"},
        {"geoloc_bbox": "1,2,3,x"},
        {"geoloc_bbox": "0,10,10,0"},
        {"geoloc_bbox": "0,-91,10,0"},
        {"geoloc": "maybe"},
    ],
)
@pytest.mark.parametrize("collection", ["events", "venues"])
def test_half_a_point_and_points_off_the_earth_are_refused(anyone, collection, query):
    answer = anyone.get(f"/{collection}", **query)

    assert answer.status_code == 400
    assert len(answer.invalid_params) == 1
    assert answer.invalid_params[0] in {*query, "geoloc_lat", "geoloc_lng"}


def test_order_by_distance_requires_a_point_for_events(make_at, anyone):
    make_at(CHUR)
    refused = anyone.get("/events", orderby="distance")
    ignored = anyone.get("/venues", orderby="distance")

    assert (refused.status_code, refused.invalid_params) == (400, ["orderby"])
    assert (ignored.status_code, ignored.json["total"]) == (200, 1)
    assert "distance" not in ignored.json["venues"][0]


def test_the_same_filters_work_on_venues(make_at, listed, anyone):
    chur, davos = make_at(CHUR)[1], make_at(DAVOS)[1]
    nowhere = make_at()[1]

    assert listed("venues", **near(CHUR)) == [chur]
    assert set(listed("venues", geoloc=True)) == {chur, davos}
    assert listed("venues", geoloc=False) == [nowhere]
    assert listed("venues", geoloc_bbox="9.4,46.7,9.6,46.9") == [chur]
    query = near(DAVOS, geoloc_radius=500, orderby="distance")
    venues = anyone.get("/venues", **query).json["venues"]
    assert [venue["id"] for venue in venues] == [davos, chur]
    assert venues[1]["distance"] == pytest.approx(23.7, abs=0.3)


def test_moving_a_venue_moves_its_events(make_at, as_admin, listed):
    event, venue = make_at(CHUR)
    as_admin.put(f"/venues/{venue}", geo_lat=ZURICH[0], geo_lng=ZURICH[1])
    assert listed(**near(CHUR)) == []
    assert listed(**near(ZURICH)) == [event]

    as_admin.put(f"/venues/{venue}", geo_lat=None, geo_lng=None)
    assert listed(geoloc=True) == []


def test_an_event_takes_place_at_its_first_venue(make_venue, make_event, as_admin, listed):
    first = make_venue(geo_lat=CHUR[0], geo_lng=CHUR[1])["id"]
    second = make_venue(geo_lat=ZURICH[0], geo_lng=ZURICH[1])["id"]
    event = make_event(venue=[first, second])["id"]

    as_admin.put(f"/venues/{second}", geo_lat=DAVOS[0], geo_lng=DAVOS[1])
    assert listed(**near(CHUR)) == [event]
    as_admin.put(f"/venues/{first}", geo_lat=ZURICH[0], geo_lng=ZURICH[1])
    assert listed(**near(ZURICH)) == [event]
    as_admin.patch(f"/events/{event}", venue=[second, first])
    assert listed(**near(DAVOS)) == [event]
    as_admin.patch(f"/events/{event}", venue=[])
    assert listed(geoloc=True) == []


def test_events_of_a_trashed_venue_are_found_only_by_editors(make_at, as_admin, as_author, listed):
    event, venue = make_at(CHUR)
    as_admin.delete(f"/venues/{venue}")
    for query in (near(CHUR), {"geoloc": True}, {"geoloc_bbox": "9.4,46.7,9.6,46.9"}):
        assert listed(**query) == []
        assert as_author.get("/events", **query).json["total"] == 0
        assert as_admin.get("/events", **query).json["total"] == 1
    assert listed(geoloc=False) == [event]

    as_admin.post(f"/venues/{venue}", status="publish")
    assert listed(**near(CHUR)) == [event]
    as_admin.delete(f"/venues/{venue}", force=True)
    assert listed(**near(CHUR)) == []


@pytest.mark.parametrize("status", ["draft", "pending", "private", "trash"])
def test_an_event_is_found_at_its_first_public_venue(
    make_venue, make_event, as_admin, listed, status
):
    first = make_venue(geo_lat=CHUR[0], geo_lng=CHUR[1])["id"]
    second = make_venue(geo_lat=ZURICH[0], geo_lng=ZURICH[1])["id"]
    event = make_event(venue=[first, second])["id"]

    as_admin.patch(f"/venues/{first}", status=status)
    assert (listed(**near(CHUR)), listed(**near(ZURICH))) == ([], [event])
    later = make_event(venue=[first, second])["id"]
    assert (listed(**near(CHUR)), set(listed(**near(ZURICH)))) == ([], {event, later})

    as_admin.patch(f"/venues/{first}", status="publish")
    assert (set(listed(**near(CHUR))), listed(**near(ZURICH))) == ({event, later}, [])


@pytest.mark.parametrize("query", [{}, {"orderby": "distance"}])
def test_hidden_venue_locates_events_only_for_its_readers(
    make_venue, make_event, calling_as, as_author, query
):
    hidden = make_venue(by=as_author, status="private", geo_lat=CHUR[0], geo_lng=CHUR[1])["id"]
    public = make_venue(geo_lat=ZURICH[0], geo_lng=ZURICH[1])["id"]
    make_event(venue=[hidden, public])

    def is_at(name, place):
        return calling_as(name).get("/events", **near(place), **query).json["total"]

    for name in ("author", "editor", "admin"):
        assert (is_at(name, CHUR), is_at(name, ZURICH)) == (1, 0)
    for name in (None, "subscriber", "contributor", "author2"):
        assert (is_at(name, CHUR), is_at(name, ZURICH)) == (0, 1)


def test_events_are_at_a_scheduled_venue_after_its_publication(
    make_venue, make_event, publish_after, listed
):
    place = {"geo_lat": CHUR[0], "geo_lng": CHUR[1]}
    venue = make_venue(date="2030-02-01 08:00:00", **place)["id"]
    event = make_event(venue=venue)["id"]
    assert listed(**near(CHUR)) == []

    publish_after(days=20)
    assert listed(**near(CHUR)) == [event]


def test_pages_by_distance_hold_every_event_once(make_at, anyone):
    ids = [make_at((46 + n / 100, 9))[0] for n in range(7)]
    query = near((46, 9), geoloc_radius=500, orderby="distance", per_page=3)
    answer, event_ids = anyone.get("/events", **query), []
    while True:
        event_ids += [event["id"] for event in answer.json["events"]]
        if "next_rest_url" not in answer.json:
            break
        answer = anyone.follow(answer.json["next_rest_url"])

    assert event_ids == ids
    assert answer.json["total"] == 7


def test_distances_use_only_readable_venues(make_at, anyone):
    make_at(CHUR, status="draft")
    query = near(CHUR, orderby="distance")

    assert anyone.get("/events", **query).json["total"] == 0


def test_distance_of_a_hidden_venue_is_shown_only_to_its_readers(make_at, as_admin, anyone):
    _, venue = make_at(CHUR)
    as_admin.patch(f"/venues/{venue}", status="private")
    query = near(DAVOS, geoloc_radius=500, orderby="distance")

    assert anyone.get("/events", **query).json["total"] == 0
    (event,) = as_admin.get("/events", **query).json["events"]
    assert event["distance"] == pytest.approx(23.7, abs=0.3)


def test_a_point_at_a_pole_or_on_the_date_line_does_no_harm(make_at, listed):
    event = make_at((89.99, 180))[0]

    assert listed(**near((90, -180), geoloc_radius=50)) == [event]
    assert listed(**near((90, 0), geoloc_radius=50, orderby="distance")) == [event]
