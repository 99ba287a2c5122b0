"""The OpenAPI document is valid, complete, and true of what the service answers."""

import re
from io import BytesIO

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from PIL import Image
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from calendar_app.app import openapi_document
from calendar_app.settings import Settings

COLLECTIONS = ("events", "venues", "organizers", "categories", "tags")
WITH_SLUGS = COLLECTIONS[:3]
WRITING = ("post", "put", "patch")
FEEDS = (
    *(f"/events.{suffix}" for suffix in ("ics", "atom", "geojson", "csv")),
    "/events/{id}.ics",
    "/events/by-slug/{slug}.ics",
)
ROUTES = [
    ("/", {"get"}),
    ("/doc", {"get"}),
    *((f"/{name}", {"get", "post"}) for name in COLLECTIONS),
    *((f"/{name}/{{id}}", {"get", "delete", *WRITING}) for name in COLLECTIONS),
    *((f"/{name}/by-slug/{{slug}}", {"get", "delete", *WRITING}) for name in WITH_SLUGS),
    *((path, {"get"}) for path in FEEDS),
    ("/media", {"get", "post"}),
    ("/media/{id}", {"get", "delete", *WRITING}),
]
FORMS = {"application/json", "application/x-www-form-urlencoded", "multipart/form-data"}
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


@pytest.fixture(scope="module")
def document():
    return openapi_document(Settings.load(environment={}, languages=["en", "de"]))


