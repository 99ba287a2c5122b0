"""Readers see the rule of a series, and go to another date of it."""

import pytest


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("prefix", ["", "/rm"])
def test_a_weekly_market_leads_to_its_other_dates(visit, findings, prefix, width):
    page = visit(f"{prefix}/event/wochenmarkt/", viewport={"width": width, "height": 900})
    first = page.url
    assert {"": "jeden ", "/rm": "mintga "}[prefix] in page.locator(".facts").inner_text()
    dates = page.locator(".series-dates a")
    assert dates.count() == 6
    assert findings(page) == []
    with page.expect_navigation():
        dates.nth(2).click()
    assert page.url != first
    assert page.locator(".series-dates").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_list_of_a_series_names_it_in_a_chip(visit, findings):
    page = visit("/event/wochenmarkt/")
    with page.expect_navigation():
        page.locator(".others a[href*='?series=']").click()
    assert "Wochenmarkt" in page.locator(".chips").inner_text()
    assert findings(page) == []
