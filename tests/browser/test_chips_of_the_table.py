"""The filters above the table of events are chips in one row, gone through by keyboard."""

import re

import pytest
from playwright.sync_api import expect

TABLE = "/desk/events/"
# On a phone of 360 by 740 the first event is in view.
_HIGHEST = 340


@pytest.fixture
def table(at_desk):
    return at_desk(TABLE, role="editor", viewport={"width": 1280, "height": 900})


def test_filter_is_set_and_taken_away_by_keyboard(table):
    chip = table.locator("[popovertarget='filter-lacks']")
    menu = table.locator("#filter-lacks")
    chip.focus()
    table.keyboard.press("Enter")
    expect(menu).to_be_visible()
    expect(menu.locator("[aria-current]")).to_be_focused()
    table.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(chip).to_be_focused()
    table.keyboard.press("Enter")
    expect(menu.locator("[aria-current]")).to_be_focused()
    table.keyboard.press("ArrowDown")
    expect(menu.get_by_role("button", name="Ohne Bild")).to_be_focused()
    with table.expect_navigation():
        table.keyboard.press("Enter")
    assert table.url.endswith("/desk/events/?lacks=picture")
    expect(table.locator("[popovertarget='filter-lacks']")).to_contain_text("Ohne Bild")
    table.locator("[popovertarget='filter-lacks']").focus()
    table.keyboard.press("Tab")
    with table.expect_navigation():
        table.keyboard.press("Enter")
    assert "lacks" not in table.url


def test_long_list_is_narrowed_by_typing(table):
    table.locator("[popovertarget='filter-categories']").press("Enter")
    expect(table.locator("#filter-categories input[type='search']")).to_be_focused()
    table.keyboard.type("musik")
    expect(table.locator("#filter-categories li:visible").first).to_contain_text(
        re.compile("musik", re.IGNORECASE)
    )
    with table.expect_navigation():
        table.keyboard.press("Enter")
    assert "categories=" in table.url


def test_view_is_saved_chosen_and_removed(table):
    table.goto(f"{TABLE}?lacks=place&period=all")
    table.locator("[popovertarget='filter-views']").click()
    table.fill("#view-name", "Ohne Ort, immer")
    table.locator(".filter-save button").click()
    expect(table.locator("[popovertarget='filter-views']")).to_contain_text("Ohne Ort, immer")
    table.goto(TABLE)
    table.locator("[popovertarget='filter-views']").click()
    table.locator("#filter-views").get_by_role("link", name="Ohne Ort, immer").click()
    expect(table.locator(".filter-chip.is-set")).to_have_count(3)
    table.locator("[popovertarget='filter-views']").click()
    table.locator(".filter-menu-foot a").click()
    remove = table.get_by_role("button", name="Entfernen Ohne Ort, immer")
    remove.click()
    expect(remove).to_have_count(0)


def test_chips_take_no_scripts(at_desk):
    page = at_desk(TABLE, role="editor", java_script_enabled=False)
    page.locator("[popovertarget='filter-period']").press("Enter")
    page.locator("#filter-period").get_by_role("button", name="Vergangene").click()
    assert page.url.endswith("?period=past")


@pytest.mark.parametrize("query", ["", "?period=all&lacks=picture&orderby=title"])
def test_chips_are_one_row_that_scrolls_on_a_phone(at_desk, findings, query):
    page = at_desk(f"{TABLE}{query}", role="editor", viewport={"width": 360, "height": 740})
    row = page.locator(".filter-chips")
    tops = {box.bounding_box()["y"] for box in row.locator(".filter-chip").all()}
    assert len(tops) == 1
    assert row.evaluate("(row) => row.scrollWidth > row.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.locator("main tbody tr").first.bounding_box()["y"] <= _HIGHEST
    page.locator("[popovertarget='filter-lacks']").click()
    menu = page.locator("#filter-lacks")
    expect(menu).to_be_visible()
    box = menu.bounding_box()
    assert (box["x"], round(box["y"] + box["height"])) == (0, 740)
    assert findings(page) == []


def test_chips_and_their_lists_have_no_findings(table, findings):
    for name in ("views", "categories", "lacks"):
        table.goto(f"{TABLE}?lacks=rm&author=me")
        table.locator(f"[popovertarget='filter-{name}']").click()
        expect(table.locator(f"#filter-{name}")).to_be_visible()
        assert findings(table) == []
