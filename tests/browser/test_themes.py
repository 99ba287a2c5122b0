"""The files of a theme fit into the pages, whatever their measures."""

import dataclasses
from io import BytesIO

import pytest
from PIL import Image

from calendar_app.app import create_app

HEADER = 44


def picture(width, height):
    body = BytesIO()
    Image.new("RGB", (width, height), "#334488").save(body, "PNG")
    return body.getvalue()


LOGOS = {
    "unsized.svg": b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"></svg>',
    "wide.png": picture(920, 345),
    "small.png": picture(60, 20),
    "long.png": picture(2000, 50),
}


@pytest.fixture
def themed(serve, settings, database, clock, tmp_path):
    """Return a function that serves a site with a logo and returns its address."""

    def start(logo):
        (tmp_path / "static").mkdir()
        (tmp_path / "static" / logo).write_bytes(LOGOS[logo])
        own = dataclasses.replace(settings, site_url="", theme=str(tmp_path), logo=logo)
        return serve(create_app(own, database, clock))

    return start


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("logo", LOGOS)
def test_logo_has_the_height_of_the_header(themed, chromium, logo, width):
    context = chromium.new_context(viewport={"width": width, "height": 600})
    page = context.new_page()
    page.goto(f"{themed(logo)}/events/list/")
    box = page.locator(".site-name img").bounding_box()
    assert box["height"] == HEADER
    assert 0 < box["width"] < width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
