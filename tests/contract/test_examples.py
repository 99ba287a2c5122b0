"""The examples in the OpenAPI document are real responses."""

import json
import re
import zlib
from base64 import b64encode
from io import BytesIO
from struct import pack

import pytest

from calendar_app.api.http.answers.headers import FEED_TYPES
from calendar_app.app import openapi_document
from calendar_app.feeds.routes import CALENDAR
from calendar_app.settings import Settings

SECRET = "abcd EFGH ijkl MNOP qrst UVWX"
WINDOW = "per_page=1&start_date=2030-03-01&end_date=2030-03-31"
# Settings of which the examples depend.
SITES = {
    # Webhooks need the address of the site.
    "as shipped, at its address": {"site_url": "https://example.org"},
    "two languages": {
        "site_url": "https://example.org/agenda",
        "languages": ["de", "rm"],
        "default_language": "de",
        "timezone": "Europe/Zurich",
        "currency_symbol": "CHF",
        "per_page": 5,
    },
    "in place of WordPress": {
        "site_url": "https://example.org",
        "api_prefix": "/wp-json",
        "namespace": "tribe/events/v1",
        "translation_parameter": "wpml_language",
        "languages": ["fr", "de"],
        "default_language": "de",
        "timezone": "America/New_York",
    },
    "a name of all that formats write otherwise": {
        "site_url": "https://example.org",
        "site_name": 'The "Inn" & C:\\temp, <b>;\n$name\x02',
    },
}
# What is asked there stores no record; sources and receivers would be asked over the network.
TO_SOURCE = "/events/by-source/{source}/{uid}"
UNITING = ("/venues/{id}/unite", "/organizers/{id}/unite")
ANSWERED_OTHERWISE = (
    *("/recurrence/preview", "/translations/propose", "/translations/glossary"),
    *("/sources/{id}/read", "/sources/{id}/register/{entry}", "/sources/doubles/{id}"),
    *(TO_SOURCE, *UNITING),
    *("/webhooks/{id}/secret", "/webhooks/{id}/test"),
    "/webhooks/{id}/deliveries/{delivery}/send",
)
# How each refusal comes about, once the event is there.
REFUSED = {
    "missing": ("admin", "POST", "/events", {"json": {"title": "Evening Concert"}}),
    "invalid": (None, "GET", "/events?page=0", {}),
    "stranger": (None, "DELETE", "/events/5", {}),
    "not_allowed": ("subscriber", "DELETE", "/events/5", {}),
    "unknown": (None, "GET", "/events/999", {}),
    "changed": ("admin", "DELETE", "/events/5", {"headers": {"If-Match": '"another"'}}),
    "trashed": ("admin", "DELETE", "/events/5", {}),
}


@pytest.fixture(scope="module", params=SITES)
def settings(request):
    return Settings.load(environment={}, **SITES[request.param])


@pytest.fixture
def call(settings, app):
    """Return a function that calls a service on an empty calendar, as a user or anonymously."""
    client = app.test_client()
    # The examples name the site where the settings leave it to the request.
    site = settings.site_url or "https://example.org"

    def send(name, method, path, **options):
        headers = dict(options.pop("headers", {}))
        if name:
            token = b64encode(f"{name}:{SECRET}".encode()).decode()
            headers["Authorization"] = f"Basic {token}"
        address = f"{settings.api_prefix}/{settings.namespace}{path}"
        return client.open(address, method=method, base_url=site, headers=headers, **options)

    return send


@pytest.fixture(scope="module")
def document(settings):
    return openapi_document(settings)


def examples(place, form="application/json"):
    documented = place["content"][form].get("examples", {})
    return {name: example["value"] for name, example in documented.items()}


def publish(call, event):
    """Publish a created event, and return it anew."""
    return call("admin", "PATCH", f"/events/{event['id']}", json={"status": "publish"}).json


def with_fixed_media_key(answered):
    """Return a response with a constant key in the addresses of pictures."""
    return json.loads(
        re.sub(r"(/media/[0-9]+/)[\w-]{22}/", r"\1iO5oU1BqJ8m0xkT9wQz3Vg/", json.dumps(answered))
    )


def test_event_examples_are_real_responses(call, document):
    listed, item = document["paths"]["/events"], document["paths"]["/events/{id}"]
    sent = examples(listed["post"]["requestBody"])["new"]
    created = call("admin", "POST", "/events", json=sent)
    assert created.status_code == 201
    assert created.json["status"] == "draft"
    assert examples(listed["post"]["responses"]["201"]) == {"concert": created.json}
    publish(call, created.json)
    page = call(None, "GET", f"/events?{WINDOW}").json
    assert examples(listed["get"]["responses"]["200"]) == {"concerts": page}
    alone = call(None, "GET", f"/events/{created.json['id']}").json
    assert examples(item["get"]["responses"]["200"]) == {"concert": alone}


