"""Responses match the schemas of the OpenAPI document."""

from io import BytesIO

import pytest
from jsonschema import Draft202012Validator
from keeping import kept
from PIL import Image
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

SHAPES = {
    "events": "Event",
    "venues": "Venue",
    "organizers": "Organizer",
    "categories": "Category",
    "tags": "Tag",
}
NAMES = {
    "events": {
        "title": "Neue Lesung",
        "start_date": "2030-02-01 19:00:00",
        "end_date": "2030-02-01 21:00:00",
    },
    "venues": {"venue": "Neues Haus"},
    "organizers": {"organizer": "Neuer Verein"},
    "categories": {"name": "Neue Gattung"},
    "tags": {"name": "Neues Wort"},
}


def closed(schema):
    """Return the schema without additional properties."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed_schema = {name: closed(part) for name, part in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        closed_schema.setdefault("additionalProperties", False)
    return closed_schema


@pytest.fixture(scope="module")
def violations(document):
    """Return a function that lists the violations of a named schema."""
    resource = Resource(closed(document), DRAFT202012)
    registry = Registry().with_resource("urn:document", resource)

    def find_violations(name, answer):
        reference = {"$ref": f"urn:document#/components/schemas/{name}"}
        validator = Draft202012Validator(reference, registry=registry)
        return [
            f"{error.json_path}: {error.message}"[:300] for error in validator.iter_errors(answer)
        ]

    return find_violations


def png():
    data = BytesIO()
    Image.new("RGB", (400, 400)).save(data, "PNG")
    data.seek(0)
    return data


@kept
def rich(as_admin):
    """Make records in which every field has something; return their ids by collection."""

    def create(collection, **fields):
        return as_admin.post(f"/{collection}", **NAMES[collection], **fields).json["id"]

    form = {"file": (png(), "a.png")}
    shared = {
        "description": "Musik",
        "website": "https://example.org/",
        "image": as_admin.send("POST", "/media", data=form).json["id"],
    }
    phone = {"phone": "081"}
    regions = dict.fromkeys(("country", "province", "state", "stateprovince"), "GR")
    place = {"address": "Via 1", "city": "Chur", "zip": "7000", "geo_lat": 46.85, "geo_lng": 9.53}
    parent = as_admin.post("/categories", name="Oben").json["id"]
    ids = {
        "venues": create("venues", **shared, **phone, **regions, **place),
        "organizers": create("organizers", **shared, **phone, email="a@example.org"),
        "categories": create("categories", parent=parent, description="Unten"),
        "tags": create("tags", description="Wort"),
    }
    links = {"venue": [ids["venues"]], "organizer": [ids["organizers"]]}
    terms = {"categories": [ids["categories"]], "tags": [ids["tags"]]}
    return ids | {"events": create("events", **shared, **links, **terms, excerpt="Kurz", cost="10")}


@pytest.mark.parametrize("collection", SHAPES)
def test_record_matches_its_schema(as_admin, rich, violations, collection):
    shape = SHAPES[collection]
    for query in ({}, {"translation_language": "all"}, {"translation_language": "rm"}):
        record = as_admin.get(f"/{collection}/{rich[collection]}", **query).json
        assert violations(shape, record) == []


@pytest.mark.parametrize("collection", SHAPES)
def test_record_has_every_required_field(as_admin, document, collection):
    record = as_admin.post(f"/{collection}", **NAMES[collection]).json
    required = set(document["components"]["schemas"][SHAPES[collection]]["required"])
    assert required <= record.keys()
    (listed,) = as_admin.get(f"/{collection}", hide_empty="false").json[collection]
    assert required <= listed.keys()


@pytest.mark.usefixtures("rich")
@pytest.mark.parametrize("collection", SHAPES)
def test_list_matches_its_schema(as_admin, violations, collection):
    page = as_admin.get(f"/{collection}", per_page=1).json
    assert page[collection]
    assert violations(f"{SHAPES[collection]}Page", page) == []
    empty = as_admin.get(f"/{collection}", search="gibtesnicht").json
    assert violations(f"{SHAPES[collection]}Page", empty) == []


@pytest.mark.parametrize("collection", SHAPES)
def test_created_changed_and_deleted_records_match_the_schema(as_admin, violations, collection):
    shape = SHAPES[collection]
    created = as_admin.post(f"/{collection}", **NAMES[collection])
    assert created.status_code == 201
    assert violations(shape, created.json) == []
    path = f"/{collection}/{created.json['id']}"
    assert violations(shape, as_admin.patch(path, description="Neu").json) == []
    assert violations(shape, as_admin.delete(path).json) == []


def test_protected_event_matches_the_schema(as_admin, anyone, rich, violations):
    as_admin.patch(f"/events/{rich['events']}", password="geheim")
    (protected,) = anyone.get("/events", include=rich["events"]).json["events"]
    assert violations("Event", protected) == []


def test_distances_are_described(anyone, rich, violations):
    page = anyone.get("/events", geoloc_lat=46.8, geoloc_lng=9.5, orderby="distance").json
    assert [event["id"] for event in page["events"]] == [rich["events"]]
    assert violations("EventPage", page) == []


def test_refusals_are_described(anyone, as_admin, violations):
    refused = [
        anyone.get("/events/999"),
        anyone.get("/events", featured="maybe", page=0),
        anyone.post("/events"),
        as_admin.post("/events"),
        as_admin.send("POST", "/events", data="{", headers={"Content-Type": "application/json"}),
        as_admin.delete("/events"),
    ]
    for answer in refused:
        assert answer.status_code >= 400
        assert violations("Error", answer.json) == []


def test_an_upload_is_described(as_admin, violations):
    form = {"file": (png(), "a.png")}
    assert violations("Media", as_admin.send("POST", "/media", data=form).json) == []


def test_external_picture_matches_the_schema(as_admin, make_event, violations):
    event = make_event(image="https://example.org/a.png")
    assert violations("Event", as_admin.get(f"/events/{event['id']}").json) == []


def test_the_root_is_described(anyone, violations):
    assert violations("Index", anyone.get("").json) == []


def test_pictures_and_their_uses_match_the_schema(as_admin, rich, violations):
    picture = as_admin.get(f"/events/{rich['events']}").json["image"]["id"]
    page = as_admin.get("/media").json
    assert violations("MediaPage", page) == []
    assert page["media"]
    alone = as_admin.get(f"/media/{picture}", translation_language="all").json
    assert len(alone["used_by"]) == 3
    assert violations("Media", alone) == []
    assert violations("Error", as_admin.delete(f"/media/{picture}").json) == []
