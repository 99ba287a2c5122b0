from zoneinfo import ZoneInfo

import pytest

from calendar_app.accounts.callers import ANYONE
from calendar_app.api.presentation.media import present_image, stored_image
from calendar_app.api.presentation.records import RecordView
from calendar_app.readmodel.addresses import Addresses
from calendar_app.readmodel.records import ReadContext, ReadRecord

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
    "credit": "",
    "license": "",
    "focus": "",
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
    context = ReadContext(
        chain=("rm", "de"),
        caller=ANYONE,
        addresses=Addresses(SITE, SITE, settings),
        settings=settings,
        linked={"media": {4: POSTER}},
        zone=ZoneInfo("UTC"),
    )
    return RecordView(context)


def test_picture_is_presented_like_the_reference(view):
    presented = stored_image(POSTER, view)
    assert presented == PRESENTED
    assert list(presented) == list(PRESENTED)
    assert list(presented["sizes"]["medium"]) == list(PRESENTED["sizes"]["medium"])


def test_a_picture_too_small_for_sizes_shows_none(view):
    assert "sizes" not in stored_image(POSTER | {"sizes": {}}, view)


def image(value, view):
    return present_image(ReadRecord({"_id": 1, "image": value}, view.context), view)


def test_external_picture_has_only_its_address(view):
    assert image("https://example.org/a/Logo.PNG?v=2", view) == {
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


def test_an_address_without_an_extension_shows_an_empty_one(view):
    assert image("https://example.org/logo", view)["extension"] == ""


def test_every_kind_of_record_shows_its_picture(view):
    assert image(4, view) == PRESENTED
    assert image("https://example.org/a.png", view)["id"] == 0
    assert image(5, view) is False
    assert image(None, view) is False
    assert image("", view) is False


def test_a_picture_without_a_text_shows_an_empty_one(view):
    assert stored_image(POSTER | {"variants": {}}, view)["alt_text"] == ""


def test_a_text_in_another_language_is_better_than_none(view):
    german = POSTER | {"variants": {"de": {"alt_text": "Eine Bühne"}}}
    assert stored_image(german, view)["alt_text"] == "Eine Bühne"
