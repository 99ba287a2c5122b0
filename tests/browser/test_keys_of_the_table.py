"""The table of events is gone through by keys, only while it has the focus, and only if wanted."""

import pytest
from playwright.sync_api import expect

TABLE = "/desk/events/?period=all"


@pytest.fixture
def table(at_desk):
    """Return a page with the table, and its links to events."""
    page = at_desk(TABLE, role="editor", viewport={"width": 1280, "height": 900})
    return page, page.locator("td.title a")


def test_keys_go_choose_and_open(table):
    page, links = table
    links.first.focus()
    page.keyboard.press("k")
    expect(links.first).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(links.nth(2)).to_be_focused()
    box = page.locator("tbody tr").nth(2).locator("[name=id]")
    page.keyboard.press("x")
    expect(box).to_be_checked()
    expect(page.locator(".several")).to_be_visible()
    page.keyboard.press("x")
    expect(box).not_to_be_checked()
    address = links.nth(2).get_attribute("href")
    with page.expect_navigation():
        page.keyboard.press("e")
    assert page.url.endswith(address)


def test_keys_do_nothing_outside_the_table_or_in_a_field(table):
    page, _ = table
    page.fill("#search", "")
    page.locator("#search").focus()
    page.keyboard.type("jxe?")
    expect(page.locator("#search")).to_have_value("jxe?")
    expect(page.locator("#table-keys")).to_be_hidden()
    page.locator("main h1").click()
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.closest('table') === null")
    page.locator("td.title a").first.focus()
    page.keyboard.press("Control+j")
    expect(page.locator("td.title a").first).to_be_focused()


def test_list_of_keys_is_opened_by_its_key_and_by_a_button(table, findings):
    page, links = table
    links.first.focus()
    page.keyboard.press("?")
    expect(page.locator("#table-keys")).to_be_visible()
    assert findings(page) == []
    page.keyboard.press("Escape")
    expect(links.first).to_be_focused()
    page.click("[data-opens=table-keys]")
    expect(page.locator("#table-keys")).to_be_visible()


def test_keys_stay_switched_off(table):
    page, links = table
    page.click("[data-opens=table-keys]")
    page.uncheck("#table-keys [name=keys]")
    page.locator("#table-keys .button").click()
    page.reload()
    links.first.focus()
    page.keyboard.press("j")
    expect(links.first).to_be_focused()
    page.keyboard.press("?")
    expect(page.locator("#table-keys")).to_be_hidden()
    page.click("[data-opens=table-keys]")
    page.check("#table-keys [name=keys]")
    page.keyboard.press("Escape")
    links.first.focus()
    page.keyboard.press("j")
    expect(links.nth(1)).to_be_focused()
