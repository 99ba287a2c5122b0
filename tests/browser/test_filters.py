"""Filters stay where they are: after going back, after a reload, and without scripts."""

import re

import pytest

CATEGORY = "input[name='categories[]']"
TITLES = "#results .event-title"


def titles(page):
    return page.locator(TITLES).all_inner_texts()


def test_going_back_and_forth_keeps_filters(visit):
    page = visit("/events/list/")
    whole = titles(page)
    page.locator(CATEGORY).first.check()
    page.wait_for_url("**categories**")
    narrowed = titles(page)
    assert narrowed != whole
    page.locator(TITLES + " a").first.click()
    page.wait_for_url("**/event/**")
    page.go_back()
    page.wait_for_url("**categories**")
    assert titles(page) == narrowed
    assert page.locator(CATEGORY).first.is_checked()
    page.go_back()
    page.wait_for_url(re.compile(r"/events/list/$"))
    page.locator(".chips").wait_for(state="detached")
    assert titles(page) == whole
    assert not page.locator(CATEGORY).first.is_checked()


def test_a_reload_and_a_shared_address_show_the_same(visit):
    page = visit("/events/list/")
    page.locator(CATEGORY).nth(1).check()
    page.wait_for_url("**categories**")
    narrowed = titles(page)
    page.reload()
    assert titles(page) == narrowed
    assert page.locator(CATEGORY).nth(1).is_checked()
    assert titles(visit(page.url)) == narrowed


@pytest.mark.parametrize("view", ["list/", "month/", "week/", "photo/", "map/"])
def test_filters_work_without_scripts(visit, view):
    page = visit(f"/events/{view}", java_script_enabled=False)
    page.locator(".filters").evaluate("filters => { filters.open = true }")
    page.locator(CATEGORY).first.check()
    with page.expect_navigation():
        page.locator(".filter-form button[type=submit]").click()
    assert "categories" in page.url
    assert page.locator(CATEGORY).first.is_checked()
    with page.expect_navigation():
        page.locator(".chips .chip").first.click()
    assert "categories" not in page.url
    assert page.locator(".chips").count() == 0


def test_a_refused_filter_is_explained_without_scripts(visit):
    page = visit("/rm/events/list/?start_date=junk", java_script_enabled=False)
    assert page.locator(".problem[role=alert]").is_visible()
    assert page.locator("[name=start_date][aria-invalid=true]").count() == 1
    page.locator(".problem[role=alert] a").first.click()
    page.wait_for_url("**/rm/events/list/")


def test_months_languages_and_events_are_reached_without_scripts(visit):
    page = visit("/", java_script_enabled=False)
    page.locator(".views a[href*='month']").click()
    page.locator("a[rel~='next']").first.click()
    page.wait_for_url(re.compile(r"/month/\d{4}-\d\d/$"))
    page.locator(".languages a[hreflang=rm]").click()
    page.wait_for_url("**/rm/events/month/**")
    page.locator("table .line").first.click()
    page.wait_for_url("**/rm/event/**")
    assert page.locator(".add a[href*='.ics']").first.is_visible()


def test_search_by_relevance_has_the_whole_width_for_its_events(visit):
    page = visit("/events/list/?search=konzert")
    assert page.locator(".day-head").count() == 0
    widths = page.locator(".results").evaluate(
        "results => [results, results.querySelector('.event')].map(each => each.clientWidth)"
    )
    assert widths[1] > 0.9 * widths[0]
