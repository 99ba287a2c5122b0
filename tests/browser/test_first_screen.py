"""A phone shows events on its first screen, below three rows of choices at most."""

import re

import pytest
from playwright.sync_api import expect

PHONE = {"viewport": {"width": 360, "height": 740}}


@pytest.mark.parametrize("language", ["", "rm/"])
def test_first_event_is_in_the_upper_half_of_a_phone(visit, language):
    page = visit(f"/{language}events/list/", **PHONE)
    tops = [
        link.bounding_box()["y"]
        for link in page.locator(".results a:visible").all()[:3]
        if link.bounding_box()
    ]
    assert min(tops) <= 360
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]


@pytest.mark.parametrize("language", ["", "rm/"])
def test_month_of_a_phone_shows_its_days_and_the_events_of_one(visit, language):
    page = visit(f"/{language}events/month/", **PHONE)
    days = page.locator(".days label")
    assert page.locator(".days").bounding_box()["y"] <= 330
    assert days.last.bounding_box()["height"] >= 44
    box = page.locator(".days .line:visible").first.bounding_box()
    assert box["y"] + box["height"] <= PHONE["viewport"]["height"]
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]


def test_another_day_of_the_month_is_chosen_by_a_press_and_by_keys(visit):
    page = visit("/events/month/", **PHONE)
    shown = page.locator(".days .day:visible")
    chosen = int(shown.locator(".day-number").inner_text())
    expect(page.locator(".days input:checked")).to_have_count(1)
    other = chosen - 1 if chosen > 1 else chosen + 1
    page.locator(f".days label:has(.pick-number:text-is('{other}'))").click()
    expect(shown).to_have_count(1)
    expect(shown.locator(".day-number")).to_have_text(str(other))
    page.keyboard.press("ArrowRight" if other < chosen else "ArrowLeft")
    expect(shown.locator(".day-number")).to_have_text(str(chosen))


def test_exhibition_takes_one_line_in_the_month_of_a_phone(visit):
    page, exhibitions = visit("/events/month/", **PHONE), 0
    for _ in range(4):
        titles = page.locator(".lasting .line-title").all_inner_texts()
        lines = page.locator(":is(.days, .lasting) .line-title").all_text_contents()
        assert [lines.count(title) for title in titles] == [1] * len(titles)
        assert page.evaluate("document.documentElement.scrollHeight") <= 2500
        exhibitions += len(titles)
        page.locator(".period-nav a[rel~=next]").click()
    assert exhibitions


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
