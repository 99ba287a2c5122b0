from zoneinfo import ZoneInfo

import pytest

from calendar_app.accounts.caller import ANYONE
from calendar_app.http.presentation.presenting import View
from calendar_app.http.request.addresses import Addresses
from calendar_app.resources.media.presentation import external_image, present_image, stored_image

SITE = "https://calendar.example"
POSTER = {
    "_id": 4,
    "author": 1,
    "filename": "poster.png",
    "token": "iO5oU1BqJ8m0xkT9wQz3Vg",
    "mime": "image/png",
    "extension": "png",
    "width": 1200,
    "height": 800,
    "filesize": 4609,
    "variants": {"de": {"alt_text": "Eine Bühne"}, "rm": {"alt_text": "Ina tribuna"}},
    "sizes": {
        "medium": {
            "width": 300,
            "height": 200,
            "mime": "image/png",
            "filesize": 763,
            "filename": "poster-300x200.png",
        }
    },
}
PRESENTED = {
    "url": "https://calendar.example/media/4/iO5oU1BqJ8m0xkT9wQz3Vg/poster.png",
    "id": 4,
    "extension": "png",
    "width": 1200,
    "height": 800,
    "filesize": 4609,
    "alt_text": "Ina tribuna",
    "sizes": {
        "medium": {
            "width": 300,
            "height": 200,
            "mime-type": "image/png",
            "filesize": 763,
            "url": "https://calendar.example/media/4/iO5oU1BqJ8m0xkT9wQz3Vg/poster-300x200.png",
        }
    },
}


@pytest.fixture
def view(settings):
    """Return the look of a stranger who reads Romansh, else German."""
    return View(
        chain=("rm", "de"),
        caller=ANYONE,
        addresses=Addresses(SITE, SITE, settings),
        settings=settings,
        linked={"media": {4: POSTER}},
        zone=ZoneInfo("UTC"),
    )


def test_picture_is_presented_like_the_reference(view):
    presented = stored_image(POSTER, view)
    assert presented == PRESENTED
    assert list(presented) == list(PRESENTED)
    assert list(presented["sizes"]["medium"]) == list(PRESENTED["sizes"]["medium"])


def test_a_picture_too_small_for_sizes_shows_none(view):
    assert "sizes" not in stored_image(POSTER | {"sizes": {}}, view)


def test_external_picture_has_only_its_address():
    assert external_image("https://example.org/a/Logo.PNG?v=2", {}) == {
        "url": "https://example.org/a/Logo.PNG?v=2",
        "id": 0,
        "extension": "png",
        "width": None,
        "height": None,
        "filesize": None,
        "sizes": {
            name: {"url": "https://example.org/a/Logo.PNG?v=2", "width": None, "height": None}
            for name in ("thumbnail", "medium", "large")
        },
    }


def test_an_address_without_an_extension_shows_an_empty_one():
    assert external_image("https://example.org/logo", {})["extension"] == ""


def test_every_kind_of_record_shows_its_picture(view):
    assert present_image({"image": 4}, view) == PRESENTED
    assert present_image({"image": "https://example.org/a.png"}, view)["id"] == 0
    assert present_image({"image": 5}, view) is False
    assert present_image({"image": None}, view) is False
    assert present_image({"image": ""}, view) is False


def test_a_picture_without_a_text_shows_an_empty_one(view):
    assert stored_image(POSTER | {"variants": {}}, view)["alt_text"] == ""


def test_a_text_in_another_language_is_better_than_none(view):
    german = POSTER | {"variants": {"de": {"alt_text": "Eine Bühne"}}}
    assert stored_image(german, view)["alt_text"] == "Eine Bühne"
