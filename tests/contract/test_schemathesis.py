"""Requests made by chance from the OpenAPI document get the answers that it describes.

``OPENAPI_EXAMPLES`` says how many right and how many wrong ones each caller makes of each
operation; ``make test-openapi`` makes many.
"""

import os
from base64 import b64encode

import pytest
import schemathesis
from emptying import WrittenDocuments
from hypothesis import HealthCheck, given
from hypothesis import settings as runs
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from schemathesis import GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.core.failures import FailureGroup

from calendar_app.app import openapi_document
from calendar_app.settings import Settings

pytestmark = [pytest.mark.timeout(600), pytest.mark.lasting]

BASE = "/calendar/events/v1"
EXAMPLES = int(os.environ.get("OPENAPI_EXAMPLES", "1"))
ADMINISTRATOR = b64encode(b"admin:abcd EFGH ijkl MNOP qrst UVWX").decode()
CALLERS = {"nobody": {}, "admin": {"Authorization": f"Basic {ADMINISTRATOR}"}}
# Its client reads answers without a server as they are.
UNCOMPRESSED = {"Accept-Encoding": "identity"}
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
DOCUMENT = openapi_document(Settings.load(environment={}))
REGISTRY = Registry().with_resource("urn:document", Resource(DOCUMENT, DRAFT202012))
OPERATIONS = [
    (path, method)
    for path, item in DOCUMENT["paths"].items()
    for method in item
    if method != "parameters"
]
FEW = runs(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
DATES = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
STATES = ("publish", "publish", "draft", "private")
# Parameters that name records: by chance they would hardly ever name one that there is.
NAMING = {
    "categories": "categories",
    "tags": "tags",
    "venue": "venues",
    "organizer": "organizers",
    "event": "events",
    "post": "events",
    "post_parent": "events",
    "parent": "categories",
    "series": "series",
    "source": "sources",
}


# Any text is a file of lines as far as the document says.
@schemathesis.serializer("application/x-ndjson")
def as_text(_context, value):
    return str(value).encode()


@pytest.fixture(scope="module")
def module_cache():
    return {}


@pytest.fixture
def records(database, as_admin, upload, module_cache):
    """Fill the database; return its records by collection, in the order of ``STATES``."""
    if "records" not in module_cache:
        events = [make_event(as_admin, upload(as_admin), number) for number in range(len(STATES))]
        series = [make_series(as_admin, number) for number in range(len(STATES))]
        users = [make_user(as_admin, number) for number in range(len(STATES))]
        sources = [make_source(as_admin, number) for number in range(len(STATES))]
        webhooks = [make_webhook(as_admin, number) for number in range(len(STATES))]
        names = [
            name for name in database.list_collection_names() if not name.startswith("system.")
        ]
        documents = {name: list(database[name].find()) for name in names}
        module_cache["documents"] = {name: stored for name, stored in documents.items() if stored}
        others = {"series": series, "users": users, "sources": sources}
        others |= {"webhooks": webhooks}
        module_cache["records"] = by_collection(events) | others
        module_cache["refill"] = WrittenDocuments(database).replace
    module_cache["refill"](module_cache["documents"])
    return module_cache["records"]


def make_event(as_admin, picture, number):
    """Make an event with all that it refers to; return it as it was shown first."""
    answer = as_admin.post(
        "/events",
        title=f"Konzert {number}",
        start_date="2030-03-10 19:00:00",
        end_date="2030-03-10 22:00:00",
        status=STATES[number],
        venue={"venue": f"Saal {number}", "geo_lat": 46.8, "geo_lng": 9.5},
        organizer=[{"organizer": f"Verein {number}"}],
        categories=[f"Gattung {number}"],
        tags=[f"Wort {number}"],
        image=picture["id"],
    )
    assert answer.status_code == 201
    if number == 1:
        as_admin.patch(f"/events/{answer.json['id']}", password="geheim", slug="neu")
    return answer.json


def make_series(as_admin, number):
    """Create a series of two events; return its summary."""
    answer = as_admin.post(
        "/events",
        title=f"Markt {number}",
        start_date="2030-03-06 10:00:00",
        end_date="2030-03-06 12:00:00",
        status=STATES[number],
        recurrence={"rrule": "FREQ=WEEKLY;COUNT=2"},
    )
    assert answer.status_code == 201
    return answer.json["series"]


def make_user(as_admin, number):
    """Invite a user; return their id, and a label that none of their passwords has."""
    answer = as_admin.post("/users", name=f"Gast {number}", role="subscriber")
    assert answer.status_code == 201
    return {"id": answer.json["id"], "label": "1"}


def make_source(as_admin, number):
    """Add a source to which programs send; return its id, and no reading that it has."""
    answer = as_admin.post("/sources", name=f"Verein {number}", kind="push")
    assert answer.status_code == 201
    return {"id": answer.json["id"], "reading": "1"}


def make_webhook(as_admin, number):
    """Add a webhook to this machine, where none is sent; return its id, and no delivery."""
    address = f"http://127.0.0.1:1/{number}"
    answer = as_admin.post("/webhooks", name=f"Mirror {number}", address=address)
    assert answer.status_code == 201
    return {"id": answer.json["id"], "delivery": "1"}


def by_collection(events):
    return {
        "events": events,
        "venues": [event["venue"] for event in events],
        "organizers": [event["organizer"][0] for event in events],
        "media": [event["image"] for event in events],
        "categories": [event["categories"][0] for event in events],
        "tags": [event["tags"][0] for event in events],
    }


def name_records(case, records, pick):
    """Let a request name records that there are, unless ``pick`` is beyond them."""
    if pick >= len(STATES):
        return
    collection = case.path.split("/")[1].partition(".")[0]
    beside = {"revision": 1, "uid": "1", "entry": "0", "source": records["sources"][pick]["id"]}
    for name in case.path_parameters:
        case.path_parameters[name] = (beside | records[collection][pick])[name]
    naming = NAMING | {"include": collection, "exclude": collection}
    for name in naming.keys() & case.query.keys():
        case.query[name] = records[naming[name]][pick]["id"]
    if "_fields" in case.query:
        case.query["_fields"] = "id,venue.id,translations"
    if isinstance(case.body, dict):
        # Any text is a date as far as the document says.
        case.body |= {name: date for name, date in DATES.items() if name in case.body}


@pytest.fixture
def document(app, module_cache):
    """Return the document, to make requests from; to load it takes longer than most requests."""
    if "document" not in module_cache:
        module_cache["document"] = schemathesis.openapi.from_wsgi(f"{BASE}/doc", app)
    return module_cache["document"]


def violations_of_whole(case, answer):
    """Return how an answer to a request without ``_fields`` differs from a whole one."""
    described = case.operation.definition.raw["responses"].get(str(answer.status_code), {})
    schema = described.get("content", {}).get("application/json", {}).get("schema", {})
    if "_fields" in (case.query or {}) or "anyOf" not in schema:
        return []
    validator = Draft202012Validator(
        {"$ref": f"urn:document{schema['anyOf'][0]['$ref']}"}, registry=REGISTRY
    )
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(answer.json())]


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_answers_are_as_described(document, records, path, method):
    def ask(case, pick):
        name_records(case, records, pick)
        case.headers.pop("Authorization", None)
        # To make a request by chance takes longer than to answer it, so both callers send it.
        for credentials in CALLERS.values():
            answer = case.call(headers={**credentials, **UNCOMPRESSED})
            case.validate_response(answer, checks=CHECKS)
            assert violations_of_whole(case, answer) == []

    picks = st.integers(0, len(STATES) + 1)
    for mode in GenerationMode:
        cases = document[path][method].as_strategy(generation_mode=mode)
        FEW(given(cases, picks)(ask))()


@pytest.mark.usefixtures("records")
def test_undescribed_response_is_reported(document):
    tags = document["/tags"]["get"].Case().call()
    with pytest.raises(FailureGroup):
        document["/events"]["get"].Case().validate_response(
            tags, checks=[response_schema_conformance]
        )
    with pytest.raises(FailureGroup):
        document["/events"]["post"].Case().validate_response(tags, checks=CHECKS)


@pytest.mark.usefixtures("records")
def test_whole_answer_without_a_required_field_is_reported(document):
    selected = document["/tags"]["get"].Case(query={"_fields": "total"})
    whole = document["/tags"]["get"].Case()
    assert violations_of_whole(selected, selected.call()) == []
    assert violations_of_whole(whole, whole.call()) == []
    assert violations_of_whole(whole, selected.call())
