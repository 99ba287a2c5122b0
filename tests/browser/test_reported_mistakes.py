"""A reader reports a mistake in an event, and an editor answers it."""

import os
import subprocess
import sys
from urllib.parse import urlsplit

import pytest
from desking import PASSWORD
from playwright.sync_api import expect
from serving import CONFIG, serving

LOOKS = {
    "light-360": {"color_scheme": "light", "viewport": {"width": 360, "height": 740}},
    "dark-1280": {"color_scheme": "dark", "viewport": {"width": 1280, "height": 900}},
}


@pytest.fixture(scope="session")
def open_site(tmp_path_factory):
    """Return the address of a service that takes reports."""
    data = tmp_path_factory.mktemp("reports")
    command = [sys.executable, "-m", "calendar_app", "--config", str(CONFIG), "users"]
    environment = os.environ | {"CALENDAR_DATA": str(data)}
    with serving(data, "--demo", CALENDAR_MISTAKE_REPORTS="true") as service:
        for words in (["add", "lea", "--role", "editor"], ["password", "lea", "--desk", PASSWORD]):
            subprocess.run([*command, *words], env=environment, check=True)
        parts = urlsplit(service.events)
        yield f"{parts.scheme}://{parts.netloc}"


@pytest.fixture
def window(open_site, chromium):
    """Return a function that opens a path of that service in a window of its own."""
    contexts = []

    def open_page(path, **options):
        context = chromium.new_context(base_url=open_site, locale="de-CH", **options)
        contexts.append(context)
        page = context.new_page()
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()


def _open_form(page):
    """Go from the list to the form of its first event; return the title of that."""
    link = page.locator(".event-title a").first
    title = link.inner_text()
    with page.expect_navigation():
        link.click()
    with page.expect_navigation():
        page.click(".report-mistake a")
    return title


def _send(page):
    with page.expect_navigation():
        page.click(".form-end button")


def _log_in(page):
    page.fill("[name=name]", "lea")
    page.fill("[name=password]", PASSWORD)
    with page.expect_navigation():
        page.click("main form button.button")


def _is_whole(page, findings):
    width = page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert findings(page) == []


@pytest.mark.parametrize("look", LOOKS)
def test_reader_reports_and_editor_answers(window, findings, look):
    page = window("/events/", **LOOKS[look])
    title = _open_form(page)
    _is_whole(page, findings)
    page.wait_for_timeout(3200)  # as nobody is faster
    _send(page)
    expect(page.locator("#problem-text")).to_be_visible()
    _is_whole(page, findings)
    page.fill("#text", f"Es beginnt um acht Uhr. {look}")
    _send(page)
    expect(page.locator("h1")).to_have_text("Vielen Dank")
    _is_whole(page, findings)

    desk = window("/desk/queue/mistakes/", **LOOKS[look])
    _log_in(desk)
    desk.goto("/desk/queue/mistakes/")
    card = desk.locator(".mistake", has_text=look)
    expect(card.locator("h2")).to_have_text(title)
    _is_whole(desk, findings)
    with desk.expect_navigation():
        card.locator("button[value=corrected]").click()
    expect(desk.locator(".mistake", has_text=look)).to_have_count(0)
    with desk.expect_navigation():
        desk.locator("form[action$='/reopen'] button").click()
    expect(desk.locator(".mistake", has_text=look)).to_have_count(1)
    _is_whole(desk, findings)


def test_report_needs_no_scripts(window):
    page = window("/events/", java_script_enabled=False)
    _open_form(page)
    page.wait_for_timeout(3200)
    page.fill("#text", "Der Ort ist ein anderer.")
    _send(page)
    expect(page.locator("h1")).to_have_text("Vielen Dank")