def test_feed_examples_are_real_responses(call, document, database):
    database["calendars"].insert_one({"_id": "calendar", "uuid": str(CALENDAR)})
    sent = examples(document["paths"]["/events"]["post"]["requestBody"])["new"]
    publish(call, call("admin", "POST", "/events", json=sent).json)
    for suffix, media_type in FEED_TYPES.items():
        documented = document["paths"][f"/events.{suffix}"]["get"]["responses"]["200"]
        feed = call(None, "GET", f"/events.{suffix}?{WINDOW}")
        answered = feed.json if suffix == "geojson" else feed.text
        assert examples(documented, media_type) == {"concerts": answered}
    for name in ("events", "venues", "organizers", "dcat"):
        documented = document["paths"][f"/{name}.jsonld"]["get"]["responses"]["200"]
        answered = call(None, "GET", f"/{name}.jsonld?modified_before=2000-01-01").json
        assert examples(documented, "application/ld+json") == {"calendar": answered}


@pytest.mark.parametrize("path", ["/events/{id}.ics", "/events/by-slug/{slug}.ics"])
def test_calendar_file_example_is_a_real_response(call, document, database, path):
    database["calendars"].insert_one({"_id": "calendar", "uuid": str(CALENDAR)})
    sent = examples(document["paths"]["/events"]["post"]["requestBody"])["new"]
    event = publish(call, call("admin", "POST", "/events", json=sent).json)
    documented = document["paths"][path]["get"]["responses"]["200"]
    file = call(None, "GET", path.format(**event))
    assert examples(documented, "text/calendar") == {"concert": file.text}


