"""A route may be named in the query, as every WordPress site lets it be."""

from base64 import b64encode
from dataclasses import replace
from urllib.parse import quote

import pytest
from calling import SECRET, SITE

from calendar_app.app import create_app
from calendar_app.settings import Settings

pytestmark = pytest.mark.without_mongodb

NAMESPACE = "/tribe/events/v1"
BASE = f"/wp-json{NAMESPACE}"
SIGNED_IN = {"Authorization": "Basic " + b64encode(f"admin:{SECRET}".encode()).decode()}


@pytest.fixture
def settings():
    return Settings.load(
        environment={},
        site_url=SITE,
        languages=["de", "rm"],
        default_language="de",
        api_prefix="/wp-json",
        namespace=NAMESPACE[1:],
        metrics=True,
    )


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def event(client):
    sent = {"title": "Käse", "start_date": "2030-03-10", "end_date": "2030-03-11", "all_day": True}
    answer = client.post(f"{BASE}/events", json=sent, headers=SIGNED_IN)
    assert answer.status_code == 201
    return answer.json


def stable_parts(answer):
    changing = ("X-Request-ID", "Date")
    headers = {name: value for name, value in answer.headers.items() if name not in changing}
    return answer.status_code, headers, answer.data


@pytest.mark.usefixtures("event")
@pytest.mark.parametrize("place", ["/", "/index.php", "/wp-json/", "/wp-json", ""])
@pytest.mark.parametrize(
    ("query", "plain"),
    [
        ("rest_route=/tribe/events/v1/events&per_page=1", "/events?per_page=1"),
        ("per_page=1&rest_route=%2Ftribe%2Fevents%2Fv1%2Fevents%2F", "/events?per_page=1"),
        ("rest_route=/nothing&rest_route=/TRIBE/events/v1/Events", "/events"),
        ("rest_route=/tribe/events/v1", ""),
        ("rest_route=/tribe/events/v1/events.ics", "/events.ics"),
        ("rest_route=/tribe/events/v1/events/by-slug/k%C3%A4se", "/events/by-slug/k%C3%A4se"),
        ("rest_route=/tribe/events/v1/events&page=9", "/events?page=9"),
        ("rest_route=/tribe/events/v1/nothing", "/nothing"),
    ],
)
def test_a_route_in_the_query_is_answered_as_in_the_path(client, place, query, plain):
    assert stable_parts(client.get(f"{place}?{query}")) == stable_parts(
        client.get(f"{BASE}{plain}")
    )


@pytest.mark.usefixtures("event")
@pytest.mark.parametrize("place", ["/rm/", "/rm", "/RM/index.php", "/rm/wp-json/"])
def test_language_prefix_is_accepted(client, place):
    answer = client.get(f"{place}?rest_route={NAMESPACE}/events")
    assert stable_parts(answer) == stable_parts(client.get(f"/rm{BASE}/events"))
    assert answer.headers["Content-Language"] == "rm"


def test_the_route_of_the_index_is_a_slash(client):
    assert client.get("/?rest_route=/").data == client.get("/wp-json/").data


def test_records_are_written_as_well(client, event):
    path = quote(f"{NAMESPACE}/events/{event['id']}")
    changed = client.patch(f"/?rest_route={path}", json={"title": "Brot"}, headers=SIGNED_IN)
    assert (changed.status_code, changed.json["title"]) == (200, "Brot")
    assert client.delete(f"/?rest_route={path}", headers=SIGNED_IN).status_code == 200
    assert client.post(f"/?rest_route={NAMESPACE}/events", json={}).status_code == 401


@pytest.mark.parametrize(
    "route",
    [
        "tribe/events/v1/events",
        "events",
        "nothing",
        "/metrics",
        "/livez",
        "/doc",
        "//livez",
        "/tribe/events/v1x",
        "/tribe/events/v1/events?per_page=1",
        "/wp/v2/posts",
    ],
)
@pytest.mark.parametrize("prefix", ["", "/wp-json"])
def test_rest_route_outside_the_interface_is_not_found(settings, database, clock, route, prefix):
    app = create_app(replace(settings, api_prefix=prefix), database, clock)
    answer = app.test_client().get("/", query_string={"rest_route": route})
    assert (answer.status_code, answer.json["code"]) == (404, "rest_no_route")


@pytest.mark.parametrize("address", ["/?rest_route=", "/?rest_routes=/x", "/?x=rest_route"])
def test_who_names_no_route_gets_the_index(client, address):
    assert client.get(address).json["namespaces"] == [NAMESPACE[1:], "wp/v2"]


def test_rest_route_below_the_prefix_is_an_unknown_parameter(client):
    answer = client.get(f"{BASE}/venues?rest_route={NAMESPACE}/events")
    assert "venues" in answer.json


def test_it_counts_for_the_figures_of_the_route(client):
    for route in ("/organizers", "/nothing"):
        client.get(f"/?rest_route={NAMESPACE}{route}")
    figures = client.get("/metrics").get_data(as_text=True)
    assert f'calendar_requests_total{{method="GET",route="{BASE}/organizers"' in figures
    assert f"{BASE}/nothing" not in figures
