"""A site that names map tiles has a map of its venues; it loads these tiles, and no more."""

from io import BytesIO
from threading import Thread
from urllib.parse import urlsplit

import pytest
from PIL import Image
from serving import serving


def _tiles(_environ, start_response):
    """Answer each request with a tile of one colour."""
    body = BytesIO()
    Image.new("RGB", (256, 256), "#ddeedd").save(body, "PNG")
    start_response("200 OK", [("Content-Type", "image/png")])
    return [body.getvalue()]


@pytest.fixture
def tiles(serve):
    return serve(_tiles)


@pytest.fixture
def mapped_site(tiles, tmp_path):
    """Return the address of a service with map tiles."""
    setting = {"CALENDAR_MAP_TILES": f"{tiles}/{{z}}/{{x}}/{{y}}.png"}
    with serving(tmp_path / "data", "--demo", **setting) as service:
        Thread(target=service.process.stdout.read, daemon=True).start()
        parts = urlsplit(service.events)
        yield f"{parts.scheme}://{parts.netloc}"


def test_a_map_shows_the_places_and_asks_only_for_its_tiles(mapped_site, tiles, chromium, findings):
    for scheme in ("light", "dark"):
        for width in (320, 1280):
            look = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
            page, hosts, failures = _open(chromium, f"{mapped_site}/events/map/", look)
            assert hosts == {mapped_site, tiles}
            assert failures == []
            assert page.locator(".marker").count() == page.locator(".place[data-lat]").count() > 1
            assert findings(page) == []
            page.context.close()


def test_views_without_a_map_load_no_tiles(mapped_site, chromium):
    page, hosts, _ = _open(chromium, f"{mapped_site}/events/list/", {})
    assert hosts == {mapped_site}
    page.context.close()


def _open(chromium, address, look):
    """Return a page, the hosts that it asked, and the messages on its console."""
    page = chromium.new_context(**look).new_page()
    hosts, failures = set(), []
    page.on("request", lambda request: hosts.add("/".join(request.url.split("/")[:3])))
    page.on("console", lambda message: failures.append(message.text))
    page.goto(address, wait_until="networkidle")
    return page, hosts, failures
