"""Venues and organizers on their own routes."""

import pytest

KINDS = [("venue", "venues"), ("organizer", "organizers")]
ALWAYS = ["id", "author", "status", "date", "date_utc", "modified", "modified_utc", "url"]


@pytest.mark.parametrize(("field", "collection"), KINDS)
def test_only_the_name_is_required_and_empty_fields_are_left_out(as_admin, field, collection):
    answer = as_admin.post(f"/{collection}", **{field: "Minimal & more"})

    assert answer.status_code == 201
    assert "Location" not in answer.headers
    record = answer.json
    number = record["id"]
    maps = ["show_map", "show_map_link"] if field == "venue" else []
    expected = [*ALWAYS, field, "slug", *maps, "global_id", "global_id_lineage"]
    languages = ["language", "fallback_fields", "translations"]
    assert list(record) == [*expected, *languages]
    assert record[field] == "Minimal &amp; more"
    assert record["slug"] == "minimal-more"
    assert record["author"] == "1"
    assert record["url"] == f"https://calendar.example/{field}/minimal-more/"
    assert record["global_id"] == f"calendar.example?id={number}"
    assert "rest_url" not in record


@pytest.mark.parametrize(("field", "collection"), KINDS)
def test_a_name_is_needed(as_admin, field, collection):
    missing = as_admin.post(f"/{collection}", phone="1")
    assert missing.code == "rest_missing_callback_param"
    assert missing.json["data"]["params"] == [field]
    assert as_admin.post(f"/{collection}", **{field: ""}).invalid_params == [field]
    assert as_admin.post(f"/{collection}", **{field: None}).json["data"]["params"] == [field]


def test_a_venue_keeps_every_field(make_venue):
    sent = {
        "address": "Claridenstrasse 7",
        "city": "Zürich",
        "country": "Switzerland",
        "province": "ZH",
        "state": "S",
        "zip": "8002",
        "phone": "+41 44 206 34 34",
        "website": "https://tonhalle.example/?a=1&b=2",
        "stateprovince": "Zurich",
        "geo_lat": 47.3662,
        "geo_lng": 8.5376,
        "show_map": False,
        "show_map_link": False,
    }
    venue = make_venue(**sent, description="Concert hall")

    assert {name: venue[name] for name in sent} == sent
    assert venue["description"] == "<p>Concert hall</p>"


def test_an_organizer_keeps_every_field(make_organizer):
    sent = {"phone": "555-1234", "website": "https://jazz.example/", "email": "info@jazz.example"}
    organizer = make_organizer(**sent, description="We <b>swing</b>")

    assert {name: organizer[name] for name in sent} == sent
    assert organizer["description"] == "<p>We <b>swing</b></p>"


def test_maps_of_a_venue_take_texts_and_booleans(make_venue):
    for yes in (True, "true", "1", "yes", 1, "ON"):
        assert make_venue(show_map=yes)["show_map"] is True
    for no in (False, "false", "0", "nonsense", 0):
        assert make_venue(show_map=no)["show_map"] is False


@pytest.mark.parametrize("field", ["show_map", "show_map_link"])
@pytest.mark.parametrize("value", [["false"], [], {}, {"a": True}, 2, -1, 0.5, 1.0])
def test_maps_of_a_venue_take_nothing_else(make_venue, as_admin, field, value):
    path = f"/venues/{make_venue()['id']}"
    answers = (
        as_admin.post("/venues", venue="Hall", **{field: value}),
        as_admin.put(path, **{field: value}),
    )
    for answer in answers:
        assert (answer.status_code, answer.invalid_params) == (400, [field])
        assert answer.json["data"]["details"][field]["code"] == "rest_invalid_type"
    assert as_admin.put(path, **{field: ""}).json[field] is False


@pytest.mark.parametrize("empty", ["", None])
def test_empty_values_clear_fields_of_a_venue(make_venue, as_admin, empty):
    lines = ["description", "address", "city", "country", "province", "state", "zip", "phone"]
    full = make_venue(
        **dict.fromkeys([*lines, "stateprovince"], "x"),
        website="https://a.example/",
        image="https://a.example/b.png",
        geo_lat=1,
        geo_lng=2,
    )
    names_of_all = [*lines, "stateprovince", "website", "image", "geo_lat", "geo_lng"]
    cleared = as_admin.put(f"/venues/{full['id']}", **dict.fromkeys(names_of_all, empty))

    assert cleared.status_code == 200, cleared.json
    assert [name for name in names_of_all if name in cleared.json] == []


@pytest.mark.parametrize(("field", "collection"), KINDS)
def test_null_is_refused_where_nothing_can_be_empty(as_admin, field, collection):
    record = as_admin.post(f"/{collection}", **{field: "Name"}).json
    for name in (field, "slug", "status", "author", "date"):
        answer = as_admin.put(f"/{collection}/{record['id']}", **{name: None})

        assert answer.status_code == 400
        assert answer.invalid_params == [name]


@pytest.mark.parametrize(("field", "collection"), KINDS)
def test_slugs_are_writable_by_id_and_name_the_record_by_slug(as_admin, field, collection):
    record = as_admin.post(f"/{collection}", **{field: "Name"}).json
    path = f"/{collection}/{record['id']}"

    by_slug = as_admin.put(f"/{collection}/by-slug/name", slug="other", description="New")
    assert by_slug.json["id"] == record["id"]
    assert by_slug.json["slug"] == "name"
    assert as_admin.put(path, slug="Other Name").json["slug"] == "other-name"
    assert as_admin.put(path, **{field: "Renamed"}).json["slug"] == "other-name"


