"""Editors press on the point of a picture that must stay in sight, or say it in numbers."""

import os
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import expect

_FOLDER = os.environ.get("SCREENSHOTS", "")


@pytest.fixture(scope="module")
def photo():
    """Return a wide picture with the subject at its left edge."""
    image = Image.new("RGB", (1600, 800), "#9bb7c9")
    image.paste("#b3392f", (80, 200, 400, 600))
    body = BytesIO()
    image.save(body, "JPEG")
    return {"name": "wide.jpg", "mimeType": "image/jpeg", "buffer": body.getvalue()}


def shot(page, name):
    if _FOLDER:
        page.locator("#picture").screenshot(path=f"{_FOLDER}/{name}.png")


def percentages(page):
    return [page.input_value(f"[name=image_focus_{side}]") for side in ("left", "top")]


def press_at(page, x, y):
    box = page.locator(".form-picture").bounding_box()
    # Twice as wide as high, in the middle of its box.
    width = min(box["width"], 2 * box["height"])
    height = width / 2
    left, top = (box["width"] - width) / 2, (box["height"] - height) / 2
    page.locator(".form-picture").click(position={"x": left + x * width, "y": top + y * height})


@pytest.mark.parametrize("width", [1280, 360])
def test_press_on_the_picture_sets_what_lists_keep(at_desk, photo, width):
    page = at_desk("/desk/events/new", "editor", viewport={"width": width, "height": 900})
    page.set_input_files("[name=image_file]", photo)
    expect(page.locator(".form-picture")).to_be_visible()
    press_at(page, 0.15, 0.5)
    left, top = map(int, percentages(page))
    assert abs(left - 15) <= 2
    assert abs(top - 50) <= 2
    expect(page.locator(".focus-mark")).to_be_visible()
    assert page.locator(".form-cut").evaluate("it => it.style.objectPosition") == f"{left}% {top}%"
    shot(page, f"focus-{width}")


def test_numbers_move_the_mark_by_keys_alone(at_desk, photo):
    page = at_desk("/desk/events/new", "editor")
    page.set_input_files("[name=image_file]", photo)
    page.locator(".picture-focus summary").press("Enter")
    page.locator("[name=image_focus_left]").fill("0")
    page.locator("[name=image_focus_left]").press("ArrowUp")
    assert percentages(page) == ["1", ""]
    cut = page.locator(".form-cut").evaluate("it => it.style.objectPosition")
    assert cut == "1% 50%"


def test_picture_from_the_library_brings_its_own_point(at_desk, photo):
    page = at_desk("/desk/events/new", "editor")
    page.set_input_files("[name=image_file]", photo)
    press_at(page, 0.15, 0.5)
    page.click(".picker-open")
    page.locator("dialog .library-picture img").first.click()
    expect(page.locator(".picture-described")).to_be_hidden()
    expect(page.locator(".described-elsewhere")).to_be_visible()
    assert page.locator("[name=image_focus_left]").is_disabled()
    shot(page, "focus-chosen")
