"""The programme and the poster of an event fit on their paper."""

import re

import pytest
from playwright.sync_api import expect

A4 = (595, 842)  # points


def printed(page):
    """Return the number of sheets that a page takes, and their size in points."""
    paper = page.pdf(prefer_css_page_size=True)
    sizes = {tuple(map(float, each.split())) for each in re.findall(rb"/MediaBox \[(.*?)\]", paper)}
    ((_, _, width, height),) = sizes
    return len(re.findall(rb"/Type /Page\b", paper)), (round(width), round(height))


def test_programme_is_laid_out_without_scripts(visit):
    page = visit("/events/print/", java_script_enabled=False)
    programme, code = page.locator(".programme"), page.locator(".programme .qr").first
    expect(programme).to_have_css("column-count", "2")
    page.check("#one-column")
    expect(programme).to_have_css("column-count", "auto")
    page.uncheck("#with-codes")
    expect(code).to_be_hidden()


def test_programme_fits_on_a4_and_takes_less_in_two_columns(visit):
    page = visit("/events/print/")
    page.emulate_media(media="print")
    sheets = {}
    for choice in ("two-columns", "one-column"):
        page.locator(f"#{choice}").evaluate("(choice) => { choice.checked = true; }")
        sheets[choice], size = printed(page)
        assert size == A4
    assert sheets["two-columns"] < sheets["one-column"]


@pytest.mark.parametrize("words", ["gemeindeversammlung", "jahreskonzert", "zweisprachiger"])
def test_poster_is_one_sheet_with_all_of_its_title(visit, words):
    page = visit(f"/events/list/?search={words}")
    page.locator("#results .event-title a").first.click()
    page.wait_for_url("**/event/**")
    page.goto(f"{page.url}poster/")
    assert printed(page) == (1, A4)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 794, "height": 1123})
    for part in (".poster", ".poster h1", ".poster-foot"):
        assert page.locator(part).evaluate("(part) => part.scrollWidth - part.clientWidth") <= 0
    expect(page.locator(".poster .qr")).to_be_in_viewport(ratio=1)
