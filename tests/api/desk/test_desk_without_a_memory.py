"""The desk of a site without a memory: texts are translated as ever, and nothing is proposed."""

from dataclasses import replace

import pytest
from desking import form_of

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
PAGES = ("/translations/memory", "/translations/memory.tmx", "/translations/machine")


@pytest.fixture
def settings(settings):
    return replace(settings, translation_memory=False)


@pytest.fixture
def path(as_admin, make_event):
    """Return the page of an event with a title that another event has translated."""
    variants = {"de": {"title": "Konzert am See"}, "rm": {"title": "Concert al lai"}}
    as_admin.post("/events", **EVENING, variants=variants)
    return f"/events/{make_event(title='Konzert am See')['id']}/translate/rm"


def test_translation_is_saved_and_nothing_is_proposed(desk, path, as_admin):
    browser = desk()
    page = browser.get(path)
    assert not page.tree.xpath('//*[contains(@class, "remembered") or @value="propose"]')
    form = dict(form_of(page).form_values())
    browser.post(path, **form | {"title": "Concert", "press": "save"})
    event = as_admin.get(path[: path.index("/translate")], translation_language="all").json
    assert event["variants"]["rm"]["title"] == "Concert"


def test_machine_may_not_be_asked(desk, path):
    browser = desk()
    form = dict(form_of(browser.get(path)).form_values())
    assert browser.post(path, **form | {"press": "propose"}).status == 403


@pytest.mark.parametrize("address", PAGES)
def test_pages_of_the_memory_are_not_there(desk, address):
    assert desk().get(address).status == 404


def test_list_of_translations_leads_to_none_of_them(desk, path):
    del path
    page = desk().get("/translations/?state=missing")
    assert page.status == 200
    assert "Konzert am See" in page.text
    assert not set(page.tree.xpath("//a/@href")) & {f"/desk{each}" for each in PAGES}


def test_forms_ask_for_no_proposals(desk):
    page = desk().get("/events/new")
    assert page.status == 200
    assert not page.tree.xpath("//form/@data-propose")
