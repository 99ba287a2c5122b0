"""The OpenAPI document is valid and complete."""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import version
from itertools import product

import pytest
from openapi_spec_validator import validate

from calendar_app.app import openapi_document
from calendar_app.settings import Settings

pytestmark = pytest.mark.without_mongodb

COLLECTIONS = ("events", "venues", "organizers", "categories", "tags")
WITH_SLUGS = COLLECTIONS[:3]
WRITING = ("post", "put", "patch")
FEEDS = (
    *(f"/events.{suffix}" for suffix in ("ics", "atom", "geojson", "csv")),
    *(f"/{name}.jsonld" for name in ("events", "venues", "organizers", "dcat")),
    "/events/{id}.ics",
    "/events/by-slug/{slug}.ics",
)
WITH_HISTORY = (*COLLECTIONS, "media", "series")
ROUTES = [
    ("/", {"get"}),
    ("/doc", {"get"}),
    *((f"/{name}", {"get", "post"}) for name in COLLECTIONS),
    *((f"/{name}/{{id}}", {"get", "delete", *WRITING}) for name in COLLECTIONS),
    *((f"/{name}/by-slug/{{slug}}", {"get", "delete", *WRITING}) for name in WITH_SLUGS),
    *((path, {"get"}) for path in FEEDS),
    ("/media", {"get", "post"}),
    ("/media/{id}", {"get", "delete", *WRITING}),
    ("/recurrence/preview", {"post"}),
    ("/translations/glossary", {"get", "post"}),
    ("/translations/propose", {"post"}),
    ("/series", {"get"}),
    ("/series/{id}", {"get", "delete", *WRITING}),
    ("/series/{id}/events", {"get"}),
    *((f"/{name}/{{id}}/history", {"get"}) for name in WITH_HISTORY),
    *((f"/{name}/{{id}}/history/{{revision}}", {"get"}) for name in WITH_HISTORY),
    *((f"/{name}/{{id}}/history/{{revision}}/restore", {"post"}) for name in WITH_HISTORY),
    *((f"/{name}/{{id}}/unite", {"post", "delete"}) for name in ("venues", "organizers")),
    ("/changes", {"get"}),
    ("/users", {"get", "post"}),
    ("/users/{id}", {"get", "delete", *WRITING}),
    ("/users/{id}/invitation", {"post"}),
    ("/users/{id}/sessions", {"delete"}),
    ("/users/{id}/application-passwords/{label}", {"delete"}),
    ("/sources", {"get", "post"}),
    ("/sources/{id}", {"get", "delete", *WRITING}),
    ("/sources/{id}/read", {"post", "delete"}),
    ("/sources/{id}/readings", {"get"}),
    ("/sources/{id}/readings/{reading}", {"get"}),
    ("/sources/{id}/register", {"get"}),
    ("/sources/{id}/register/{entry}", {"patch"}),
    ("/sources/doubles", {"get"}),
    ("/sources/doubles/{id}", {"post", "delete"}),
    ("/events/by-source/{source}/{uid}", {"put", "delete"}),
    ("/bulk", {"post"}),
    ("/webhooks", {"get", "post"}),
    ("/webhooks/{id}", {"get", "delete", *WRITING}),
    ("/webhooks/{id}/secret", {"post"}),
    ("/webhooks/{id}/test", {"post"}),
    ("/webhooks/{id}/deliveries", {"get"}),
    ("/webhooks/{id}/deliveries/{delivery}", {"get"}),
    ("/webhooks/{id}/deliveries/{delivery}/send", {"post"}),
]

IN_PATHS = {"{id}": "99", "{source}": "99", "{slug}": "none", "{revision}": "1"}
# The bodies that are no parameters.
FILES = {"/media": "multipart/form-data", "/bulk": "application/x-ndjson"}


