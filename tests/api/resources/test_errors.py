"""Every error has one shape and reveals no internals."""

import json
from io import StringIO

import pytest
import structlog

pytestmark = pytest.mark.without_mongodb

COLLECTIONS = ["events", "venues", "organizers", "categories", "tags"]
POSTS = ["events", "venues", "organizers"]


def is_refusal(answer, status):
    """Say whether an answer is a refusal in the one shape."""
    body = answer.json
    return (
        answer.status_code == status
        and list(body) == ["code", "message", "data"]
        and body["data"]["status"] == status
        and answer.headers["Content-Type"] == "application/json; charset=UTF-8"
    )


@pytest.mark.parametrize("path", ["/nothing", "/event", "/events/1/more", "/categories/by-slug/x"])
def test_unknown_path_is_answered_in_json(anyone, path):
    answer = anyone.send("GET", path)

    assert is_refusal(answer, 404)
    assert answer.code == "rest_no_route"


def test_unknown_path_outside_the_interface_is_answered_in_json(app):
    answer = app.test_client().get("/elsewhere/entirely")

    assert answer.status_code == 404
    assert answer.json["code"] == "rest_no_route"


@pytest.mark.parametrize("collection", COLLECTIONS)
@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_wrong_method_lists_the_allowed_methods(anyone, collection, method):
    answer = anyone.send(method, f"/{collection}")

    assert is_refusal(answer, 405)
    assert answer.code == "rest_no_route"
    assert "GET" in answer.headers["Allow"]


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_every_path_answers_with_a_slash_behind_it_too(anyone, collection):
    answer = anyone.send("GET", f"/{collection}/")

    assert answer.status_code == 200
    assert answer.json == anyone.send("GET", f"/{collection}").json


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_writing_needs_somebody(anyone, collection):
    for method, path in (("POST", ""), ("PUT", "/1"), ("PATCH", "/1"), ("DELETE", "/1")):
        answer = anyone.send(method, f"/{collection}{path}", json={})

        assert is_refusal(answer, 401), (method, path)
        assert answer.code == "rest_forbidden"
        assert answer.headers["WWW-Authenticate"] == 'Basic realm="calendar"'


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_a_known_caller_without_rights_is_forbidden(as_subscriber, collection):
    answer = as_subscriber.post(f"/{collection}")

    assert is_refusal(answer, 403)
    assert answer.code == "rest_forbidden"


def test_wrong_credentials_fail_reads_too(app, anyone):
    for name, code in (("admin", "incorrect_password"), ("nobody", "invalid_username")):
        answer = app.test_client().get("/calendar/events/v1/events", auth=(name, "wrong"))

        assert answer.status_code == 401
        assert answer.json["code"] == code
    assert anyone.get("/events").status_code == 200


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    "path",
    [
        "",
        "/doc",
        "/events?page=0",
        "/events?categories=nope",
        "/venues/999",
        "/venues/by-slug/nope",
        "/events/abc",
        "/nothing",
    ],
)
def test_wrong_credentials_of_a_read_are_reported_first(anyone, method, path):
    answer = anyone.send(method, path, headers={"Authorization": "Basic YWRtaW46d3Jvbmc="})

    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == 'Basic realm="calendar"'


def test_wrong_credentials_are_reported_before_malformed_json(anyone):
    wrong = {"Authorization": "Basic YWRtaW46d3Jvbmc=", "Content-Type": "application/json"}
    answer = anyone.send("GET", "/events", headers=wrong, data="{bad")

    assert is_refusal(answer, 401)
    assert answer.code == "incorrect_password"


def test_bearer_secret_authenticates(app):
    headers = {"Authorization": "Bearer abcd EFGH ijkl MNOP qrst UVWX"}
    # All users of these tests have the same secret; the caller is one of them.
    answer = app.test_client().get("/calendar/events/v1/events", headers=headers)
    assert answer.status_code == 200

    wrong = app.test_client().post(
        "/calendar/events/v1/events", headers={"Authorization": "Bearer wrong"}
    )
    assert wrong.status_code == 401


@pytest.mark.parametrize("token", ["VOTRE_TOKEN", "eyJhIjoxfQ.e30.x"])
def test_reads_with_the_token_of_another_system_are_a_strangers(anyone, make_event, token):
    make_event(status="draft"), make_event()
    for _ in range(31):
        answer = anyone.send("GET", "/events", headers={"Authorization": f"Bearer {token}"})
        assert (answer.status_code, answer.json["total"]) == (200, 1)


def test_user_is_locked_after_ten_wrong_secrets(app, as_admin):
    client, events = app.test_client(), "/calendar/events/v1/events"
    for _ in range(10):
        assert client.get(events, auth=("editor", "wrong")).status_code == 401

    answer = client.get(events, auth=("editor", "wrong"))
    assert answer.status_code == 429
    assert answer.json["code"] == "too_many_requests"
    assert int(answer.headers["Retry-After"]) > 0
    assert as_admin.get("/events").status_code == 200


