"""Cache-Control follows the settings; responses to signed-in callers are never stored."""

import dataclasses
from gzip import decompress

import brotli
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


ENCODINGS = {"br": brotli.decompress, "gzip": decompress}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("path", ["/events", "/events/{id}", "/events.ics", "/events/{id}.ics"])
def test_data_is_compressed_for_whoever_accepts_that(anyone, make_event, path, encoding):
    path = path.format(id=make_event(description="Long. " * 300)["id"])
    plain = anyone.get(path)
    compressed = anyone.send("GET", path, {"Accept-Encoding": encoding})
    assert compressed.headers["Content-Encoding"] == encoding
    assert ENCODINGS[encoding](compressed.data) == plain.data
    assert len(compressed.data) < len(plain.data)
    assert all("Accept-Encoding" in answer.headers["Vary"] for answer in (plain, compressed))
    again = {"Accept-Encoding": encoding, "If-None-Match": compressed.headers["ETag"]}
    assert anyone.send("GET", path, again).status_code == 304


def test_entity_tag_of_a_compressed_answer_is_another_one_that_writes_know(
    anyone, as_admin, make_event
):
    path = f"/events/{make_event()['id']}"
    tag = anyone.send("GET", path, {"Accept-Encoding": "br"}).headers["ETag"]
    assert tag != anyone.get(path).headers["ETag"]
    for status in (200, 412):
        answer = as_admin.send("PATCH", path, {"If-Match": tag}, json={"title": "Opera"})
        assert answer.status_code == status


def test_answer_for_one_caller_alone_is_not_compressed(as_admin, anyone, make_event):
    make_event()
    accepting = {"Accept-Encoding": "gzip"}
    for answer in (
        as_admin.send("GET", "/events", accepting),
        anyone.send("GET", "/events?password=sesame", accepting),
    ):
        assert "Content-Encoding" not in answer.headers