@pytest.fixture(scope="module")
def operations(document):
    """Return every operation with its path and method."""
    return [
        (path, method, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    ]


def test_the_document_is_valid(document):
    validate(document)


def test_version_of_the_document_is_that_of_the_program(document):
    assert document["info"]["version"] == version("calendar-app")


def test_it_names_every_route_and_no_other(document):
    described = {path: set(item) - {"parameters"} for path, item in document["paths"].items()}
    assert described == dict(ROUTES)


def test_every_route_answers_with_and_without_a_slash(as_admin):
    for path, methods in ROUTES:
        address = path.rstrip("/")
        for name, value in IN_PATHS.items():
            address = address.replace(name, value)
        for method, slash in product(sorted(methods), ("", "/")):
            answer = as_admin.send(method.upper(), address + slash)
            case = method, address + slash, answer.status_code
            assert answer.status_code not in (301, 302, 308, 405, 500), case
            assert answer.status_code == 200 or answer.code != "rest_no_route", case


def test_operation_ids_are_unique(operations):
    ids = [operation["operationId"] for _, _, operation in operations]
    assert len(set(ids)) == len(ids)


def test_every_operation_is_summarised_described_and_tagged(operations, document):
    tags = {tag["name"] for tag in document["tags"]}
    for path, method, operation in operations:
        assert operation["summary"], (method, path)
        assert operation["description"], (method, path)
        assert set(operation["tags"]) <= tags


def test_tags_are_in_groups_by_who_needs_them(document):
    groups = {group["name"]: group["tags"] for group in document["x-tagGroups"]}
    assert list(groups) == ["public", "editing", "administration"]
    assert [tag["name"] for tag in document["tags"]] == [
        tag for tags in groups.values() for tag in tags
    ]
    assert groups["public"][:2] == ["events", "venues"]
    assert groups["editing"][:2] == ["editing events", "editing venues"]
    assert {"users", "sources", "webhooks"} <= set(groups["administration"])


def test_public_reading_needs_no_credentials_and_all_else_does(document, operations):
    public = document["x-tagGroups"][0]["tags"]
    for path, method, operation in operations:
        is_public = operation["tags"][0] in public
        assert (operation["security"][0] == {}) == is_public, (method, path)


def test_every_parameter_has_a_description(document, operations):
    sent = [parameter for _, _, operation in operations for parameter in operation["parameters"]]
    sent += [
        parameter for item in document["paths"].values() for parameter in item.get("parameters", ())
    ]
    sent += document["components"]["parameters"].values()
    assert [
        parameter
        for parameter in sent
        if "$ref" not in parameter and not parameter.get("description")
    ] == []


def test_every_property_has_a_description(document):
    silent = [path for path, schema in _properties(document) if not schema.get("description")]
    assert silent == []


def test_day_in_a_query_may_be_a_word(operations):
    for _, _, operation in operations:
        for parameter in operation["parameters"]:
            assert parameter.get("schema", {}).get("format") != "date-time"


def _properties(part, path=""):
    """Yield each property in the schemas of a document."""
    if isinstance(part, list):
        for number, each in enumerate(part):
            yield from _properties(each, f"{path}/{number}")
        return
    if not isinstance(part, dict):
        return
    for name, each in part.items():
        if name == "properties" and isinstance(each, dict):
            yield from ((f"{path}/{k}", v) for k, v in each.items())
        if name not in ("example", "examples"):
            yield from _properties(each, f"{path}/{name}")


def test_written_fields_have_no_defaults(document):
    for name, schema in document["components"]["schemas"].items():
        if name.endswith(("Change", "Update")):
            assert "'default'" not in repr(schema), name


def members(value, key):
    """Yield every value of ``key``, at any depth."""
    if isinstance(value, dict):
        if key in value:
            yield value[key]
        value = list(value.values())
    for member in value if isinstance(value, list) else ():
        yield from members(member, key)


def test_every_enumeration_has_one_letter_case(document):
    for enumeration in members(document, "enum"):
        folded = [str(member).lower() for member in enumeration]
        assert len(set(folded)) == len(folded), enumeration


def test_answers_require_fields_and_selections_none(document):
    schemas = document["components"]["schemas"]
    selections = {name for name in schemas if name.endswith("Selection")}
    for name in selections:
        # A property may have that name too.
        required = [each for each in members(schemas[name], "required") if isinstance(each, list)]
        assert required == [], name
        whole = schemas[name.removesuffix("Selection")]
        assert whole["required"], name
        assert schemas[name]["properties"].keys() == whole["properties"].keys()


def test_every_answer_that_fields_narrow_is_whole_or_a_selection(operations):
    fields = {"$ref": "#/components/parameters/fields"}
    for path, method, operation in operations:
        bodies = [
            response["content"]["application/json"]["schema"]
            for status, response in operation["responses"].items()
            if status.startswith("2") and "application/json" in response.get("content", {})
        ]
        # The document itself has a schema elsewhere.
        for schema in bodies if path != "/doc" else ():
            assert fields in operation["parameters"], (method, path)
            whole, selection = (part["$ref"] for part in schema["anyOf"])
            assert selection == f"{whole}Selection"


def test_the_address_of_the_interface_ends_with_a_slash(document, anyone):
    assert document["servers"] == [{"url": "/calendar/events/v1/"}]
    assert anyone.get("/doc").json["servers"][0]["url"].endswith("/calendar/events/v1/")


def test_the_list_of_events_names_its_defaults(document):
    parameters = document["paths"]["/events"]["get"]["parameters"]
    schemas = {
        parameter["name"]: parameter["schema"]
        for parameter in parameters
        if "$ref" not in parameter
    }
    assert schemas["strict_dates"] == {"type": "boolean", "default": False}
    assert (schemas["page"]["default"], schemas["per_page"]["default"]) == (1, 12)


def test_every_operation_takes_language_fallback_and_fields(document, operations):
    parameters = document["components"]["parameters"]
    languages = {"language", "written_language"}
    assert {parameters[name]["name"] for name in languages} == {"translation_language"}
    for path, _, operation in operations:
        references = {
            parameter["$ref"].rpartition("/")[2]
            for parameter in operation["parameters"]
            if "$ref" in parameter
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
        names = {
            parameter.get("name") for parameter in document["paths"][path]["get"]["parameters"]
        }
        assert "password" in names


def test_an_operation_has_one_kind_of_body(operations):
    for path, method, operation in operations:
        if method in WRITING and not path.endswith("/restore"):
            kind = FILES.get(path, "application/json")
            assert set(operation["requestBody"]["content"]) == {kind}, path


def test_document_mentions_forms(document):
    about = document["info"]["description"]
    assert "multipart/form-data" in about
    assert "application/x-www-form-urlencoded" in about


_OF_USERS = ("/users", "/sources", "/translations", "/webhooks")


def test_only_reads_of_records_need_no_authentication(document, operations):
    schemes = document["components"]["securitySchemes"]
    assert {scheme["scheme"] for scheme in schemes.values()} == {"basic", "bearer"}
    for path, method, operation in operations:
        is_managed = path.startswith(_OF_USERS) or "/history" in path
        is_public = method == "get" and not is_managed
        assert ({} in operation["security"]) == is_public


@pytest.mark.parametrize(
    ("path", "method", "statuses"),
    [
        ("/events", "get", {200, 400, 401, 404, 412, 429, 500, 503}),
        ("/events", "post", {201, 400, 401, 403, 409, 413, 415, 429, 500, 503}),
        ("/events/{id}", "get", {200, 400, 401, 403, 404, 412, 429, 500, 503}),
        ("/events/{id}", "delete", {200, 400, 401, 403, 404, 409, 410, 412, 429, 500, 503}),
        ("/tags/{id}", "get", {200, 400, 401, 404, 412, 429, 500, 503}),
        ("/tags/{id}", "put", {200, 400, 401, 403, 409, 412, 413, 415, 429, 500, 503}),
    ],
)
def test_an_operation_names_the_errors_that_can_occur(document, path, method, statuses):
    assert statuses <= set(map(int, document["paths"][path][method]["responses"]))


def test_not_modified_response_is_described(document, anyone, make_tag):
    operation = document["paths"]["/tags/{id}"]["get"]
    path = f"/tags/{make_tag()['id']}"
    headers = anyone.get(path).headers
    assert set(operation["responses"]["200"]["headers"]) <= set(headers.keys())
    again = anyone.send("GET", path, headers={"If-None-Match": headers["ETag"]})
    assert again.status_code == 304
    assert "304" in operation["responses"]


def test_failed_precondition_of_reads_is_described(anyone, operations):
    condition = {"$ref": "#/components/parameters/if_match"}
    for path, method, operation in operations:
        if method == "get":
            assert condition in operation["parameters"], path
            assert "412" in operation["responses"]
    for path in ("", "/doc", "/events", "/events.ics", "/tags"):
        answer = anyone.send("GET", path, headers={"If-Match": '"another"'})
        assert answer.status_code == 412


def test_every_response_has_one_media_type(operations):
    for path, _, operation in operations:
        for status, answer in operation["responses"].items():
            assert len(answer.get("content", {})) <= 1, (path, status)


def test_headers_are_in_the_document_but_not_in_arguments(document, anyone):
    headers = {
        parameter["name"]
        for parameter in document["components"]["parameters"].values()
        if parameter["in"] == "header"
    }
    assert headers == {"Idempotency-Key", "If-Match", "If-None-Match"}
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


def test_every_component_of_the_document_is_used(document):
    referred = set(re.findall(r"#/components/(\w+/\w+)", repr(document)))
    kinds = ("schemas", "parameters", "responses")
    defined = {f"{kind}/{name}" for kind in kinds for name in document["components"][kind]}
    assert defined == referred


def test_document_has_no_foreign_addresses(document):
    # What is named by an address, terms of vocabularies or of XML, is not loaded from there.
    names = r"schema\.org|www\.w3\.org/|www\.georss\.org/georss|purl\.org/|xmlns\.com/"
    names += r"|www\.opengis\.net/|publications\.europa\.eu/|www\.iana\.org/"
    assert re.findall(rf"\w+://(?!example\.|{names})[\w.-]+", repr(document)) == []


def test_description_of_one_site_says_nothing_of_another():
    first, other = (
        Settings.load(
            environment={},
            site_name=name,
            site_url=f"https://{name.lower()}.example",
            custom_fields=fields,
        )
        for name, fields in (("Dorf", {}), ("Stadt", {"age": {"en": "Age"}}))
    )
    document = openapi_document(first)
    described = json.dumps(document)
    assert "Stadt" in json.dumps(openapi_document(other))
    # A comparison of two long texts would take minutes to explain.
    is_unchanged = json.dumps(document) == described
    assert is_unchanged
    assert json.dumps(openapi_document(first)) == described


def test_every_worker_writes_the_same_document():
    command = (sys.executable, "-m", "calendar_app", "openapi")
    first, other = (
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    )
    assert first
    assert first == other
