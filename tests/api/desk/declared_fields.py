"""Two declared fields in every consumer; `test_declared_fields.py` runs this file.

There the table of fields has a text `dress_code` and a flag `dogs_welcome`.
"""

import csv
from io import StringIO

import pytest
from browsing import Browser
from sites import swiss_site

from calendar_app.app import openapi_document
from calendar_app.domain.cost import Currency
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.translations import compared_fields
from calendar_app.site.desk.changes import label_of
from calendar_app.site.desk.event_form.fields import FIELDS as OF_FORM
from calendar_app.site.desk.sources.words import FIELD_NAMES
from calendar_app.site.desk.translating.rows import LABELS as OF_ROWS
from calendar_app.sources.imports.tec.records import changes_of
from calendar_app.sources.merging import FIELDS, said_values

pytestmark = pytest.mark.without_mongodb
FIELD_VALUES = {"dress_code": "Tracht & Hut", "dogs_welcome": True}
LABELS = {"dress_code": "Dress code", "dogs_welcome": "Dogs are welcome"}
SECRET = "tor"


@pytest.fixture(scope="session")
def settings(settings):
    return swiss_site(settings, submissions=True)


@pytest.fixture
def event(make_event):
    return make_event(**FIELD_VALUES)


def test_api_gives_back_what_was_sent(event, anyone):
    read = anyone.get(f"/events/{event['id']}").json
    assert (read["dress_code"], read["dogs_welcome"]) == ("Tracht &amp; Hut", True)


def test_flag_is_false_and_text_empty_at_first(make_event):
    plain = make_event()
    assert (plain["dress_code"], plain["dogs_welcome"]) == ("", False)


def test_text_has_languages(event, as_editor, anyone):
    path = f"/events/{event['id']}"
    as_editor.put(path, variants={"rm": {"title": "Festa", "dress_code": "Costum"}})
    assert anyone.get(path, translation_language="rm").json["dress_code"] == "Costum"
    assert anyone.get(path).json["dress_code"] == "Tracht &amp; Hut"


def test_empty_values_take_them_away(event, as_editor):
    nothing = {"dress_code": "", "dogs_welcome": False}
    assert as_editor.put(f"/events/{event['id']}", **nothing).json.items() >= nothing.items()


def test_openapi_describes_them(settings):
    schemas = openapi_document(settings)["components"]["schemas"]
    properties = {name: schema.get("properties", ()) for name, schema in schemas.items()}
    with_both = {
        name for name, own in properties.items() if {"dress_code", "dogs_welcome"} <= {*own}
    }
    assert {"Event", "Series", "EventChange", "Submission"} <= with_both, sorted(with_both)


def test_json_ld_has_them_under_their_names_of_schema_org(event, anyone):
    node = anyone.get(f"/events/{event['id']}").json["json_ld"]
    assert (node["backstory"], node["petsAllowed"]) == ("Tracht & Hut", True)


def test_password_hides_them(make_event, anyone):
    path = f"/events/{make_event(**FIELD_VALUES, password=SECRET)['id']}"
    (locked,) = anyone.get("/events").json["events"]
    assert (locked["dress_code"], locked["dogs_welcome"]) == ("", None)
    unlocked = anyone.get(path, password=SECRET).json
    assert (unlocked["dress_code"], unlocked["dogs_welcome"]) == ("Tracht &amp; Hut", True)


@pytest.mark.usefixtures("event")
def test_feeds_have_them(anyone):
    (row,) = csv.DictReader(StringIO(anyone.get("/events.csv").text.lstrip("\ufeff")))
    (feature,) = anyone.get("/events.geojson").json["features"]
    assert row["dress_code"] == feature["properties"]["dress_code"] == "Tracht & Hut"
    assert row["dogs_welcome"]
    assert feature["properties"]["dogs_welcome"] is True


def test_page_shows_them(event, app):
    page = Browser(app)(event["url"]).text
    assert "Dress code" in page
    assert "Tracht & Hut" in page
    assert "Dogs are welcome" in page


def test_visitors_can_suggest_events_with_them(app, anyone, as_editor):
    page = Browser(app)("/events/submit/").tree
    assert page.xpath("//input[@name='dress_code[de]']")
    assert page.xpath("//input[@name='dogs_welcome']")
    sent = {"title": "Fest", "start_date": "2030-03-10 19:00", "consent": True}
    assert anyone.post("/submissions", **sent, **FIELD_VALUES).status_code == 201
    (waiting,) = as_editor.get("/events", status="pending").json["events"]
    assert (waiting["dress_code"], waiting["dogs_welcome"]) == ("Tracht &amp; Hut", True)


def test_origin_of_the_text_is_kept_for_its_mark():
    assert "dress_code" in compared_fields(EVENT)


def test_form_of_the_desk_shows_and_saves_them(event, desk, anyone):
    editor, path = desk(), f"/events/{event['id']}"
    page = editor.get(path).tree
    assert page.xpath("//input[@name='dress_code']/@value") == ["Tracht & Hut"]
    assert page.xpath("//input[@name='dogs_welcome']/@checked")
    editor.send(path, dress_code="Turnschuhe", dogs_welcome=[])
    read = anyone.get(path).json
    assert (read["dress_code"], read["dogs_welcome"]) == ("Turnschuhe", False)
    history = editor.get(f"{path}/history").text
    assert "Dress code" in history
    assert "Dogs are welcome" in history


def test_desk_has_labels_for_them():
    for name, label in LABELS.items():
        assert OF_FORM[name].label == label_of(EVENT, name) == FIELD_NAMES[name] == label
    assert OF_ROWS["dress_code"] == "Dress code"


def test_source_can_have_the_authority():
    assert {"dress_code", "dogs_welcome"} <= set(FIELDS)
    changes = {"variants": {"de": {"dress_code": "Tracht"}}, "dogs_welcome": True}
    assert said_values(changes) == {"variants.de.dress_code": "Tracht", "dogs_welcome": True}


def test_they_are_read_from_another_calendar_like_this(event, settings):
    changes = changes_of(EVENT, event, "de", Currency.of(settings))
    assert changes["variants"]["de"]["dress_code"] == "Tracht &amp; Hut"
    assert changes["dogs_welcome"] is True