@pytest.fixture
def log():
    """Return a stream that the log is written to during the test."""
    stream, before = StringIO(), structlog.get_config()
    structlog.configure(logger_factory=structlog.WriteLoggerFactory(stream))
    yield stream
    structlog.configure(**before)


@pytest.fixture
def damaged(database):
    """Return a function that stores a text that can't be shown directly in the database."""

    def damage(collection, record, field):
        database[collection].update_one({"_id": record["id"]}, {"$set": {field: "swordfish"}})
        return record["id"]

    return damage


def test_a_defect_shows_nothing_of_itself(make_event, anyone, damaged, log):
    event = damaged("events", make_event(), "event_status")
    answer = anyone.send("GET", f"/events/{event}", headers={"X-Request-ID": "asked-17"})

    assert is_refusal(answer, 500)
    assert answer.code == "internal_error"
    assert answer.json["data"]["request_id"] == "asked-17"
    assert "swordfish" not in answer.text
    assert "calendar_app" not in answer.text
    logged = log.getvalue()
    assert "asked-17" in logged
    assert "swordfish" in logged


def test_the_log_of_a_defect_has_no_secrets_and_no_bodies(as_admin, make_venue, damaged, log):
    answer = as_admin.post(
        "/events",
        title="Wholly confidential",
        start_date="2030-03-10 19:00:00",
        end_date="2030-03-10 22:00:00",
        venue=damaged("venues", make_venue(), "modified"),
    )

    assert answer.status_code == 500
    logged = log.getvalue()
    assert "TypeError" in logged
    assert "confidential" not in logged
    assert "UVWX" not in logged
    assert all(json.loads(line) for line in logged.splitlines())


@pytest.mark.parametrize("collection", ["venues", "organizers", "categories", "tags"])
def test_an_unknown_id_is_an_invalid_parameter(as_admin, collection):
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        answer = as_admin.send(method, f"/{collection}/999999", json={})

        assert is_refusal(answer, 400)
        assert answer.invalid_params == ["id"]


def test_an_unknown_event_is_not_found(as_contributor):
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        answer = as_contributor.send(method, "/events/999999", json={})

        assert is_refusal(answer, 404)
        assert answer.code == "rest-event-not-found"
        assert answer.json["message"] == "Eine Veranstaltung mit der ID 999999 gibt es nicht."


def test_id_of_another_kind_is_refused(as_admin, make_venue, make_event):
    answer = as_admin.get(f"/events/{make_venue()['id']}")
    assert is_refusal(answer, 400)
    assert answer.code == "rest-invalid-event-id"

    event = make_event()
    for collection in ("venues", "organizers", "categories", "tags"):
        assert as_admin.get(f"/{collection}/{event['id'] + 10**6}").invalid_params == ["id"]


@pytest.mark.parametrize("path", ["/events/999", "/venues/999", "/events/by-slug/none"])
def test_parameters_are_checked_before_the_record(as_admin, path):
    answer = as_admin.put(path, status="bogus")

    assert is_refusal(answer, 400)
    assert answer.invalid_params == ["status"]


@pytest.mark.parametrize("collection", POSTS)
def test_the_role_is_checked_before_the_parameters(as_subscriber, anyone, collection):
    assert as_subscriber.post(f"/{collection}", status="bogus").status_code == 403
    assert anyone.post(f"/{collection}", status="bogus").status_code == 401


def test_the_parameters_are_checked_before_the_right_to_this_record(as_contributor, make_event):
    path = f"/events/{make_event()['id']}"

    assert as_contributor.put(path, status="bogus").status_code == 400
    assert as_contributor.put(path, title="Mine").status_code == 403


def test_head_answers_like_get_without_a_body(as_admin, make_event):
    for path in ("/events", f"/events/{make_event()['id']}", "/categories"):
        response, head = as_admin.send("GET", path), as_admin.send("HEAD", path)

        assert head.status_code == 200
        assert head.data == b""
        assert head.headers.get("X-TEC-Total") == response.headers.get("X-TEC-Total")


def test_answers_carry_the_headers_of_the_reference(anyone, as_admin):
    for answer in (anyone.get("/events"), anyone.get("/events/999"), anyone.post("/events")):
        assert answer.headers["Content-Type"] == "application/json; charset=UTF-8"
        assert answer.headers["X-Robots-Tag"] == "noindex"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert 'rel="https://api.w.org/"' in answer.headers["Link"]
        assert "Cache-Control" not in answer.headers

    assert "no-store" in as_admin.get("/events").headers["Cache-Control"]


@pytest.mark.parametrize("name", ["start_date", "ends_before", "overlaps_from"])
def test_invalid_date_names_the_parameter(anyone, name):
    answer = anyone.get("/events", **{name: "junk", "translation_language": "rm"})

    mark = "\N{RIGHT SINGLE QUOTATION MARK}"
    reason = f"Il text n{mark}è betg ina data. Scrivai ella sco 2030-01-31 19:30."
    assert answer.json["data"]["params"] == {name: reason}


def test_sorting_by_distance_requires_a_point(anyone):
    answer = anyone.get("/events", orderby="distance")

    assert "geoloc_lat" in answer.json["data"]["params"]["orderby"]
