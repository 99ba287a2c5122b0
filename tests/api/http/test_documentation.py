"""The interface explains itself to programs and to people, without help from elsewhere."""

import re
from dataclasses import replace
from urllib.parse import urljoin

import pytest
from openapi_spec_validator import validate

from calendar_app.app import create_app

pytestmark = pytest.mark.without_mongodb

PAGES = ["/doc", "/doc/", "/rm/doc", "/calendar/events/v1/doc"]
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


@pytest.fixture
def web(app):
    return app.test_client()


@pytest.mark.parametrize("accept", ["application/json", "*/*", ""])
@pytest.mark.parametrize("path", ["/doc", "/doc/"])
def test_programs_get_the_document_as_json(anyone, path, accept):
    answer = anyone.send("GET", path, headers={"Accept": accept})
    assert answer.status_code == 200
    assert answer.mimetype == "application/json"
    assert answer.json["openapi"].startswith("3.")


@pytest.mark.parametrize("path", PAGES)
def test_browsers_get_a_page(web, path):
    answer = web.get(path, headers=BROWSER)
    assert answer.status_code == 200
    assert answer.mimetype == "text/html"


def test_documentation_varies_by_accept(anyone):
    assert "Accept" in anyone.get("/doc").vary


@pytest.mark.parametrize("path", PAGES)
def test_all_that_the_page_loads_is_served_here(web, path):
    page = web.get(path, headers=BROWSER).text
    loaded = re.findall(r'(?:src|href|data-document)="([^"]*)"', page)
    assert len(loaded) == 5
    for address in loaded:
        assert web.get(urljoin(path, address), buffered=True).status_code == 200


@pytest.mark.parametrize("path", PAGES)
def test_the_page_stays_below_the_path_of_the_site(web, path):
    page = web.get(path, headers=BROWSER).text
    loaded = re.findall(r'(?:src|href|data-document)="([^"]*)"', page)
    served = [urljoin(f"/agenda{path}", address) for address in loaded]
    assert served == [f"/agenda{urljoin(path, address)}" for address in loaded]


def test_page_and_script_name_no_other_site(web):
    for path in ("/doc", "/doc/documentation.js"):
        assert "://" not in web.get(path, buffered=True).text


def test_the_page_may_load_nothing_from_elsewhere(web):
    policy = web.get("/doc").headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'self';")


@pytest.mark.parametrize("path", ["", "/", "/kal", "/kal/"])
def test_page_may_connect_to_paths_below_the_site_url(path, settings, database):
    below = replace(settings, site_url=f"https://agenda.example{path}")
    page = create_app(below, database).test_client().get("/doc")
    allowed = page.headers["Content-Security-Policy"].rpartition(" ")[2]
    assert allowed == f"https://agenda.example{path.rstrip('/')}/"


def test_the_page_asks_for_the_document_in_its_language(web):
    page = web.get("/rm/doc").text
    (document,) = re.findall('data-document="([^"]*)"', page)
    assert urljoin("/rm/doc", document) == "/rm/calendar/events/v1/doc"


@pytest.mark.parametrize("name", ["nothing.js", "..%2Fapp.py", "documentation.py"])
def test_no_other_file_is_handed_out(web, name):
    assert web.get(f"/doc/{name}").status_code == 404


def test_the_document_names_the_address_by_which_it_was_asked(app, settings):
    answer = app.test_client().get("/rm/calendar/events/v1/doc")
    assert answer.json["servers"] == [{"url": f"{settings.site_url}/rm/calendar/events/v1/"}]


def test_the_title_is_the_name_of_the_site(anyone, settings):
    assert anyone.get("/doc").json["info"]["title"] == settings.site_name


def test_document_can_be_requested_in_parts(anyone):
    assert set(anyone.get("/doc", _fields="openapi,info.title").json) == {"openapi", "info"}


class TestWithoutPublicAddress:
    @pytest.fixture
    def settings(self, settings):
        return type(settings).load(environment={})

    def test_the_address_in_the_document_keeps_the_port(self, web):
        answer = web.get("/calendar/events/v1/doc", base_url="http://127.0.0.1:8123")
        assert answer.json["servers"] == [{"url": "http://127.0.0.1:8123/calendar/events/v1/"}]


@pytest.mark.parametrize("tags", ["events,venues", "feeds", "public"])
def test_a_part_of_the_document_is_public_reading_alone(anyone, tags):
    part = anyone.get("/doc", tags=tags).json
    operations = [each for item in part["paths"].values() for each in item.items()]
    assert operations
    assert {name for name, _ in operations} <= {"get", "parameters"}
    assert all(each["security"][0] == {} for name, each in operations if name == "get")
    (group,) = part["x-tagGroups"]
    assert group["name"] == "public"
    assert tags == "public" or group["tags"] == tags.split(",")


def test_a_part_is_small_and_has_exactly_the_schemas_that_it_needs(anyone):
    answer = anyone.get("/doc", tags="events,venues")
    assert len(answer.data) <= 200_000
    text, schemas = answer.text, answer.json["components"]["schemas"]
    for name in schemas:
        assert f'"#/components/schemas/{name}"' in text
    assert set(re.findall(r'"#/components/schemas/(\w+)"', text)) == set(schemas)
    assert "User" not in schemas
    assert "/users" not in answer.json["paths"]


def test_a_part_is_valid_openapi(anyone):
    validate(anyone.get("/doc", tags="events,venues").json)


@pytest.mark.parametrize("tags", ["concerts", "events,users", "editing events", ""])
@pytest.mark.parametrize("path", ["/doc", "/calendar/events/v1/doc"])
def test_unknown_tags_are_refused(anyone, path, tags):
    answer = anyone.send("GET", path, base="", query_string={"tags": tags})
    assert (answer.status_code, answer.invalid_params) == (400, ["tags"])


def test_the_page_shows_the_part_that_its_address_names(web):
    page = web.get("/doc?tags=events,venues", headers=BROWSER).text
    (address,) = re.findall(r'data-document="([^"]*)"', page)
    part = web.get(urljoin("/doc", address)).json
    assert "/events" in part["paths"]
    assert "/users" not in part["paths"]
