"""What the service answers is what the OpenAPI document describes."""

from io import BytesIO

import pytest
from jsonschema import Draft202012Validator
from PIL import Image
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from calendar_app.resources.categories.schemas import CategorySchema
from calendar_app.resources.events.schemas import EventSchema
from calendar_app.resources.organizers.schemas import OrganizerSchema
from calendar_app.resources.tags.schemas import TagSchema
from calendar_app.resources.venues.schemas import VenueSchema

SHAPES = {
    "events": "Event",
    "venues": "Venue",
    "organizers": "Organizer",
    "categories": "Category",
    "tags": "Tag",
}
SCHEMAS = {
    "events": EventSchema,
    "venues": VenueSchema,
    "organizers": OrganizerSchema,
    "categories": CategorySchema,
    "tags": TagSchema,
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
    """Return a schema that forbids what it does not describe."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: closed(part) for name, part in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        made.setdefault("additionalProperties", False)
    return made


@pytest.fixture(scope="module")
def violations(document):
    """Return what finds where an answer departs from the schema of this name."""
    resource = Resource(closed(document), DRAFT202012)
    registry = Registry().with_resource("urn:document", resource)

    def found(name, answer):
        reference = {"$ref": f"urn:document#/components/schemas/{name}"}
        validator = Draft202012Validator(reference, registry=registry)
        return [f"{one.json_path}: {one.message}"[:300] for one in validator.iter_errors(answer)]

    return found


def png():
    data = BytesIO()
    Image.new("RGB", (400, 400)).save(data, "PNG")
    data.seek(0)
    return data


@pytest.fixture
def rich(as_admin):
    """Make records in which every field has something; return their ids by collection."""

    def made(collection, **fields):
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
        "venues": made("venues", **shared, **phone, **regions, **place),
        "organizers": made("organizers", **shared, **phone, email="a@example.org"),
        "categories": made("categories", parent=parent, description="Unten"),
        "tags": made("tags", description="Wort"),
    }
    links = {"venue": [ids["venues"]], "organizer": [ids["organizers"]]}
    terms = {"categories": [ids["categories"]], "tags": [ids["tags"]]}
    return ids | {"events": made("events", **shared, **links, **terms, excerpt="Kurz", cost="10")}


@pytest.mark.parametrize("collection", SHAPES)
def test_a_record_shows_what_the_document_describes(as_admin, rich, violations, collection):
    shape = SHAPES[collection]
    for query in ({}, {"translation_language": "all"}, {"translation_language": "rm"}):
        one = as_admin.get(f"/{collection}/{rich[collection]}", **query).json
        assert violations(shape, one) == []


@pytest.mark.parametrize("collection", SHAPES)
def test_a_record_lacks_nothing_that_every_record_has(as_admin, collection):
    record = as_admin.post(f"/{collection}", **NAMES[collection]).json
    fields = SCHEMAS[collection]().fields
    assert {name for name, field in fields.items() if field.required} <= record.keys()
    (listed,) = as_admin.get(f"/{collection}", hide_empty="false").json[collection]
    assert {name for name, field in fields.items() if field.required} <= listed.keys()


@pytest.mark.usefixtures("rich")
@pytest.mark.parametrize("collection", SHAPES)
def test_a_list_shows_what_the_document_describes(as_admin, violations, collection):
    page = as_admin.get(f"/{collection}", per_page=1).json
    assert page[collection]
    assert violations(f"{SHAPES[collection]}Page", page) == []
    empty = as_admin.get(f"/{collection}", search="gibtesnicht").json
    assert violations(f"{SHAPES[collection]}Page", empty) == []


@pytest.mark.parametrize("collection", SHAPES)
def test_what_is_new_changed_or_gone_is_shown_as_described(as_admin, violations, collection):
    shape = SHAPES[collection]
    made = as_admin.post(f"/{collection}", **NAMES[collection])
    assert made.status_code == 201
    assert violations(shape, made.json) == []
    path = f"/{collection}/{made.json['id']}"
    assert violations(shape, as_admin.patch(path, description="Neu").json) == []
    assert violations(shape, as_admin.delete(path).json) == []


def test_what_a_password_hides_is_described(as_admin, anyone, rich, violations):
    as_admin.patch(f"/events/{rich['events']}", password="geheim")
    (shown,) = anyone.get("/events", include=rich["events"]).json["events"]
    assert violations("Event", shown) == []


@pytest.mark.needs_mongodb
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


def test_a_picture_of_elsewhere_is_described(as_admin, make_event, violations):
    event = make_event(image="https://example.org/a.png")
    assert violations("Event", as_admin.get(f"/events/{event['id']}").json) == []


def test_the_root_is_described(anyone, violations):
    assert violations("Index", anyone.get("").json) == []


def test_pictures_and_where_they_are_shown_are_described(as_admin, rich, violations):
    picture = as_admin.get(f"/events/{rich['events']}").json["image"]["id"]
    page = as_admin.get("/media").json
    assert violations("MediaPage", page) == []
    assert page["media"]
    alone = as_admin.get(f"/media/{picture}", translation_language="all").json
    assert len(alone["used_by"]) == 3
    assert violations("Media", alone) == []
    assert violations("Error", as_admin.delete(f"/media/{picture}").json) == []
