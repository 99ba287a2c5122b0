"""Chromium runs no text of a record, not even without the policy that forbids scripts."""

import dataclasses

import pytest
from payloads import HANDLERS, PAYLOADS, WATCH, hostile_event

from calendar_app.app import create_app

BATCHES = 4


@pytest.fixture
def hostile_site(serve, settings, database, clock):
    """Return the address of a site with records of the tests."""
    return serve(create_app(dataclasses.replace(settings, site_url=""), database, clock))


@pytest.fixture(params=range(BATCHES))
def addresses(request, make_event, make_category):
    """Return the paths of pages on which every text has one of some payloads."""
    paths = ["/events/photo/", "/events/month/2030-03/", "/events/list/?per_page=50"]
    for number, payload in enumerate(PAYLOADS[request.param :: BATCHES]):
        category = make_category(name=f"Music {number} {payload}", description=payload)
        event = make_event(**hostile_event(payload), categories=[category["id"]])
        records = (event, event["venue"], event["organizer"][0])
        paths += ["/" + record["url"].split("/", 3)[3] for record in records]
        paths.append(f"/events/category/{category['slug']}/")
    return paths


def test_nothing_runs(chromium, hostile_site, addresses):
    context = chromium.new_context(base_url=hostile_site, bypass_csp=True)
    context.add_init_script(WATCH)
    page = context.new_page()
    failures = []
    for path in addresses:
        page.goto(path, wait_until="domcontentloaded")
        if page.locator(".filter-form").count():
            # What is filtered is parsed once more, by a script.
            page.evaluate("refresh(location.href)")
            page.locator("#results[aria-busy]").wait_for(state="detached")
        assert page.url.startswith(f"{hostile_site}/")
        run, handlers = page.evaluate("window.hasRun"), page.evaluate(HANDLERS)
        if run or handlers or len(page.frames) > 1:
            failures.append((path, run, handlers))
    context.close()
    assert failures == []
    assert len(addresses) > 4 * (len(PAYLOADS) // BATCHES)


def test_script_watch_reports_executed_payloads(chromium):
    context = chromium.new_context(bypass_csp=True)
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto("data:text/html,<img src=x onerror=ran()>")
    page.wait_for_function("window.hasRun.length")
    assert page.evaluate(HANDLERS) == ["onerror=ran()"]
    context.close()
