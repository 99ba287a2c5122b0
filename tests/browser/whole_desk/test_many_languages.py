"""A desk with more than three languages fits a usual screen."""

import pytest
from playwright.sync_api import expect

SCREEN = {"viewport": {"width": 1280, "height": 900}}


@pytest.fixture
def page(desk):
    return desk.open(**SCREEN)


def fits(locator):
    return locator.evaluate("(each) => each.scrollWidth <= each.clientWidth")


def test_table_of_events_and_tabs_of_the_form_need_no_scrolling(page, records):
    page.goto("/desk/events/?status=any&period=all")
    assert fits(page.locator(".table-wrap"))
    page.goto(f"/desk/events/{records['events']}")
    assert fits(page.locator(".language-tabs"))


def test_what_every_event_needs_is_seen_without_scrolling(page, records):
    assert records
    page.goto("/desk/events/new")
    bar = page.locator(".form-foot").bounding_box()["y"]
    for name in ("title", "start_date", "start_time", "end_time", "venue_find", "image_file"):
        control = page.locator(f"[name='{name}']")
        box = (control if name != "image_file" else page.locator(".drop")).bounding_box()
        assert box["y"] + box["height"] <= bar, name


def test_proposal_of_the_memory_is_taken_over_by_a_button(page, records, make_event, as_admin):
    assert records
    make_event(title="Lesung", variants={"rm": {"title": "Prelecziun"}})
    event = make_event(title="Lesung")["id"]
    page.goto(f"/desk/events/{event}")
    page.focus("[name='variants[rm][title]']")
    button = page.locator(".remembered button")
    expect(button).to_be_visible()
    assert button.evaluate("(each) => getComputedStyle(each).borderTopWidth") != "0px"
    button.click()
    page.click(".form-foot button[value='save']")
    page.wait_for_selector(".notice-done")
    texts = as_admin.get(f"/events/{event}", translation_language="all").json
    assert texts["variants"]["rm"]["title"] == "Prelecziun"
    assert texts["text_origins"]["rm"]["title"]["origin"] == "memory"
