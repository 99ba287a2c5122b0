"""The installed plugin serves a JSON Feed, shows its block and has its command."""

import mongomock
import pytest
from click.testing import CliRunner

from calendar_app.app import create_app
from calendar_app.cli.main import main
from calendar_app.settings import Settings

FEED = "/calendar/events/v1/events.json"


@pytest.fixture
def client():
    """Return a client of a calendar in German without events."""
    settings = Settings.load(
        environment={},
        site_url="https://calendar.example",
        languages=["de"],
        default_language="de",
    )
    return create_app(settings, mongomock.MongoClient()["calendar"]).test_client()


def test_events_are_a_json_feed(client):
    answer = client.get(FEED)
    assert answer.content_type == "application/feed+json; charset=utf-8"
    assert answer.get_json(force=True) == {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Calendar",
        "home_page_url": "https://calendar.example/",
        "feed_url": "https://calendar.example/calendar/events/v1/events.json",
        "language": "de",
        "items": [],
    }


def test_feed_is_in_the_openapi_document(client):
    paths = client.get("/calendar/events/v1/doc").json["paths"]
    assert "application/feed+json" in paths["/events.json"]["get"]["responses"]["200"]["content"]


def test_list_names_the_format_in_the_language_of_the_reader(client):
    assert "Auch als <a href=" in client.get("/events/").text


def test_command_is_listed_and_runs():
    assert "jsonfeed" in CliRunner().invoke(main, ["--help"]).output
    run = CliRunner().invoke(main, ["jsonfeed", "https://calendar.example/"])
    assert run.output == f"https://calendar.example{FEED}\n"
