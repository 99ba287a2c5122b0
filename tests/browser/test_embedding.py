"""A calendar in a page of another site, by one element and one script."""

import dataclasses

import pytest
from flask import Flask
from playwright.sync_api import expect
from serving import wait_for

from calendar_app.app import create_app


@pytest.fixture
def foreign(serve):
    """Return another site, which shows whatever HTML it is given."""
    app = Flask("foreign")
    app.pages = []
    app.get("/")(lambda: f"<!doctype html><title>Foreign</title>{app.pages[-1]}")
    return serve(app), app.pages


@pytest.fixture
def calendar(serve, settings, database, clock):
    """Return a function that serves a calendar which some sites may embed."""

    def start(*origins):
        changed = dataclasses.replace(settings, site_url="", embed_origins=origins)
        return serve(create_app(changed, database, clock))

    return start


def open_page(chromium, address):
    context = chromium.new_context(viewport={"width": 800, "height": 600})
    page = context.new_page()
    page.goto(address)
    return page


def fitting_height(page):
    """Wait until the frame is exactly as high as the page in it, and return that height."""
    frame = page.locator("calendar-frame iframe")
    content = frame.content_frame.locator("html")

    def fitting():
        # A page is higher before its stylesheet has come; then it changes once more.
        inner, outer = content.bounding_box()["height"], frame.bounding_box()["height"]
        return outer if 0 <= outer - inner < 1 else None

    return wait_for(fitting)


def test_the_element_shows_the_calendar_and_is_as_high_as_it(
    chromium, calendar, foreign, make_event, make_category
):
    category = make_category(name="Music", slug="music")
    for number in range(8):
        make_event(title=f"Concert {number}", categories=[category["id"]])
    make_event(title="Market")
    address, pages = foreign
    source = calendar(address)
    pages.append(
        f'<script src="{source}/embed.js"></script>'
        f'<calendar-frame src="{source}" language="rm" categories="music"></calendar-frame>'
    )
    page = open_page(chromium, address)
    frame = page.frame_locator("calendar-frame iframe")
    frame.locator(".event-title").first.wait_for()
    titles = frame.locator(".event-title a").all_inner_texts()
    assert len(titles) == 8
    assert "Market" not in titles
    assert frame.locator("html").get_attribute("lang") == "rm"
    expect(page.locator("calendar-frame iframe")).to_have_attribute(
        "title", frame.locator("html").evaluate("html => html.ownerDocument.title")
    )
    assert frame.locator(".site-header, .site-footer").count() == 0
    height = fitting_height(page)
    assert height > 700
    frame.locator("#search").fill("Concert 3")
    frame.locator("#search").press("Enter")
    expect(frame.locator(".event-title")).to_have_count(1)
    assert fitting_height(page) < height / 2
    with page.context.expect_page() as opened:
        frame.locator(".event-title a").first.click()
    assert "/rm/event/" in opened.value.url
    assert page.url == f"{address}/"
    page.context.close()


def test_pages_of_earlier_releases_show_the_calendar_under_its_former_name(
    chromium, calendar, foreign, make_event
):
    make_event(title="Concert")
    address, pages = foreign
    source = calendar(address)
    pages.append(
        f'<script src="{source}/embed.js"></script>'
        f'<calendar-events src="{source}"></calendar-events>'
    )
    page = open_page(chromium, address)
    title = page.frame_locator("calendar-events iframe").locator(".event-title").first
    expect(title).to_have_text("Concert")
    page.context.close()


def test_a_page_may_load_the_script_with_each_of_its_calendars(
    chromium, calendar, foreign, make_event
):
    make_event(title="Concert")
    address, pages = foreign
    source = calendar(address)
    snippet = (
        f'<script src="{source}/embed.js"></script><calendar-frame src="{source}"></calendar-frame>'
    )
    pages.append(snippet * 2)
    context = chromium.new_context(viewport={"width": 800, "height": 600})
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    frames = page.locator("calendar-frame iframe")
    expect(frames).to_have_count(2)
    for number in range(2):
        frames.nth(number).scroll_into_view_if_needed()
        frames.nth(number).content_frame.locator(".event-title").first.wait_for()
    assert errors == []
    context.close()


def test_a_site_that_is_not_named_may_not_frame_it(chromium, calendar, foreign, make_event):
    make_event(title="Concert")
    address, pages = foreign
    pages.append(f'<iframe src="{calendar("https://www.example.org")}/embed/"></iframe>')
    page = open_page(chromium, address)
    assert page.frame_locator("iframe").locator(".event-title").count() == 0
    pages.append(f'<iframe src="{calendar(address)}/embed/"></iframe>')
    page.reload()
    page.frame_locator("iframe").locator(".event-title").first.wait_for()
    page.context.close()
