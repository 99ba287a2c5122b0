"""Pages of any site may read the interface; credentials are for trusted sites."""

import pytest

pytestmark = pytest.mark.without_mongodb

ORIGIN = {"Origin": "https://other.example"}
METHODS = "OPTIONS, GET, POST, PUT, PATCH, DELETE"


def words(text):
    return {word.strip() for word in text.split(",")}


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/events"), ("GET", "/events/9"), ("POST", "/events"), ("GET", "/x")],
)
def test_any_origin_may_read_any_answer_without_credentials(anyone, method, path):
    headers = anyone.send(method, path, headers=ORIGIN).headers
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert headers["Access-Control-Allow-Methods"] == METHODS
    assert "Access-Control-Allow-Credentials" not in headers
    assert "Origin" in words(headers["Vary"])


def test_a_trusted_origin_may_send_credentials(worker):
    trusting = worker(cors_origins=("https://other.example",))
    headers = trusting.send("GET", "/events", headers=ORIGIN).headers
    assert headers["Access-Control-Allow-Origin"] == ORIGIN["Origin"]
    assert headers["Access-Control-Allow-Credentials"] == "true"
    assert "Origin" in words(headers["Vary"])

    other_origin = {"Origin": "https://other.example.org"}
    assert trusting.send("GET", "/events", headers=other_origin).headers[
        "Access-Control-Allow-Origin"
    ] == ("*")


def test_preflight_lists_the_allowed_methods_and_headers(anyone):
    preflight = {
        **ORIGIN,
        "Access-Control-Request-Method": "PATCH",
        "Access-Control-Request-Headers": "authorization,content-type",
    }
    answer = anyone.send("OPTIONS", "/events/9", headers=preflight)
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Methods"] == METHODS
    allowed = words(answer.headers["Access-Control-Allow-Headers"])
    assert {"Authorization", "Content-Type", "Idempotency-Key", "X-WP-Nonce"} <= allowed
    assert answer.headers["Access-Control-Max-Age"] == "7200"


def test_scripts_may_read_the_totals(anyone):
    exposed_headers = words(anyone.get("/events").headers["Access-Control-Expose-Headers"])
    totals = {"X-WP-Total", "X-WP-TotalPages", "X-TEC-Total", "X-TEC-TotalPages"}
    assert totals | {"Link"} <= exposed_headers


def test_without_an_origin_no_origin_is_allowed(anyone):
    headers = anyone.get("/events").headers
    assert "Access-Control-Allow-Origin" not in headers
    assert "Origin" in words(headers["Vary"])


@pytest.mark.parametrize("path", ["", "/", "/doc", "/events", "/venues/", "/tags"])
def test_head_has_the_headers_of_get_and_no_body(anyone, path):
    with_body, without = anyone.get(path), anyone.send("HEAD", path)
    assert without.status_code == with_body.status_code == 200
    assert without.data == b""
    once = {"X-Request-ID"}
    header_sets = [
        {k: v for k, v in response.headers.items() if k not in once}
        for response in (with_body, without)
    ]
    assert header_sets[0] == header_sets[1]


def test_meaningful_headers_are_exposed_to_scripts(anyone):
    exposed_headers = words(anyone.get("/events").headers["Access-Control-Expose-Headers"])
    common_headers = {
        "Content-Language",
        "ETag",
        "Allow",
        "WWW-Authenticate",
        "Retry-After",
        "X-Request-ID",
    }
    assert common_headers <= exposed_headers
