"""A phone shows events on its first screen, below three rows of choices at most."""

import re

import pytest
from playwright.sync_api import expect

PHONE = {"viewport": {"width": 360, "height": 740}}


@pytest.mark.parametrize("language", ["", "rm/"])
@pytest.mark.parametrize("view", ["list", "month"])
def test_first_event_is_in_the_upper_half_of_a_phone(visit, language, view):
    page = visit(f"/{language}events/{view}/", **PHONE)
    tops = [
        link.bounding_box()["y"]
        for link in page.locator(".results a:visible").all()[:3]
        if link.bounding_box()
    ]
    assert min(tops) <= 360
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]


def test_search_opens_by_its_icon_and_stays_while_it_has_words(visit):
    page = visit("/events/", **PHONE)
    field = page.locator("#search")
    assert field.bounding_box()["width"] < 50
    page.locator(".search label").click()
    expect(field).to_be_focused()
    assert field.bounding_box()["width"] > 200
    field.fill("kino")
    field.press("Enter")
    expect(page).to_have_url(re.compile("search=kino"))
    assert page.locator("#search").bounding_box()["width"] > 200


def test_languages_are_behind_one_button_that_keys_open(visit):
    page = visit("/events/", **PHONE)
    romansh = page.locator(".languages a[hreflang=rm]")
    expect(romansh).to_be_hidden()
    button = page.locator(".languages summary")
    expect(button).to_have_text("Sprache: DeutschDE")
    button.press("Enter")
    expect(romansh).to_be_visible()
    button.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "rm")


def test_chosen_view_is_in_sight_though_the_row_is_wider_than_a_phone(visit):
    page = visit("/events/map/", **PHONE)
    box = page.locator(".views [aria-current]").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["viewport"]["width"]
