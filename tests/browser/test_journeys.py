"""With a keyboard alone, readers find an event, subscribe, change the language and filter."""

import pytest
from playwright.sync_api import expect

MOST_TABS = 150
FOCUS = """
    () => { const style = getComputedStyle(document.activeElement);
      return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0
        || style.boxShadow !== "none"; }
"""


def tab_to(page, selector, number=0):
    """Press the tab key until an element is focused that the selector names; return it."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        focused = page.evaluate_handle("document.activeElement").as_element()
        if focused.evaluate("(element, selector) => element.matches(selector)", selector):
            if not number:
                return focused
            number -= 1
    raise AssertionError(f"The tab key does not reach {selector}.")


def follow(page, selector):
    """Open the link that a selector names, by the keyboard."""
    tab_to(page, selector)
    with page.expect_navigation():
        page.keyboard.press("Enter")


@pytest.mark.parametrize("width", [320, 1280])
def test_an_event_is_found_in_a_month_and_added_to_a_calendar(visit, width):
    page = visit("/", viewport={"width": width, "height": 900})
    follow(page, ".views a[href*='/month/']")
    follow(page, "#results a[rel~='next'], .period-nav a[rel~='next']")
    follow(page, ".line")
    assert "/event/" in page.url
    link = tab_to(page, ".add a")
    assert ".ics" in link.get_attribute("href")


def test_a_list_is_subscribed_to(visit):
    page = visit("/rm/events/list/")
    link = tab_to(page, ".subscribe a")
    assert link.get_attribute("href").startswith("webcal:")
    assert "/rm/" in link.get_attribute("href")
    outlook = tab_to(page, ".subscribe a[href*='outlook']").get_attribute("href")
    assert "%2Frm%2F" in outlook
    tab_to(page, ".subscribe summary").press("Enter")
    field = tab_to(page, "#ics-address")
    assert field.evaluate("field => field.selectionEnd - field.selectionStart") > 20


def test_the_language_is_changed_on_the_same_page(visit):
    page = visit("/events/list/?featured=true")
    follow(page, ".languages a[hreflang='rm']")
    assert page.url.endswith("/rm/events/list/?featured=true")
    assert page.locator("html").get_attribute("lang") == "rm"
    follow(page, ".languages a[hreflang='de']")
    assert page.url.endswith("/events/list/?featured=true")
    assert "/rm/" not in page.url


@pytest.mark.parametrize("width", [320, 1280])
def test_category_filter_is_set_and_removed(visit, width):
    page = visit("/events/list/", viewport={"width": width, "height": 900})
    if width < 1000:
        tab_to(page, ".filters > summary")
        page.keyboard.press("Enter")
    tab_to(page, "input[name='categories[]']")
    page.keyboard.press("Space")
    page.wait_for_url("**categories**")
    assert page.locator(".chips .chip").count() == 2
    tab_to(page, ".chips .chip")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda address: "categories" not in address)
    assert page.locator(".chips .chip").count() == 0


def test_the_content_is_reached_by_the_first_link(visit):
    page = visit("/events/list/")
    assert tab_to(page, "a") is not None
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", ["list/", "month/", "map/"])
def test_focus_is_always_visible(visit, view, scheme):
    page = visit(f"/events/{view}", color_scheme=scheme)
    unseen = []
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.tagName") == "BODY":
            break
        if not page.evaluate(FOCUS):
            unseen.append(page.evaluate("document.activeElement.outerHTML.slice(0, 120)"))
    assert unseen == []


def test_print_has_events_without_navigation(visit):
    page = visit("/events/list/")
    page.emulate_media(media="print")
    assert page.locator("#results .event").first.is_visible()
    for selector in (".filters", ".views", ".languages", ".subscribe", ".site-footer"):
        assert not page.locator(selector).first.is_visible(), selector
    assert page.pdf().startswith(b"%PDF")
