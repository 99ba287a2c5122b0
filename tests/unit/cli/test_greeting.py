"""The greeting of a service that is ready."""

import json
import shlex
from datetime import date

import pytest

from calendar_app.cli.serve import greeting
from calendar_app.settings import Settings

ORIGIN = "http://127.0.0.1:8000"
TODAY = date(2027, 2, 28)


def greeting_text(password="", **changes):
    settings = Settings.load(environment={}, **changes)
    return greeting(settings, ORIGIN, password, TODAY)


def commands(text):
    return [shlex.split(line) for line in text.splitlines() if line.startswith("  curl")]


def test_a_person_finds_the_events_and_the_documentation():
    text = greeting_text()
    assert f"{ORIGIN}/calendar/events/v1/events\n" in text
    assert f"{ORIGIN}/doc\n" in text
    assert f"{ORIGIN}/desk/\n" in text


def test_greeting_has_the_addresses_of_the_deployment():
    text = greeting_text(
        site_url="https://agenda.example/",
        api_prefix="/wp-json",
        namespace="tribe/events/v1",
    )
    assert "https://agenda.example/wp-json/tribe/events/v1/events\n" in text
    assert "https://agenda.example/doc\n" in text
    assert ORIGIN not in text


def test_greeting_has_a_read_and_a_create_command():
    read, create = commands(greeting_text("secret word"))
    assert read == ["curl", f"{ORIGIN}/calendar/events/v1/events?per_page=3"]
    assert create[create.index("-u") + 1] == "admin:secret word"
    event = json.loads(create[create.index("-d") + 1])
    assert event["title"]
    assert TODAY.isoformat() < event["start_date"] < event["end_date"]


@pytest.mark.parametrize("password", ["", "E6d2 KBPT JuIC p3nU D53g pcMS"])
def test_a_password_is_shown_when_it_is_new_and_not_otherwise(password):
    assert ("shown only once" in greeting_text(password)) is bool(password)
