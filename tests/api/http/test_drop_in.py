"""With three settings the service stands where a WordPress site with the calendar stood."""

import json
from base64 import b64encode

import pytest

from calendar_app.app import create_app
from calendar_app.settings import Settings

pytestmark = pytest.mark.without_mongodb

SITE = "https://calendar.example"
INDEX = "/wp-json/"
BASE = "/wp-json/tribe/events/v1"
# Nobody may read these without a user.
FOR_MEMBERS = (
    "/sources",
    "/sources/doubles",
    "/translations/glossary",
    "/users",
    "/users/me",
    "/webhooks",
)
NAMED_AS_BEFORE = {
    "api_prefix": "/wp-json",
    "namespace": "tribe/events/v1",
    "translation_parameter": "wpml_language",
}
EVENT = {
    "title": "Konzert",
    "start_date": "2030-03-10 19:00:00",
    "end_date": "2030-03-10 22:00:00",
    "venue": {"venue": "Saal"},
    "organizer": [{"organizer": "Verein"}],
    "categories": ["Musik"],
    "tags": ["Neu"],
}
SECRET = b64encode(b"admin:abcd EFGH ijkl MNOP qrst UVWX").decode()
SIGNED_IN = {"Authorization": f"Basic {SECRET}"}


def settings_with(**query):
    return Settings.load(
        environment={}, site_url=SITE, languages=["de", "rm"], default_language="de", **query
    )


@pytest.fixture
def settings():
    return settings_with(**NAMED_AS_BEFORE)


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def event(client):
    answer = client.post(f"{BASE}/events", json=EVENT, headers=SIGNED_IN)
    assert answer.status_code == 201
    return answer.json


@pytest.mark.parametrize("path", [INDEX, "/wp-json"])
def test_the_index_names_the_namespace_and_its_routes(client, path):
    index = client.get(path).json
    assert index["namespaces"] == ["tribe/events/v1", "wp/v2"]
    assert "/tribe/events/v1" in index["routes"]
    assert r"/tribe/events/v1/events/(?P<id>\d+)" in index["routes"]
    namespaces = {route["namespace"] for route in index["routes"].values()}
    assert namespaces == {"tribe/events/v1", "wp/v2"}
    assert (index["url"], index["home"]) == (SITE, SITE)
    assert index["authentication"] == []


def test_the_namespace_lists_the_same_routes_and_leads_up_to_the_index(client):
    root = client.get(BASE).json
    assert root["namespace"] == "tribe/events/v1"
    routes = client.get(INDEX).json["routes"].items()
    own = {pattern: route for pattern, route in routes if route["namespace"] == "tribe/events/v1"}
    assert root["routes"] == own
    assert root["_links"] == {"up": [{"href": SITE + INDEX}]}


def test_every_route_without_variables_can_be_followed(client):
    routes = client.get(BASE).json["routes"]
    links = {pattern: route["_links"] for pattern, route in routes.items() if "(" not in pattern}
    for pattern, link in links.items():
        assert link == {"self": [{"href": f"{SITE}/wp-json{pattern}"}]}
        if "GET" in routes[pattern]["methods"]:
            status = 401 if pattern.endswith(FOR_MEMBERS) else 200
            assert client.get(f"/wp-json{pattern}").status_code == status


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("HEAD", "/", 200),
        ("GET", INDEX, 200),
        ("GET", f"{BASE}/events", 200),
        ("GET", f"{BASE}/events/999", 404),
        ("POST", f"{BASE}/events", 401),
        ("OPTIONS", f"{BASE}/events", 200),
        ("GET", "/wp-json/wp/v2/posts", 404),
    ],
)
def test_every_answer_links_to_the_index(client, method, path, status):
    answer = client.open(path, method=method)
    assert answer.status_code == status
    assert f'<{SITE}{INDEX}>; rel="https://api.w.org/"' in answer.headers.getlist("Link")


def test_other_namespaces_of_wordpress_are_not_there(client):
    for path in ("/wp-json/wp/v2/posts", "/wp-json/tribe/events/v2/events"):
        assert client.get(path).json["code"] == "rest_no_route"


@pytest.mark.parametrize(
    "path", ["/events", "/events/1", "/events/by-slug/x", "/venues", "/tags/3"]
)
def test_options_describes_a_route_with_its_arguments(client, path):
    described = client.options(BASE + path).json
    assert described["namespace"] == "tribe/events/v1"
    assert described in client.get(BASE).json["routes"].values()
    for endpoint in described["endpoints"]:
        assert "wpml_language" in endpoint["args"]
        assert all("required" in argument for argument in endpoint["args"].values())


