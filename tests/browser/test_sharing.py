"""Readers share an event with the share sheet of the browser, and find events near them."""

import re

import pytest
from playwright.sync_api import expect

# What the reader does with the sheet, in the place of a system that has none.
SHEETS = {
    "used": "async (data) => { window.shared = data; }",
    "closed": "() => Promise.reject(new DOMException('closed', 'AbortError'))",
    "refused": "() => Promise.reject(new DOMException('refused', 'NotAllowedError'))",
    "none": "undefined",
}
GRANTED = ["clipboard-read", "clipboard-write"]


@pytest.fixture
def share(visit):
    """Return a function that presses the share button of an event in a browser with that sheet."""

    def press(sheet):
        page = visit("/events/list/", permissions=GRANTED, locale="de")
        page.add_init_script(f"navigator.share = {SHEETS[sheet]}")
        page.locator("#results .event-title a").first.click()
        page.wait_for_url("**/event/**")
        page.evaluate("navigator.clipboard.writeText('before')")
        page.locator("[data-share]").click()
        return page

    return press


def test_sheet_of_the_browser_gets_title_and_address(share):
    page = share("used")
    page.wait_for_function("window.shared")
    shared = page.evaluate("window.shared")
    assert shared["title"] == page.locator("h1").inner_text()
    assert shared["url"] == page.url


@pytest.mark.parametrize("sheet", ["none", "refused"])
def test_address_is_copied_where_there_is_no_sheet(share, sheet):
    page = share(sheet)
    expect(page.locator("[data-share]")).to_have_text("Link kopiert")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_nothing_is_copied_when_the_sheet_is_closed(share):
    page = share("closed")
    expect(page.locator("[data-share]")).to_have_text("Teilen")
    assert page.evaluate("navigator.clipboard.readText()") == "before"


def test_near_me_tells_the_place_within_a_kilometre_and_only_when_pressed(visit):
    position = {"latitude": 46.84321, "longitude": 9.53456}
    page = visit("/events/list/", geolocation=position, permissions=["geolocation"])
    assert "geoloc" not in page.url
    page.locator("[data-near] button").click()
    page.wait_for_url(re.compile("geoloc_lat=46.84&geoloc_lng=9.53&orderby=distance"))
    expect(page.locator(".quick [aria-current]")).to_have_count(1)


def test_choice_that_is_made_is_seen_on_a_phone(visit):
    page = visit("/events/list/?free=true", viewport={"width": 360, "height": 740})
    expect(page.locator(".quick [aria-current]")).to_be_in_viewport(ratio=1)
    expect(page.locator("#search")).to_be_in_viewport(ratio=1)
