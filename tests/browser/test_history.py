"""History in a browser: what was overwritten comes back with one press."""

import re

import pytest
from playwright.sync_api import expect

LOOKS = {
    f"{scheme}-{width}": {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    for scheme in ("light", "dark")
    for width in (320, 1280)
}


def write_twice(page, name):
    """Make an organizer and overwrite its description; return the address of its form."""
    root = page.url.split("/desk/")[0]
    page.goto(f"{root}/desk/organizers/new")
    page.fill("#organizer-de", name)
    describe(page, "Wir singen jeden Dienstag im Schulhaus.")
    page.click("main .form-foot button")
    page.wait_for_url(re.compile(r"/desk/organizers/\d+$"))
    describe(page, "Wir singen jeden Freitag im Pfarrhaus.")
    with page.expect_navigation():
        page.click("main .form-foot button")
    return page.url


def describe(page, text):
    """Write a description as HTML, which without scripts it is anyway."""
    for button in page.locator(".rich-source").all()[:1]:
        button.click()
    page.fill("#description-de", text)


def own_words(page, mark):
    section = page.locator("section[aria-labelledby=own-heading]")
    return [text.strip() for text in section.locator(mark).all_inner_texts()]


def test_overwritten_text_comes_back_with_one_press(at_desk):
    page = at_desk(java_script_enabled=False)
    form = write_twice(page, "Chor Rueras")
    page.click("main a:text('Verlauf')")
    expect(page.locator(".save")).to_have_count(2)
    assert "administrator änderte: Beschreibung" in page.locator(".save").first.inner_text()

    page.locator(".save").first.locator("a").click()
    expect(page.locator("#own-heading")).to_be_visible()
    assert own_words(page, "del") == ["Dienstag", "Schulhaus."]
    assert own_words(page, "ins") == ["Freitag", "Pfarrhaus."]

    page.goto(f"{form}/history")
    page.locator(".save").last.locator("button").click()
    expect(page.locator("main")).to_contain_text("Es ist wieder wie am")
    page.goto(form)
    assert "Dienstag" in page.input_value("#description-de")


def test_keyboard_alone_goes_back(at_desk):
    page = at_desk()
    form = write_twice(page, "Chor Sedrun")
    page.goto(f"{form}/history")
    button = page.locator(".save").last.locator("button")
    for _ in range(60):
        if button.evaluate("button => button === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".notice-done")).to_be_visible()
    expect(page.locator(".save")).to_have_count(3)


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_history_and_trash_are_accessible(at_desk, findings, look):
    page = at_desk(**look)
    form = write_twice(page, f"Chor {look}")
    root = page.url.split("/desk/")[0]
    page.goto(f"{form}/delete")
    with page.expect_navigation():
        page.click("main form button")
    for address in (
        f"{form}/history",
        f"{form}/history/1",
        f"{root}/desk/trash/?kind=organizers",
        f"{root}/desk/trash/",
    ):
        page.goto(address)
        assert (address, findings(page)) == (address, [])
        assert page.evaluate("document.documentElement.scrollWidth") <= look["viewport"]["width"]