@pytest.fixture(scope="module")
def operations(document):
    """Return every operation with its path and method."""
    return [
        (path, method, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    ]


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


def test_the_document_is_valid(document):
    validate(document)


def test_it_names_every_route_and_no_other(document):
    described = {path: set(item) - {"parameters"} for path, item in document["paths"].items()}
    assert described == dict(ROUTES)


@pytest.mark.parametrize("slash", ["", "/"])
@pytest.mark.parametrize(("path", "methods"), ROUTES, ids=[path for path, _ in ROUTES])
def test_every_route_answers_with_and_without_a_slash(as_admin, path, methods, slash):
    path = path.rstrip("/").replace("{id}", "99").replace("{slug}", "none")
    for method in methods:
        answer = as_admin.send(method.upper(), path + slash)
        assert answer.status_code not in (301, 302, 308, 405, 500)
        assert answer.status_code == 200 or answer.code != "rest_no_route"


def test_operations_are_told_apart_by_their_ids(operations):
    ids = [operation["operationId"] for _, _, operation in operations]
    assert len(set(ids)) == len(ids)


def test_every_operation_is_summarised_and_tagged(operations, document):
    tags = {tag["name"] for tag in document["tags"]}
    for path, method, operation in operations:
        assert operation["summary"], (method, path)
        assert set(operation["tags"]) <= tags


def test_every_parameter_and_field_that_can_be_sent_is_explained(document, operations):
    sent = [one for _, _, operation in operations for one in operation["parameters"]]
    sent += [one for item in document["paths"].values() for one in item.get("parameters", ())]
    sent += document["components"]["parameters"].values()
    silent = [one for one in sent if "$ref" not in one and not one.get("description")]
    assert silent == []
    for name, schema in document["components"]["schemas"].items():
        if name.endswith(("Change", "Update")):
            fields = schema["properties"].items()
            assert [field for field, said in fields if not said.get("description")] == []


def test_defaults_are_said_of_new_records_and_not_of_changes(document):
    schemas = document["components"]["schemas"]
    assert schemas["EventChange"]["properties"]["all_day"]["default"] is False
    assert "default" not in schemas["EventUpdate"]["properties"]["all_day"]


def test_the_list_of_events_names_its_defaults(document):
    parameters = document["paths"]["/events"]["get"]["parameters"]
    schemas = {one["name"]: one["schema"] for one in parameters if "$ref" not in one}
    assert schemas["strict_dates"] == {"type": "boolean", "default": False}
    assert (schemas["page"]["default"], schemas["per_page"]["default"]) == (1, 12)


def test_every_operation_takes_language_fallback_and_fields(document, operations):
    parameters = document["components"]["parameters"]
    languages = {"language", "written_language"}
    assert {parameters[name]["name"] for name in languages} == {"translation_language"}
    for path, _, operation in operations:
        references = {
            one["$ref"].rpartition("/")[2] for one in operation["parameters"] if "$ref" in one
        }
        # Feeds are not JSON objects, of which fields could be named.
        assert {"fallback", *(() if path in FEEDS else ("fields",))} <= references
        assert languages & references


def test_the_parameter_of_the_language_can_have_another_name():
    settings = Settings.load(environment={}, translation_parameter="wpml_language")
    parameters = openapi_document(settings)["components"]["parameters"]
    assert parameters["language"]["name"] == "wpml_language"


def test_the_password_of_an_event_is_a_parameter_of_every_read_of_it(document):
    for path in ("/events/{id}", "/events/by-slug/{slug}"):
        names = {one.get("name") for one in document["paths"][path]["get"]["parameters"]}
        assert "password" in names


def test_writes_take_json_and_forms(operations):
    for path, method, operation in operations:
        if method in WRITING and path != "/media":
            assert set(operation["requestBody"]["content"]) == FORMS


def test_reads_are_open_and_writes_ask_who_is_calling(document, operations):
    schemes = document["components"]["securitySchemes"]
    assert {scheme["scheme"] for scheme in schemes.values()} == {"basic", "bearer"}
    for _, method, operation in operations:
        assert ({} in operation["security"]) == (method == "get")


@pytest.mark.parametrize(
    ("path", "method", "statuses"),
    [
        ("/events", "get", {200, 400, 401, 404, 429, 500, 503}),
        ("/events", "post", {201, 400, 401, 403, 409, 413, 415, 429, 500, 503}),
        ("/events/{id}", "get", {200, 400, 401, 403, 404, 429, 500, 503}),
        ("/events/{id}", "delete", {200, 400, 401, 403, 404, 409, 410, 412, 429, 500, 503}),
        ("/tags/{id}", "get", {200, 400, 401, 404, 429, 500, 503}),
        ("/tags/{id}", "put", {200, 400, 401, 403, 409, 412, 413, 415, 429, 500, 503}),
    ],
)
def test_an_operation_names_the_errors_that_can_occur(document, path, method, statuses):
    assert statuses <= set(map(int, document["paths"][path][method]["responses"]))


def test_what_is_there_already_is_answered_as_described(document, anyone, make_tag):
    operation = document["paths"]["/tags/{id}"]["get"]
    path = f"/tags/{make_tag()['id']}"
    headers = anyone.get(path).headers
    assert set(operation["responses"]["200"]["headers"]) <= set(headers.keys())
    again = anyone.send("GET", path, headers={"If-None-Match": headers["ETag"]})
    assert again.status_code == 304
    assert "304" in operation["responses"]


def test_headers_are_told_in_the_document_and_not_among_the_arguments(document, anyone):
    headers = {
        one["name"]
        for one in document["components"]["parameters"].values()
        if one["in"] == "header"
    }
    assert headers == {"If-Match", "If-None-Match"}
    for endpoint in anyone.send("OPTIONS", "/events/1").json["endpoints"]:
        assert headers.isdisjoint(endpoint["args"])


def test_a_former_slug_is_answered_as_described(document, anyone, as_admin, make_venue):
    venue = make_venue(slug="alt")
    as_admin.patch(f"/venues/{venue['id']}", slug="neu")
    answer = anyone.get("/venues/by-slug/alt")
    described = document["paths"]["/venues/by-slug/{slug}"]["get"]["responses"]
    assert set(described[str(answer.status_code)]["headers"]) <= set(answer.headers.keys())
    assert answer.status_code == 301


def test_every_error_has_one_shape(document, operations):
    for _, _, operation in operations:
        for status, response in operation["responses"].items():
            if int(status) >= 400:
                assert response == {"$ref": f"#/components/responses/{status}"}
    for response in document["components"]["responses"].values():
        schema = response["content"]["application/json"]["schema"]
        assert schema == {"$ref": "#/components/schemas/Error"}


def test_nothing_in_the_document_is_left_over(document):
    referred = set(re.findall(r"#/components/(\w+/\w+)", repr(document)))
    kinds = ("schemas", "parameters", "responses")
    defined = {f"{kind}/{name}" for kind in kinds for name in document["components"][kind]}
    assert defined == referred


def test_no_address_of_elsewhere_stands_in_the_document(document):
    # What is named by an address, terms of schema.org or of XML, is not loaded from there.
    names = r"schema\.org|www\.w3\.org/2005/Atom|www\.georss\.org/georss"
    assert re.findall(rf"\w+://(?!example\.|{names})[\w.-]+", repr(document)) == []


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


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_a_record_shows_what_the_document_describes(as_admin, rich, violations, collection):
    shape = SHAPES[collection]
    for query in ({}, {"translation_language": "all"}, {"translation_language": "rm"}):
        one = as_admin.get(f"/{collection}/{rich[collection]}", **query).json
        assert violations(shape, one) == []


@pytest.mark.usefixtures("rich")
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_a_list_shows_what_the_document_describes(as_admin, violations, collection):
    page = as_admin.get(f"/{collection}", per_page=1).json
    assert page[collection]
    assert violations(f"{SHAPES[collection]}Page", page) == []
    empty = as_admin.get(f"/{collection}", search="gibtesnicht").json
    assert violations(f"{SHAPES[collection]}Page", empty) == []


@pytest.mark.parametrize("collection", COLLECTIONS)
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
