"""Tables of the desk hold together: wide as rows of cells, on a phone as cards."""

import pytest
from playwright.sync_api import expect

_PAGES = [
    "/desk/events/",
    "/desk/translations/?language=rm&kind=events&state=missing",
    "/desk/users/",
    "/desk/trash/?kind=venues",
    *(f"/desk/{kind}/" for kind in ("venues", "organizers", "categories", "tags", "media")),
]
# Cells that leave the box of their row, or that do not begin and end with it where rows are rows.
_CELLS_OUTSIDE_THEIR_ROW = """
() => [...document.querySelectorAll('main table tr')].flatMap((row) => {
  const box = row.getBoundingClientRect();
  const isRow = getComputedStyle(row).display === 'table-row';
  const cells = [...row.cells].filter((cell) => getComputedStyle(cell).display !== 'none');
  return cells.filter((cell) => {
    const { top, bottom, left, right } = cell.getBoundingClientRect();
    if (isRow) return Math.abs(top - box.top) > 1 || Math.abs(bottom - box.bottom) > 1;
    const isHidden = right === left || getComputedStyle(row.parentElement).position === 'absolute';
    const isBeside = left < box.left - 1 || right > box.right + 1;
    return !isHidden && (isBeside || top < box.top - 1 || bottom > box.bottom + 1);
  }).map((cell) => cell.outerHTML.slice(0, 80));
})
"""


@pytest.mark.parametrize("width", [360, 1280])
def test_cells_stay_in_the_box_of_their_row(at_desk, width):
    page = at_desk("/desk/venues/new", viewport={"width": width, "height": 900})
    page.fill("#venue-de", f"Weggeworfen {width}")
    page.click("main .form-foot button")
    page.click(".foot-delete")
    with page.expect_navigation():
        page.click("main form .is-danger")
    outside = []
    for path in _PAGES:
        page.goto(path)
        expect(page.locator("main tbody tr").first).to_be_visible()
        outside += [(path, cell) for cell in page.evaluate(_CELLS_OUTSIDE_THEIR_ROW)]
    assert outside == []


def test_languages_of_events_look_as_they_are_written(at_desk):
    page = at_desk("/desk/events/")
    read_style = (
        "mark => ['backgroundColor', 'borderStyle'].map((name) => getComputedStyle(mark)[name])"
    )
    marks = page.locator("main tbody .spoken")
    present, missing = (
        marks.and_(page.locator(state)).first.evaluate(read_style)
        for state in (".is-current", ".is-missing")
    )
    assert (present[1], missing[1]) == ("solid", "dashed")
    assert present[0] != missing[0]


@pytest.mark.parametrize("width", [360, 1280])
def test_actions_appear_when_a_row_is_chosen(at_desk, findings, width):
    page = at_desk("/desk/events/", viewport={"width": width, "height": 900})
    bar = page.locator(".several")
    expect(bar).to_be_hidden()
    page.locator("[name='id']").first.check()
    expect(bar).to_be_visible()
    expect(bar.locator("[name='category']")).to_be_hidden()
    bar.locator("[name='action']").select_option("add_category")
    expect(bar.locator("[name='category']")).to_be_visible()
    assert findings(page) == []
    bar.get_by_role("button", name="Keine auswählen").click()
    expect(bar).to_be_hidden()


def test_table_of_events_fits_with_its_pictures(at_desk):
    page = at_desk("/desk/events/", viewport={"width": 1280, "height": 900})
    table = page.locator(".table-wrap:has(table.events)")
    assert table.evaluate("(table) => table.scrollWidth - table.clientWidth") <= 0
    assert table.locator("td.picture img").first.bounding_box()["width"] == 56
