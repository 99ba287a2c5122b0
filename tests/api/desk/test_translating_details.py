"""Translating at the desk: custom fields, and names in addresses."""

import pytest

DOORS = {"label": "Türöffnung", "value": "Um sieben"}


@pytest.fixture
def event(make_event):
    return make_event(title="Konzert", custom_fields={"doors": DOORS})


@pytest.fixture
def stored(as_admin, event):
    def read():
        read = as_admin.get(f"/events/{event['id']}", translation_language="all").json
        return read["variants"]["rm"] | {"status": read["translations"]["rm"]["status"]}

    return read


def _field(part):
    return f"custom_fields.doors.{part}"


def test_custom_fields_are_translated_part_by_part(desk, event, stored):
    browser, path = desk(), f"/events/{event['id']}/translate/rm"
    browser.send(path, **{"title": "Concert", _field("value"): "A las set"})
    assert stored()["custom_fields"] == {"doors": {"value": "A las set"}}
    browser.send(path, **{_field("label"): "Avertura"})
    assert stored()["custom_fields"] == {"doors": {"label": "Avertura", "value": "A las set"}}


def test_changed_part_of_a_custom_field_is_confirmed(desk, event, stored, as_admin):
    texts = {"title": "Concert", "custom_fields": {"doors": {"label": "Avertura", "value": "19"}}}
    as_admin.patch(f"/events/{event['id']}", variants={"rm": texts})
    as_admin.patch(f"/events/{event['id']}", custom_fields={"doors": {"value": "Um acht"}})
    browser, path = desk(), f"/events/{event['id']}/translate/rm"
    page = browser.get(path)
    assert page.tree.xpath('//main//input[@name="right"]/@value') == [_field("value")]
    assert page.tree.xpath('//*[contains(@id, "-changes")]/ins/text()') == ["acht"]
    browser.send(path, right=_field("value"))
    assert stored()["status"] == "current"


def test_author_without_the_right_sees_no_custom_fields(desk, as_admin, as_author, make_event):
    event = make_event(as_author, title="Lesung", status="draft")
    as_admin.patch(f"/events/{event['id']}", custom_fields={"doors": DOORS})
    page = desk("author").get(f"/events/{event['id']}/translate/rm")
    assert page.status == 200
    assert not page.tree.xpath('//main//*[starts-with(@name, "custom_fields.")]')


def test_name_in_the_address_is_written_and_told_as_it_stands(desk, event, stored):
    browser, path = desk(), f"/events/{event['id']}/translate/rm"
    browser.send(path, title="Concert", slug="La Festa")
    assert stored()["slug"] == "la-festa"
    assert "«la-festa»" in browser.get(path).text
