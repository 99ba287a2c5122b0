"""The installed plugin serves a JSON Feed, reads jCal, shows its block and has its command."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner

from calendar_app.cli.main import main
from calendar_app.trial import trial_calendar

FEED = "/calendar/events/v1/events.json"
CLUB = Path(__file__).parent / "club"


@pytest.fixture(scope="module")
def calendar():
    """Return a calendar in German, which may read sources of this machine."""
    own = {"languages": ["de"], "default_language": "de", "timezone": "Europe/Zurich"}
    with trial_calendar(source_networks=["127.0.0.0/8"], **own) as calendar:
        yield calendar


@pytest.fixture(scope="module")
def feed(calendar):
    """Return the feed after a jCal of a club was read."""
    with _served(CLUB) as address:
        values = {"name": "Club", "kind": "jcal", "address": f"{address}/club.json"}
        rules = {"status": "publish", "unknown_terms": "create"}
        source = calendar.write("POST", "/sources", **values, **rules).json
        calendar.write("POST", f"/sources/{source['id']}/read")
    parameters = {"start_date": "2030-01-01", "end_date": "2030-12-31"}
    return calendar.client.get(FEED, query_string=parameters).get_json(force=True)


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    handler = partial(SimpleHTTPRequestHandler, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_feed_of_an_empty_calendar_has_no_items(calendar):
    answer = calendar.client.get(
        FEED, query_string={"start_date": "2029-01-01", "end_date": "2029-02-01"}
    )
    assert answer.content_type == "application/feed+json; charset=utf-8"
    feed = answer.get_json(force=True)
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert feed["home_page_url"] == "https://calendar.example/"
    assert feed["language"] == "de"
    assert feed["items"] == []


def test_events_of_a_jcal_are_in_the_feed(feed):
    items = [(each["title"], each["summary"]) for each in feed["items"]]
    assert items == [
        ("Konzert & Apéro", "2030-03-01 20:00"),
        ("Probe", "2030-03-04 19:30"),
        ("Probe", "2030-03-18 19:30"),
        ("Vereinsreise", "2030-05-11 00:00"),
    ]
    concert = feed["items"][0]
    assert concert["tags"] == ["Musik"]
    assert "Mit dem <b>Chor</b>" in concert["content_html"]


def test_event_of_a_jcal_keeps_what_it_says(calendar, feed):
    del feed
    query = {"start_date": "2030-01-01", "end_date": "2030-12-31"}
    listed = calendar.client.get(f"{calendar.base}/events", query_string=query).json["events"]
    concert, trip = listed[0], listed[-1]
    assert concert["venue"]["venue"] == "Kirche"
    assert concert["website"] == "https://club.example/konzert"
    assert (trip["all_day"], trip["end_date"][:10]) == (True, "2030-05-12")
    assert trip["event_status"] == "canceled"


def test_event_that_cannot_be_read_is_named_in_the_report(calendar, feed):
    del feed
    readings = calendar.write("GET", "/sources/1/readings").json["readings"]
    reading = calendar.write("GET", f"/sources/1/readings/{readings[0]['id']}")
    assert "It has no title, or no start." in reading.text


def test_feed_is_named_in_lists_and_in_the_openapi_document(calendar):
    assert "json" in calendar.client.get(f"{calendar.base}/events").json["feeds"]
    document = calendar.client.get(f"{calendar.base}/doc").json
    content = document["paths"]["/events.json"]["get"]["responses"]["200"]["content"]
    assert "application/feed+json" in content
    kind = document["components"]["schemas"]["Source"]["properties"]["kind"]
    assert "jcal" in kind["description"]


def test_list_names_the_format_in_the_language_of_the_reader(calendar):
    assert "Auch als <a href=" in calendar.client.get("/events/").text


def test_command_is_listed_and_runs():
    assert "jsonfeed" in CliRunner().invoke(main, ["--help"]).output
    run = CliRunner().invoke(main, ["jsonfeed", "https://calendar.example/"])
    assert run.output == f"https://calendar.example{FEED}\n"
