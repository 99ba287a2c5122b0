"""Two venues are merged in the browser, on a phone and at a desk, and taken apart again."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

_WIDER_THAN_THE_WINDOW = "() => document.documentElement.scrollWidth > window.innerWidth"
SHOTS = os.environ.get("SCREENSHOTS", "")


@pytest.mark.parametrize("width", [360, 1280])
def test_venue_is_merged_with_its_double_and_taken_apart(at_desk, findings, width):
    page = at_desk("/desk/venues/new", viewport={"width": width, "height": 900})
    names = [f"Kulturhalle {width}", f"Kulturhalle {width}, Via Maistra 1"]
    for name in names:
        page.goto("/desk/venues/new")
        page.fill("#venue-de", name)
        page.click("main .form-foot button")
        expect(page.locator("h1")).to_have_text(name)

    def look(name):
        assert not page.evaluate(_WIDER_THAN_THE_WINDOW), name
        assert findings(page) == [], name
        if SHOTS:
            page.screenshot(path=Path(SHOTS) / f"{name}-{width}.png", full_page=True)

    page.goto("/desk/venues/alike")
    look("alike")
    page.goto(f"/desk/venues/?search=Kulturhalle+{width}")
    page.click(f"main .row-name a:text-is('{names[1]}')")
    page.click(".desk-actions a:has-text('zusammenlegen')")
    look("choice")
    page.click(f"main a:text-is('{names[0]}')")
    look("compared")
    page.click("main form .button")
    expect(page.locator("main")).to_contain_text("Zusammengelegt")
    page.click("form[action$='/separate'] button")
    expect(page.locator("main")).to_contain_text("wieder zwei")
