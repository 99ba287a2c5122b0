"""A body or a header that cannot be read fails the request, and nothing is written."""

import json

import pytest
from api.resources.five_collections import COLLECTIONS, REQUIRED, everything_stored

pytestmark = pytest.mark.without_mongodb


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b'{"title": }',
        b"title=x",
        b"\xff\xfe",
        b'{"title": "\xff"}',
        b'{"title": "\\ud800"}',
        b"{'title': 'x'}",
        b'{"a": NaN}',
        b"[" * 100_000,
        b'{"a":' * 2000 + b"1" + b"}" * 2000,
    ],
)
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_a_body_that_is_no_json_is_refused(as_admin, database, collection, body):
    answer = as_admin.send("POST", f"/{collection}", data=body, content_type="application/json")

    assert answer.status_code == 400
    assert answer.code == "rest_invalid_json"
    assert answer.json["data"]["status"] == 400
    assert answer.json["data"]["json_error_code"] == 4
    assert everything_stored(database) == {name: [] for name in COLLECTIONS}


@pytest.mark.parametrize(
    ("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]"), ("[[],", "]")]
)
def test_a_body_that_is_nested_too_deep_is_refused(as_admin, opening, closing):
    depth = 900 // len(opening.replace('"a":', ""))
    for name in ("search", "venue", "categories", "variants", "unknown"):
        deep = f'{{"{name}": {opening * depth}1{closing * depth}}}'
        answer = as_admin.send("POST", "/events", data=deep, content_type="application/json")

        assert (answer.status_code, answer.code) == (400, "rest_invalid_json")


@pytest.mark.parametrize(("depth", "status"), [(31, 201), (32, 400)])
def test_a_body_is_read_down_to_its_thirty_second_level(as_admin, depth, status):
    body = f'{{"name": "Choir", "unknown": {"[" * depth}{"]" * depth}}}'
    answer = as_admin.send("POST", "/tags", data=body, content_type="application/json")

    assert answer.status_code == status


def test_empty_json_body_has_no_parameters(as_admin):
    answer = as_admin.send("POST", "/events", data=b"", content_type="application/json")

    assert answer.code == "rest_missing_callback_param"


@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "application/octet-stream", "x"])
def test_a_body_of_another_type_is_refused(as_admin, kind):
    answer = as_admin.send("POST", "/events", data=b"{}", content_type=kind)

    assert answer.status_code == 415
    assert answer.code == "unsupported_media_type"
    assert answer.json["data"]["status"] == 415


def test_any_subtype_of_json_is_json(as_admin):
    answer = as_admin.send(
        "POST",
        "/events",
        data=json.dumps(REQUIRED["events"]),
        content_type="application/ld+json; charset=utf-8",
    )

    assert answer.status_code == 201


def test_headers_with_junk_fail_the_request(anyone):
    credentials = ("Basic", "Basic !!!", "Basic \xff", "Bearer ", "Bearer null", "Bearer $ne")
    sent = [("GET", "Basic Og=="), ("POST", "Basic Og==")] + [
        ("POST", header) for header in credentials
    ]
    for method, header in sent:
        answer = anyone.send(method, "/events", headers={"Authorization": header})

        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"] == 'Basic realm="calendar"'
