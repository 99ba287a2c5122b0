"""Cache-Control follows the settings; responses to signed-in callers are never stored."""

import dataclasses

import pytest

from calendar_app.app import create_app
from calendar_app.errors import ConfigurationError
from calendar_app.settings import Settings

pytestmark = pytest.mark.without_mongodb

PRIVATE = "private, no-store"
RULES = ("events: max-age=60", "events.ics: public, max-age=3600", "*: no-cache")


@pytest.fixture
def settings(settings):
    return dataclasses.replace(settings, cache_control=RULES)


def cache_control(answer):
    return answer.headers.get("Cache-Control")


def test_each_route_has_its_own_line(anyone, make_event):
    event = make_event()["id"]
    assert cache_control(anyone.get("/events")) == "max-age=60"
    assert cache_control(anyone.get(f"/events/{event}")) == "max-age=60"
    assert cache_control(anyone.get("/events.ics")) == "public, max-age=3600"
    assert cache_control(anyone.get("/venues")) == "no-cache"


def test_304_repeats_the_cache_control(anyone):
    etag = anyone.get("/events").headers["ETag"]
    answer = anyone.send("GET", "/events", headers={"If-None-Match": etag})
    assert (answer.status_code, cache_control(answer)) == (304, "max-age=60")


def test_response_to_credentials_is_never_stored(as_editor, as_admin):
    for path in ("", "/events", "/events.ics", "/events/999", "/x"):
        assert cache_control(as_editor.get(path)) == PRIVATE
    assert cache_control(as_admin.post("/tags", name="New")) == PRIVATE


@pytest.mark.parametrize("name", ["password", "pass%77ord", "password[]", "password[a]"])
def test_response_to_a_password_is_never_stored(anyone, make_event, name):
    event = make_event(description="Confidential", password="pp")["id"]
    for path in ("/events", "/events.ics", "/events.csv", f"/events/{event}"):
        assert cache_control(anyone.send("GET", f"{path}?{name}=pp")) == PRIVATE


def test_a_cache_keeps_answers_with_credentials_apart(anyone):
    assert "Authorization" in anyone.get("/events").headers["Vary"]


def test_refusals_are_not_kept(anyone):
    assert cache_control(anyone.get("/events/999")) is None


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    "body",
    [
        {"json": {"search": "nowhere", "password": "pp"}},
        {"data": {"search": "nowhere", "password": "pp"}},
        {"data": b"{", "content_type": "application/json"},
        {"data": b"{}", "content_type": "text/plain"},
        {"data": b"x" * 2_000_000, "content_type": "application/json"},
    ],
)
def test_bodies_of_reads_change_nothing(anyone, make_event, method, body):
    make_event()
    event = make_event(description="Confidential", password="pp")["id"]
    for path in ("/events", "/events.csv", f"/events/{event}"):
        with_body, without = anyone.send(method, path, **body), anyone.send(method, path)
        assert with_body.status_code == without.status_code
        assert with_body.data == without.data
        assert with_body.headers.get("ETag") == without.headers.get("ETag")


@pytest.mark.parametrize("line", ["", "events", "Events: no-cache", "events:", "events: ä"])
def test_invalid_line_prevents_the_start(line, database):
    wrong = Settings.load(environment={}, cache_control=[line])
    with pytest.raises(ConfigurationError, match="cache_control"):
        create_app(wrong, database)
