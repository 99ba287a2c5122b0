"""``calendar-app openapi`` prints the document, and needs no database for it."""

import json

from click.testing import CliRunner

from calendar_app.app import openapi_document
from calendar_app.cli.main import main
from calendar_app.settings import Settings


def printed(monkeypatch, **environment):
    for name, value in environment.items():
        monkeypatch.setenv(f"CALENDAR_{name.upper()}", value)
    outcome = CliRunner().invoke(main, ["openapi"])
    assert outcome.exit_code == 0, outcome.output
    return json.loads(outcome.output)


def test_the_document_is_printed_where_no_database_is(monkeypatch):
    document = printed(monkeypatch, mongodb_uri="mongodb://127.0.0.1:1/none", site_name="Tal")
    assert document == openapi_document(Settings.load(environment={}, site_name="Tal"))
    assert document["info"]["title"] == "Tal"


def test_it_names_the_public_address(monkeypatch):
    document = printed(monkeypatch, site_url="https://calendar.example/", api_prefix="/wp-json")
    assert document["servers"] == [{"url": "https://calendar.example/wp-json/calendar/events/v1/"}]


def test_without_a_public_address_it_names_the_path(monkeypatch):
    monkeypatch.delenv("CALENDAR_SITE_URL", raising=False)
    assert printed(monkeypatch)["servers"] == [{"url": "/calendar/events/v1/"}]
