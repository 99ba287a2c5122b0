"""A site can do without WordPress' own routes, open data and the memory; all else goes on."""

import dataclasses

import pytest
from calling import Client

from calendar_app.app import create_app, openapi_document
from calendar_app.errors import ConfigurationError
from calendar_app.parts.part import PARTS, chosen_parts
from calendar_app.settings import Settings

GRAPHS = ("/events.jsonld", "/venues.jsonld", "/organizers.jsonld", "/dcat.jsonld")


@pytest.fixture
def app_without(settings, database, clock):
    """Return a function that makes the service without one part."""

    def make(name):
        return create_app(dataclasses.replace(settings, **{name: False}), database, clock)

    return make


def _is_used(app, as_editor):
    """Say whether the service takes an event, and shows it in JSON, in a feed and on a page."""
    editor, reader = Client(app, "editor", as_editor.id), Client(app)
    made = editor.post(
        "/events",
        title="Konzert",
        start_date="2030-01-16 20:00",
        end_date="2030-01-16 22:00",
        status="publish",
    )
    page = app.test_client().get(made.json["url"].removeprefix("https://calendar.example"))
    shown = (reader.get("/events").text, reader.get("/events.ics").text, page.text)
    return made.status_code == 201 and all("Konzert" in text for text in shown)


def test_service_without_open_data_has_no_graphs_and_names_none(app, app_without, as_editor):
    del app
    without = app_without("open_data")
    assert _is_used(without, as_editor)
    reader = Client(without)
    assert {reader.get(path).status_code for path in GRAPHS} == {404}
    client = without.test_client()
    assert ".jsonld" not in reader.get("/doc").text
    for path in ("/events/", "/llms.txt"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert ".jsonld" not in answer.text
    assert client.get("/wp/v2/tribe_events").status_code == 200


def test_service_without_wordpress_has_none_of_its_routes(app, app_without, as_editor):
    del app
    without = app_without("wordpress")
    assert _is_used(without, as_editor)
    client = without.test_client()
    for path in ("/wp/v2", "/wp/v2/tribe_events", "/?rest_route=/wp/v2/tribe_events"):
        assert client.get(path).status_code == 404
    uploaded = Client(without, "editor", as_editor.id).send("POST", "/media", base="/wp/v2")
    assert uploaded.status_code == 404
    assert "wp/v2" not in client.get("/", headers={"Accept": "application/json"}).text
    assert Client(without).get("/events.jsonld").status_code == 200


def test_service_without_a_memory_has_none_of_its_routes_and_writes_all_the_same(
    app, app_without, as_editor, database
):
    del app
    without = app_without("translation_memory")
    assert _is_used(without, as_editor)
    editor = Client(without, "editor", as_editor.id)
    texts = {"de": {"title": "Markt"}, "rm": {"title": "Fiera"}}
    day = {"start_date": "2030-01-16 20:00", "end_date": "2030-01-16 22:00"}
    stored = editor.post("/events", variants=texts, **day)
    assert stored.status_code == 201
    assert "X-Calendar-Glossary" not in stored.headers
    asked = {"source": "de", "target": "rm"}
    assert editor.post("/translations/propose", **asked, texts=["Markt"]).status_code == 404
    assert editor.get("/translations/glossary", **asked).status_code == 404
    assert "/translations/" not in Client(without).get("/doc").text
    assert database["memory"].count_documents({}) == 0


def test_each_part_is_loaded_where_its_setting_asks_for_it(settings):
    assert len(chosen_parts(settings)) == len(PARTS)
    off = dataclasses.replace(settings, **dict.fromkeys(PARTS, False))
    assert chosen_parts(off) == []
    assert "/dcat.jsonld" not in openapi_document(off)["paths"]


@pytest.mark.parametrize(
    "needing", [{"translator": "deepl", "translator_key": "k"}, {"memory_fills": True}]
)
def test_what_needs_the_memory_is_refused_without_it(needing):
    with pytest.raises(ConfigurationError, match="needs translation_memory = true"):
        Settings.load(environment={}, translation_memory=False, **needing)


def test_part_that_cannot_be_loaded_stops_the_start(settings):
    with pytest.raises(ModuleNotFoundError):
        chosen_parts(settings, {"open_data": "calendar_app.no_such_part"})