def logo():
    """Return a picture of 120 by 120 pixels, which takes the same bytes everywhere."""
    rows = zlib.compress(bytes(1 + 120 // 8) * 120, level=0)
    parts = [(b"IHDR", pack(">IIBBBBB", 120, 120, 1, 0, 0, 0, 0)), (b"IDAT", rows), (b"IEND", b"")]
    chunks = [
        pack(">I", len(content)) + name + content + pack(">I", zlib.crc32(name + content))
        for name, content in parts
    ]
    return b"".join([b"\x89PNG\r\n\x1a\n", *chunks])


def test_picture_examples_are_real_responses(call, document):
    listed, item = document["paths"]["/media"], document["paths"]["/media/{id}"]
    form = {"file": (BytesIO(logo()), "Logo.png"), "alt_text": "Two mountains and a bell"}
    created = call("admin", "POST", "/media", data=form)
    assert created.status_code == 201
    assert examples(listed["post"]["responses"]["201"]) == {
        "logo": with_fixed_media_key(created.json)
    }
    page = call("admin", "GET", "/media").json
    assert examples(listed["get"]["responses"]["200"]) == {"logos": with_fixed_media_key(page)}
    alone = call("admin", "GET", f"/media/{created.json['id']}").json
    assert examples(item["get"]["responses"]["200"]) == {"logo": with_fixed_media_key(alone)}


def test_refusal_examples_are_real_responses(call, document):
    sent = examples(document["paths"]["/events"]["post"]["requestBody"])["new"]
    call("admin", "POST", "/events", json=sent)
    documented = {
        name: (int(status), value)
        for status, response in document["components"]["responses"].items()
        for name, value in examples(response).items()
    }
    assert set(documented) == set(REFUSED)
    for name, (caller, method, path, options) in REFUSED.items():
        answer = call(caller, method, path, **options)
        if name == "trashed":
            answer = call(caller, method, path, **options)
        assert (answer.status_code, answer.json) == documented[name]


def test_created_examples_are_drafts(document):
    with_status = {"/events", "/venues", "/organizers"}
    sent = {
        path: examples(document["paths"][path]["post"]["requestBody"])["new"]
        for path in with_status
    }
    assert {path: body["status"] for path, body in sent.items()} == dict.fromkeys(
        with_status, "draft"
    )


def operations(document):
    return [
        (method, path, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    ]


def test_example_bodies_can_be_sent_and_return_their_fields(call, document):
    picture = call("admin", "POST", "/media", data={"file": (BytesIO(logo()), "Logo.png")})
    sent = [
        (method, path, examples(operation["requestBody"]))
        for method, path, operation in operations(document)
        if "application/json" in operation.get("requestBody", {}).get("content", {})
        if path not in ANSWERED_OTHERWISE
    ]
    concert = examples(document["paths"]["/events"]["post"]["requestBody"])["new"]
    weekly = call("admin", "POST", "/events", json=concert | {"recurrence": "RRULE:FREQ=WEEKLY"})
    addressed = {"media": picture.json, "series": weekly.json["series"]}
    # First all that is new, which the others change.
    for method, path, bodies in sorted(sent, key=lambda operation: "{" in operation[1]):
        (body,) = bodies.values()
        collection = path.split("/")[1]
        answer = call("admin", method, path.format(**addressed.get(collection, {})), json=body)

        assert answer.status_code == (200 if "{" in path else 201), (method, path, answer.json)
        assert body.keys() <= answer.json.keys(), (method, path)
        # A draft of an event has no slug to be addressed by.
        is_new_event = path == "/events"
        addressed[collection] = publish(call, answer.json) if is_new_event else answer.json


def test_a_recurrence_is_previewed_as_shown(call, document):
    operation = document["paths"]["/recurrence/preview"]["post"]
    (sent,) = examples(operation["requestBody"]).values()
    answer = call(None, "POST", "/recurrence/preview", json=sent)
    assert answer.json == examples(operation["responses"]["200"])["wednesdays"]


def test_proposals_come_as_shown(call, document):
    operation = document["paths"]["/translations/propose"]["post"]
    (sent,) = examples(operation["requestBody"]).values()
    (example,) = examples(operation["responses"]["200"]).values()
    (text,) = example["texts"]
    variants = {
        sent["source"]: {"title": text["text"]},
        sent["target"]: {"title": text["proposals"][0]["text"]},
    }
    body = {"start_date": "2030-03-10", "end_date": "2030-03-10", "variants": variants}
    created = call("admin", "POST", "/events", json=body)
    answer = call("admin", "POST", "/translations/propose", json=sent).json
    if created.status_code == 400:  # The site speaks one language.
        assert list(answer["data"]["params"]) == ["target"]
        return
    (origin,) = [each.pop("from") for each in answer["texts"][0]["proposals"]]
    assert (origin["id"], origin["rest_url"]) == (created.json["id"], created.json["rest_url"])
    del text["proposals"][0]["from"]
    assert answer == example


def test_a_glossary_comes_as_shown(call, document):
    operations = document["paths"]["/translations/glossary"]
    (sent,) = examples(operations["post"]["requestBody"]).values()
    answer = call("admin", "POST", "/translations/glossary", json=sent).json
    if "terms" not in answer:  # The site speaks one language.
        assert list(answer["data"]["params"]) == ["target"]
        return
    assert answer == examples(operations["post"]["responses"]["200"])["terms"]


@pytest.mark.parametrize(
    "collection", ["", "doc", "events", "venues", "organizers", "categories", "tags", "media"]
)
def test_examples_of_selected_fields_are_real_responses(call, document, collection):
    path = f"/{collection}"
    item = document["paths"][path]
    if collection == "media":
        form = {"file": (BytesIO(logo()), "Logo.png")}
        record = call("admin", "POST", path, data=form).json
    elif "post" in item:
        body = examples(item["post"]["requestBody"])["new"]
        # A draft of an event has no slug to be addressed by.
        record = call("admin", "POST", path, json=body | {"status": "publish"}).json
    narrowed_responses = [
        (method, where, answer)
        for method, where, operation in operations(document)
        if where.split("/")[1] == collection and where not in (TO_SOURCE, *UNITING)
        for answer in operation["responses"].values()
        if "narrowed" in examples_of(answer)
    ]
    assert narrowed_responses
    # What is deleted can no longer be read.
    for method, where, answer in sorted(
        narrowed_responses, key=lambda response: response[0] == "delete"
    ):
        documented = examples_of(answer)["narrowed"]
        if method == "post" and "{" not in where:
            assert documented["value"].items() <= record.items()
        elif method != "delete" or where.endswith("{id}"):
            address = where.format(**record | {"revision": 1}) if "{" in where else where
            fields = documented["summary"].removeprefix("With ")
            narrowed = call("admin", method, f"{address}?{fields}&hide_empty=false")
            assert narrowed.json == documented["value"], (method, where)


def test_lines_that_are_sent_have_a_real_answer(call, document):
    ndjson = "application/x-ndjson"
    bulk = document["paths"]["/bulk"]["post"]
    source = call("admin", "POST", "/sources", json={"name": "Tickets", "kind": "push"}).json["id"]
    (sent,) = examples(bulk["requestBody"], ndjson).values()
    answer = call("admin", "POST", f"/bulk?source={source}", data=sent, content_type=ndjson)
    assert examples(bulk["responses"]["200"], ndjson) == {"lines": json.loads(answer.text)}


def examples_of(answer):
    return answer.get("content", {}).get("application/json", {}).get("examples", {})


def test_every_operation_has_an_example(document):
    for method, path, operation in operations(document):
        contents = [
            answer["content"] for answer in operation["responses"].values() if "content" in answer
        ]
        assert any("examples" in media for content in contents for media in content.values()), (
            method,
            path,
        )


def test_all_response_examples_are_tested(document):
    places = [
        place
        for *_, operation in operations(document)
        for place in operation["responses"].values()
        if "narrowed" not in examples_of(place)
    ]
    # What is new, a list and one record, of events and pictures; every feed, and the iCalendar file
    # of one event by id and by slug; a preview; proposals; a glossary, read and changed; lines.
    # Three graphs and the data set. Refusals stand elsewhere.
    assert repr(places).count("'examples'") == 3 + 3 + len(FEED_TYPES) + 2 + 4 + 1 + 4


def test_site_address_may_contain_characters_escaped_in_json():
    site = 'https://example.org/a"b\\c'
    document = openapi_document(Settings.load(environment={}, site_url=site))
    answer = document["paths"]["/events/{id}"]["get"]["responses"]["200"]
    assert examples(answer)["concert"]["url"] == f"{site}/event/evening-concert/"


def test_parameters_have_no_prefilled_examples(document):
    assert "'example'" not in repr(document)
    assert not any("examples" in parameter for parameter in document["components"]["parameters"])
