"""A site that names map tiles has a map of its venues; it loads these tiles, and no more."""

from urllib.parse import urlsplit

from playwright.sync_api import expect

_PHONE = {"width": 360, "height": 740}
_NAMES = "(headings) => headings.map((each) => each.innerText.split('\\n')[0].trim())"
# Pairs of pins of which a finger would hit the other one (WCAG 2.2, 2.5.8).
_TOO_NEAR = """
(pins) => {
  const centres = pins.map((pin) => {
    const { left, top, width, height } = pin.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  });
  return centres.flatMap(([x, y], place) =>
    centres.slice(place + 1).filter(([u, v]) => Math.hypot(x - u, y - v) < 24));
}
"""


def test_a_map_shows_the_places_and_asks_only_for_its_tiles(mapped_site, tiles, chromium, findings):
    for scheme in ("light", "dark"):
        for width in (320, 1280):
            look = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
            page, hosts, failures = _open_map(chromium, mapped_site, look)
            assert hosts == {mapped_site, tiles}
            assert failures == []
            assert page.locator(".marker").count() > 1
            assert findings(page) == []
            page.context.close()


def test_pins_are_apart_at_any_zoom_and_none_is_missing(mapped_site, chromium):
    page, _, _ = _open_map(chromium, mapped_site, {"viewport": _PHONE})
    names = page.locator(".place[data-lat] .place-name").evaluate_all(_NAMES)
    for _ in range(4):
        titles = page.locator(".marker").evaluate_all("(pins) => pins.map((pin) => pin.title)")
        assert sorted(" · ".join(titles).split(" · ")) == sorted(names)
        assert page.locator(".marker").evaluate_all(_TOO_NEAR) == []
        _zoom_out(page)
    shared = page.locator(".marker").first
    shared.focus()
    shared.press("Enter")
    for name in shared.get_attribute("title").split(" · "):
        expect(page.locator(".leaflet-popup")).to_contain_text(name)
    page.context.close()


def _zoom_out(page):
    """Zoom out by one step, and wait until the map rests there."""
    drawn = page.locator(".leaflet-tile").last.get_attribute("src")
    zoom = int(urlsplit(drawn).path.split("/")[1])
    page.locator(".leaflet-control-zoom-out").click()
    # Its tiles are asked for once the map has begun to move.
    expect(page.locator(f".leaflet-tile[src*='/{zoom - 1}/']").first).to_be_attached()
    expect(page.locator(".leaflet-zoom-anim")).to_have_count(0)


def test_map_of_an_event_waits_for_a_press(mapped_site, tiles, chromium):
    page, hosts, failures = _open(chromium, f"{mapped_site}/events/list/", {})
    page.locator("#results .event:has(.event-place) .event-title a").first.click()
    page.wait_for_url("**/event/**")
    assert hosts == {mapped_site}
    page.locator(".small-map summary").click()
    expect(page.locator(".small-map .marker")).to_have_count(1)
    expect(page.locator(".small-map .leaflet-tile-loaded").first).to_be_attached()
    assert hosts == {mapped_site, tiles}
    assert failures == []
    page.context.close()


def test_views_without_a_map_load_no_tiles(mapped_site, chromium):
    page, hosts, _ = _open(chromium, f"{mapped_site}/events/list/", {})
    assert hosts == {mapped_site}
    page.context.close()


def _open_map(chromium, site, look):
    """Open the map of all places, and wait until it is drawn."""
    page, hosts, failures = _open(chromium, f"{site}/events/map/", look)
    # A script that takes long leaves the network idle before it asks for the first tile.
    expect(page.locator(".leaflet-tile-loaded").first).to_be_attached()
    return page, hosts, failures


def _open(chromium, address, look):
    """Return a page, the hosts that it asked, and the messages on its console."""
    page = chromium.new_context(**look).new_page()
    hosts, failures = set(), []
    page.on("request", lambda request: hosts.add("/".join(request.url.split("/")[:3])))
    page.on("console", lambda message: failures.append(message.text))
    page.goto(address, wait_until="networkidle")
    return page, hosts, failures
