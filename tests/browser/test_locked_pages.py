"""The page of an event with a password asks for it, for everybody."""

import dataclasses

import pytest

from calendar_app.app import create_app

LOOKS = [(scheme, width) for scheme in ("light", "dark") for width in (320, 1280)]


@pytest.fixture
def address(serve, settings, database, clock, make_event):
    """Return the address of an event that the password ``sesame`` unlocks."""
    event = make_event(title="Concert", password="sesame", description="Behind the door")
    site = serve(create_app(dataclasses.replace(settings, site_url=""), database, clock))
    return f"{site}/event/{event['slug']}/"


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_axe_finds_nothing_on_a_locked_page(chromium, findings, address, scheme, width):
    with chromium.new_page(color_scheme=scheme, viewport={"width": width, "height": 900}) as page:
        page.goto(address)
        assert "Behind the door" not in page.content()
        assert findings(page) == []


def test_password_unlocks_by_keyboard(chromium, address):
    with chromium.new_page() as page:
        page.goto(address)
        page.locator("input[type=password]").focus()
        page.keyboard.type("sesame")
        page.keyboard.press("Enter")
        page.get_by_text("Behind the door").wait_for()