def test_addresses_in_a_record_have_the_old_paths(client, event):
    assert event["rest_url"] == f"{SITE}{BASE}/events/{event['id']}"
    urls = event["categories"][0]["urls"]
    assert urls["self"] == f"{SITE}{BASE}/categories/{event['categories'][0]['id']}"
    assert urls["collection"] == f"{SITE}{BASE}/categories"
    assert client.get(urls["self"].removeprefix(SITE)).status_code == 200


def test_the_language_has_the_old_parameter_and_the_old_segment(client, event):
    path = f"{BASE}/events/{event['id']}"
    client.post(f"{path}?wpml_language=rm", json={"title": "Concert"}, headers=SIGNED_IN)
    assert client.get(f"{path}?wpml_language=rm").json["title"] == "Concert"
    assert client.get(f"/rm{path}").json["title"] == "Concert"
    assert client.get(path).json["title"] == "Konzert"
    # The usual name is understood beside it.
    assert client.get(f"{path}?translation_language=rm").json["title"] == "Concert"
    assert client.get(f"{path}?wpml_language=fr").status_code == 400


def test_links_between_pages_carry_the_old_parameter(client, event):
    client.post(f"{BASE}/events", json=EVENT | {"title": "Zwei"}, headers=SIGNED_IN)
    page = client.get(f"{BASE}/events?per_page=1&wpml_language=rm").json
    assert "wpml_language=rm" in page["next_rest_url"]
    following = client.get(page["next_rest_url"].removeprefix(SITE))
    assert following.headers["Content-Language"] == "rm"
    assert [listed_event["id"] for listed_event in page["events"]] == [event["id"]]


def test_document_is_served_at_the_old_path(client):
    document = client.get(f"{BASE}/doc").json
    assert document["servers"] == [{"url": f"{SITE}{BASE}/"}]
    assert document["components"]["parameters"]["language"]["name"] == "wpml_language"


CONVERSATION = [
    ("POST", "/events", EVENT),
    ("POST", "/events?LANGUAGE=rm", EVENT | {"title": "Concert", "all_day": True}),
    ("POST", "/events", {"title": "Ohne Zeit"}),
    ("POST", "/categories", {"name": "Oper"}),
    ("POST", "/tags", {"name": ""}),
    ("GET", "/events", None),
    ("GET", "/events?per_page=1&categories=musik&LANGUAGE=rm", None),
    ("GET", "/events?page=9", None),
    ("GET", "/events?LANGUAGE=xx", None),
    ("GET", "/events/by-slug/konzert", None),
    ("GET", "/venues?LANGUAGE=all", None),
    ("GET", "/organizers", None),
    ("GET", "/categories?hide_empty=0&per_page=1", None),
    ("GET", "/tags", None),
    ("PUT", "/events/by-slug/konzert?LANGUAGE=rm", {"title": "Concert grond"}),
    ("DELETE", "/venues/by-slug/saal", None),
    ("DELETE", "/venues/by-slug/saal", None),
    ("GET", "/nothing", None),
    ("DELETE", "/events", None),
    ("OPTIONS", "/events", None),
    ("OPTIONS", "/tags/1", None),
    ("GET", "/doc", None),
]


@pytest.mark.usefixtures("app")
def test_nothing_but_the_three_names_is_different(database, clock):
    users = {name: list(database[name].find()) for name in ("users", "keys", "sequences")}
    answers = []
    for settings in (settings_with(), settings_with(**NAMED_AS_BEFORE)):
        for name in database.list_collection_names():
            database[name].delete_many({})
        for name, documents in users.items():
            database[name].insert_many(documents)
        client = create_app(settings, database, clock).test_client()
        answers.append([answered(client, settings, *sent) for sent in CONVERSATION])
    assert answers[0] == answers[1]


def answered(client, settings, method, path, body):
    """Return status and body of an answer in which the three names are written as capitals."""
    base = f"{settings.api_prefix}/{settings.namespace}"
    address = base + path.replace("LANGUAGE", settings.translation_parameter)
    answer = client.open(address, method=method, json=body, headers=SIGNED_IN)
    # Where a line of iCalendar is folded depends on how long the names in it are.
    text = json.dumps(answer.json).replace("\\r\\n ", "")
    for name, placeholder in (
        (base, "/BASE"),
        (settings.namespace, "NAMESPACE"),
        (settings.translation_parameter, "LANGUAGE"),
        (f'"{SITE}{settings.api_prefix}/"', '"INDEX"'),
    ):
        text = text.replace(name, placeholder)
    return method, path, answer.status_code, json.loads(text)
