"""Translating at the desk from a language of the translator's choice."""

from dataclasses import replace

import pytest


@pytest.fixture
def settings(settings):
    return replace(settings, languages=("de", "rm", "en"))


@pytest.fixture
def event(make_event, as_admin):
    """Make an event in German and English, with an outdated title in Romansh; return its path."""
    path = f"/events/{make_event(title='Konzert im Park')['id']}"
    as_admin.patch(path, variants={"rm": {"title": "Concert en il parc"}})
    as_admin.patch(path, variants={"en": {"title": "Concert in the park"}})
    as_admin.patch(path, title="Konzert am See")
    return path


def test_translator_chooses_the_source(desk, event):
    page = desk().get(f"{event}/translate/rm")
    (link,) = page.tree.xpath('//p[@class="sources"]/a/@href')
    page = desk().get(link)
    source = page.tree.xpath('//div[@class="translate-source"][1]')[0]
    assert (source.get("lang"), source.text_content().split()[:3]) == (
        "en",
        ["Concert", "in", "the"],
    )


def test_page_says_against_which_source_changes_are_known(desk, event):
    page = desk().get(f"{event}/translate/rm?source=en")
    assert "Nur dazu weiss der Dienst, was sich geändert hat" in page.text
    assert not page.tree.xpath('//main//input[@name="right"] | //button[@value="right"]')
    assert page.tree.xpath('//*[@id="title-changes"]')
    assert not page.tree.xpath("//main//del | //main//ins")


def test_source_that_the_record_lacks_gives_way_to_the_usual_one(desk, event):
    page = desk().get(f"{event}/translate/rm?source=fr")
    assert page.tree.xpath('//*[@id="title-changes"]/ins/text()') == ["am See"]


def test_first_translation_remembers_its_source(desk, make_event, as_admin):
    event = f"/events/{make_event(title='Markt')['id']}"
    as_admin.patch(event, variants={"en": {"title": "Market"}})
    browser = desk()
    browser.send(f"{event}/translate/rm?source=en", title="Martgà")
    as_admin.patch(event, title="Grosser Markt")
    standing = as_admin.get(event, translation_language="all").json["translations"]
    assert standing["rm"]["status"] == "current"
    as_admin.patch(event, variants={"en": {"title": "Big market"}})
    page = browser.get(f"{event}/translate/rm")
    assert page.tree.xpath('//*[@id="title-changes"]/ins/text()') == ["Big market"]


def test_next_record_keeps_the_source(desk, event):
    answer = desk().send(f"{event}/translate/rm?source=en", press="next")
    assert "source=en" in answer.headers["Location"]
