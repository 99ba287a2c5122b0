"""How long answers may be kept is the operator's to say."""

import dataclasses

import pytest

from calendar_app.app import create_app
from calendar_app.errors import ConfigurationError
from calendar_app.settings import Settings

RULES = ("events: max-age=60", "events.ics: public, max-age=3600", "*: no-cache")


@pytest.fixture
def settings(settings):
    return dataclasses.replace(settings, cache_control=RULES)


def kept(answer):
    return answer.headers.get("Cache-Control")


def test_each_route_has_its_own_line(anyone, make_event):
    event = make_event()["id"]
    assert kept(anyone.get("/events")) == "max-age=60"
    assert kept(anyone.get(f"/events/{event}")) == "max-age=60"
    assert kept(anyone.get("/events.ics")) == "public, max-age=3600"
    assert kept(anyone.get("/venues")) == "no-cache"


def test_who_has_the_answer_is_told_again_how_long_to_keep_it(anyone):
    etag = anyone.get("/events").headers["ETag"]
    answer = anyone.send("GET", "/events", headers={"If-None-Match": etag})
    assert (answer.status_code, kept(answer)) == (304, "max-age=60")


def test_what_somebody_is_shown_is_never_kept(as_editor):
    assert "no-store" in kept(as_editor.get("/events"))


def test_refusals_and_writes_are_not_kept(anyone, as_admin):
    assert kept(anyone.get("/events/999")) is None
    assert "no-store" in kept(as_admin.post("/tags", name="New"))


@pytest.mark.parametrize("line", ["", "events", "Events: no-cache", "events:", "events: ä"])
def test_a_line_that_is_none_stops_the_start(line, database):
    wrong = Settings.load(environment={}, cache_control=[line])
    with pytest.raises(ConfigurationError, match="cache_control"):
        create_app(wrong, database)
