"""Photos of any camera are made smaller in the browser, upright, before they are sent."""

from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import expect

_LIMIT = 10 << 20
_LEFT_ALONE = 1_000_000  # bytes of a picture that is not made smaller
_TURNED = 6  # what is stored lying is shown upright (Exif 2.32, tag 274)


@pytest.fixture(scope="module")
def photo():
    """Return a photo of more than ten megabytes, held upright by its camera."""
    noise = Image.effect_noise((4000, 3000), 90).convert("RGB")
    exif = Image.Exif()
    exif[274] = _TURNED
    body = BytesIO()
    noise.save(body, "JPEG", quality=100, exif=exif)
    assert body.tell() > _LIMIT
    return {"name": "IMG 0001.JPG", "mimeType": "image/jpeg", "buffer": body.getvalue()}


def chosen(page, name):
    return page.locator(f"[name={name}]").evaluate(
        "it => it.files[0] && [it.files[0].name, it.files[0].type, it.files[0].size]"
    )


def test_photo_beyond_the_limit_is_taken_at_the_desk(at_desk, photo):
    page = at_desk("/desk/events/new", "editor")
    page.set_input_files("[name=image_file]", photo)
    shown = page.locator(".form-picture")
    expect(shown).to_be_visible()
    name, kind, size = chosen(page, "image_file")
    assert (name, kind) == ("IMG 0001.webp", "image/webp")
    assert size < _LIMIT
    shown.evaluate("it => it.decode()")
    measures = shown.evaluate("it => [it.naturalWidth, it.naturalHeight]")
    assert measures == [1920, 2560]
    expect(page.locator(".picture-part .field-problem")).to_have_count(0)


def test_form_that_is_sent_at_once_waits_for_its_picture(at_desk, photo):
    page = at_desk("/desk/events/new", "editor")
    page.locator("[name^=title]").first.fill("Umzug")
    page.fill("[name=start_date]", "1.7.2031")
    page.fill("[name=start_time]", "14:00")
    page.set_input_files("[name=image_file]", photo)
    with page.expect_navigation():
        page.get_by_role("button", name="Als Entwurf speichern").click()
    expect(page.locator(".notice-done")).to_be_visible()
    expect(page.locator(".form-picture")).to_be_visible()


def test_small_pictures_and_animations_stay_as_they_are(at_desk):
    page = at_desk("/desk/events/new", "editor")
    for kind in ("PNG", "GIF"):
        body = BytesIO()
        Image.new("RGB", (3000, 300), "#336655").save(body, kind)
        small = {"name": f"a.{kind.lower()}", "mimeType": f"image/{kind.lower()}"}
        page.set_input_files("[name=image_file]", small | {"buffer": body.getvalue()})
        expect(page.locator(".form-picture")).to_be_visible()
        expected = [small["name"], small["mimeType"], body.tell()]
        assert chosen(page, "image_file") == expected


@pytest.mark.parametrize("kind", ["webp", "png"])
def test_large_animations_of_every_type_keep_moving(at_desk, kind):
    noises = [Image.effect_noise((900, 900), 90).convert("RGB") for _ in range(3)]
    body = BytesIO()
    noises[0].save(body, kind, save_all=True, append_images=noises[1:], quality=100, duration=200)
    moving = {"name": f"a.{kind}", "mimeType": f"image/{kind}", "buffer": body.getvalue()}
    assert body.tell() > _LEFT_ALONE
    page = at_desk("/desk/events/new", "editor")
    page.set_input_files("[name=image_file]", moving)
    expect(page.locator(".form-picture")).to_be_visible()
    assert chosen(page, "image_file") == [moving["name"], moving["mimeType"], body.tell()]


def test_what_stays_too_large_is_named_and_not_sent(at_desk):
    page = at_desk("/desk/events/new", "editor")
    broken = {"name": "raw.jpg", "mimeType": "image/jpeg", "buffer": b"\xff\xd8" + b"\0" * _LIMIT}
    page.set_input_files("[name=image_file]", broken)
    expect(page.locator(".picture-part .field-problem")).to_contain_text("10 MB")
    assert chosen(page, "image_file") is None
    expect(page.locator(".picture-shown")).to_be_hidden()
