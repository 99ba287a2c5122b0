"""Editors set the point of a place on a map, with a pointer or with keys alone."""

import os
import re
import subprocess
import sys
from urllib.parse import urlsplit

import pytest
from desking import PASSWORD
from event_steps import Steps
from playwright.sync_api import expect
from serving import CONFIG

_VENUE, _EVENT = "/desk/venues/new", "/desk/events/new"
_FIELDS = {
    _VENUE: ("#geo_lat", "#geo_lng"),
    _EVENT: ("#event-venue_new-geo_lat", "#event-venue_new-geo_lng"),
}
_SET = re.compile(r"^\d+\.\d+$")


@pytest.fixture(scope="module")
def ida(mapped_site, mapped_data):
    """Return the name of an editor of the service with map tiles."""
    assert mapped_site
    for words in (("add", "ida", "--role", "editor"), ("password", "ida", "--desk", PASSWORD)):
        _users(mapped_data, *words)
    return "ida"


@pytest.fixture
def mapped_desk(mapped_site, tiles, ida, chromium):
    """Return a function that opens the desk of a service with tiles, and the hosts it asked."""
    contexts = []

    def open_page(path, **options):
        context = chromium.new_context(base_url=mapped_site, locale="de", **options)
        contexts.append(context)
        page, hosts = context.new_page(), set()
        page.on("request", lambda sent: hosts.add("/".join(sent.url.split("/")[:3])))
        page.goto(f"/desk/login?next={path}")
        page.fill("#name", ida)
        page.fill("#password", PASSWORD)
        with page.expect_navigation(wait_until="load"):
            page.click("main button")
        return page, hosts, {mapped_site, tiles}

    yield open_page
    for context in contexts:
        context.close()


def _users(data, *words):
    command = [sys.executable, "-m", "calendar_app", "--config", str(CONFIG), "users", *words]
    environment = os.environ | {"CALENDAR_DATA": str(data)}
    subprocess.run(command, env=environment, check=True, capture_output=True)


def test_point_is_set_on_the_map_and_in_the_fields_alike(mapped_desk, findings):
    page, hosts, own = mapped_desk(_VENUE, viewport={"width": 320, "height": 800})
    _set_by_pointer(page, _VENUE)
    _set_by_keys(page, _VENUE)
    page.fill("#geo_lat", "46.8")
    page.fill("#geo_lng", "10.3")
    expect(page.locator(".point .marker")).to_be_in_viewport()
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.goto(_EVENT)
    page.locator("#where details.more summary").click()
    _set_by_pointer(page, _EVENT)
    _set_by_keys(page, _EVENT)
    assert findings(page) == []
    assert hosts == own


def test_venue_with_a_map_takes_six_steps(mapped_desk):
    page, *_ = mapped_desk(_VENUE)
    editor = Steps(page)
    editor.enter("#venue-de", "Halle")
    editor.enter("#address-de", "Gassa 3")
    editor.enter("#zip", "7550")
    editor.enter("#city-de", "Scuol")
    _set_by_pointer(page, _VENUE)
    editor.number += 1
    editor.save("Speichern")
    assert editor.number <= 6
    assert _SET.match(page.input_value("#geo_lat"))


@pytest.mark.parametrize(
    "pasted", ["46.85, 9.53", "https://www.openstreetmap.org/?mlat=46.85&mlon=9.53#map=15/46/9"]
)
def test_pasted_point_stands_in_both_fields_and_on_the_map(mapped_desk, pasted):
    page, *_ = mapped_desk(_VENUE)
    page.locator(".point-map").scroll_into_view_if_needed()
    expect(page.locator(".point-map")).to_have_class(re.compile("leaflet-container"))
    page.fill("#geo_lat", pasted)
    expect(page.locator("#geo_lat")).to_have_value("46.85")
    expect(page.locator("#geo_lng")).to_have_value("9.53")
    expect(page.locator(".point .marker")).to_be_visible()


def test_without_scripts_there_are_the_number_fields_alone(mapped_desk):
    page, hosts, own = mapped_desk(_VENUE, java_script_enabled=False)
    assert page.locator("#geo_lat").is_visible()
    assert not page.locator(".point").is_visible()
    assert len(hosts & own) == 1


def _set_by_pointer(page, path):
    latitude, _ = _FIELDS[path]
    chart = page.locator(".point-map")
    chart.scroll_into_view_if_needed()
    expect(chart).to_have_class(re.compile("leaflet-container"))
    chart.click(position={"x": 120, "y": 90})
    expect(page.locator(latitude)).to_have_value(_SET)
    expect(page.locator(".point .marker")).to_be_visible()


def _set_by_keys(page, path):
    latitude, longitude = (page.locator(each) for each in _FIELDS[path])
    before = latitude.input_value(), longitude.input_value()
    chart = page.locator(".point-map")
    chart.focus()
    expect(chart).to_be_focused()
    chart.press("ArrowDown")
    chart.press("ArrowRight")
    chart.press("Enter")
    expect(latitude).not_to_have_value(before[0])
    expect(longitude).not_to_have_value(before[1])
    assert urlsplit(page.url).path == path