@pytest.mark.parametrize(("field", "collection"), KINDS)
def test_a_draft_has_a_slug(as_admin, field, collection):
    answer = as_admin.post(f"/{collection}", **{field: "Name"}, status="draft")

    assert answer.json["slug"] == "name"
    assert answer.json["date_utc"] == "0000-00-00 00:00:00"


@pytest.mark.parametrize(("field", "collection"), KINDS)
def test_renaming_to_the_name_of_another_is_allowed(as_admin, field, collection):
    as_admin.post(f"/{collection}", **{field: "Taken"})
    created_record = as_admin.post(f"/{collection}", **{field: "Other"}).json
    answer = as_admin.put(f"/{collection}/{created_record['id']}", **{field: "Taken"})

    assert answer.status_code == 200
    assert answer.json["id"] == created_record["id"]


@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_coordinates_stay_where_an_address_is_sent_without_any(as_admin, method):
    hall = as_admin.post("/venues", venue="Hall", city="Dorta", geo_lat=46.5, geo_lng=9.5).json
    path = "/venues" if method == "POST" else f"/venues/{hall['id']}"
    moved = as_admin.send(method, path, json={"venue": "Hall", "city": "Runcalta"}).json

    assert moved["id"] == hall["id"]
    assert (moved["city"], moved["geo_lat"], moved["geo_lng"]) == ("Runcalta", 46.5, 9.5)


@pytest.mark.parametrize(("field", "collection"), KINDS)
def test_creating_with_an_existing_name_updates_that_record(as_admin, field, collection):
    first = as_admin.post(f"/{collection}", **{field: "Name"}, phone="1", description="A").json
    again = as_admin.post(f"/{collection}", **{field: "NAME"}, description="B", status="draft")

    assert again.status_code == 201
    assert again.json["id"] == first["id"]
    assert again.json["phone"] == "1"
    assert again.json["description"] == "<p>B</p>"
    assert again.json["status"] == "publish"


@pytest.mark.parametrize(("field", "collection"), KINDS)
def test_single_record_has_json_ld(as_admin, anyone, field, collection):
    record = as_admin.post(
        f"/{collection}",
        **{field: "Tom & Co"},
        phone="1",
        website="https://a.example/",
        image="https://a.example/b.png",
    ).json
    described = anyone.get(f"/{collection}/{record['id']}").json["json_ld"]

    assert "json_ld" not in record
    assert "json_ld" not in anyone.get(f"/{collection}").json[collection][0]
    assert described["@type"] == ("Place" if field == "venue" else "Organization")
    assert described["name"] == "Tom & Co"
    assert described["telephone"] == "1"
    assert described["sameAs"] == "https://a.example/"
    assert described["image"] == "https://a.example/b.png"


def test_organizer_email_is_plain_in_json_ld(make_organizer, anyone):
    organizer = make_organizer(email="info@jazz.example")

    current_organizer = anyone.get(f"/organizers/{organizer['id']}").json
    assert (
        current_organizer["json_ld"]["email"] == current_organizer["email"] == "info@jazz.example"
    )


def test_a_place_has_an_address_and_coordinates_in_json_ld(make_venue, anyone):
    venue = make_venue(address="Street 1", city="Chur", zip="7000", geo_lat=46.85, geo_lng=9.53)

    described = anyone.get(f"/venues/{venue['id']}").json["json_ld"]
    assert described["address"] == {
        "@type": "PostalAddress",
        "streetAddress": "Street 1",
        "addressLocality": "Chur",
        "postalCode": "7000",
    }
    assert described["geo"]["latitude"] == 46.85
    assert described["geo"]["longitude"] == 9.53


def test_one_coordinate_alone_is_refused(as_admin, make_venue):
    for sent in ({"geo_lat": 46}, {"geo_lng": 9}, {"geo_lat": 46, "geo_lng": ""}):
        answer = as_admin.post("/venues", venue="Half", **sent)
        assert answer.status_code == 400
        assert set(answer.invalid_params) <= {"geo_lat", "geo_lng"}

    venue = make_venue(geo_lat=46, geo_lng=9)
    answer = as_admin.put(f"/venues/{venue['id']}", geo_lat=None)
    assert answer.status_code == 400
    both = as_admin.put(f"/venues/{venue['id']}", geo_lat=None, geo_lng=None)
    assert "geo_lat" not in both.json


def test_a_venue_on_the_equator_shows_its_place(make_venue):
    venue = make_venue(geo_lat=0, geo_lng=0)

    assert (venue["geo_lat"], venue["geo_lng"]) == (0, 0)


def test_a_venue_moves_along_a_meridian(make_venue, as_admin):
    venue = make_venue(geo_lat=46.5, geo_lng=9.5)

    moved = as_admin.put(f"/venues/{venue['id']}", geo_lat=46.25, geo_lng=9.5)

    assert (moved.status_code, moved.json["geo_lat"], moved.json["geo_lng"]) == (200, 46.25, 9.5)
