from calendar_app.resources.media.presentation import image_by_url, image_object, shown_image

SITE = "https://calendar.example"
POSTER = {
    "_id": 4,
    "author": 1,
    "filename": "poster.png",
    "mime": "image/png",
    "extension": "png",
    "width": 1200,
    "height": 800,
    "filesize": 4609,
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
SHOWN = {
    "url": "https://calendar.example/media/4/poster.png",
    "id": 4,
    "extension": "png",
    "width": 1200,
    "height": 800,
    "filesize": 4609,
    "sizes": {
        "medium": {
            "width": 300,
            "height": 200,
            "mime-type": "image/png",
            "filesize": 763,
            "url": "https://calendar.example/media/4/poster-300x200.png",
        }
    },
}


def test_a_picture_is_shown_as_the_reference_shows_it():
    shown = image_object(POSTER, SITE)
    assert shown == SHOWN
    assert list(shown) == list(SHOWN)
    assert list(shown["sizes"]["medium"]) == list(SHOWN["sizes"]["medium"])


def test_a_picture_too_small_for_sizes_shows_none():
    assert "sizes" not in image_object(POSTER | {"sizes": {}}, SITE)


def test_a_picture_elsewhere_is_shown_by_its_address_alone():
    assert image_by_url("https://example.org/a/Logo.PNG?v=2") == {
        "url": "https://example.org/a/Logo.PNG?v=2",
        "id": 0,
        "extension": "png",
        "width": None,
        "height": None,
        "filesize": None,
        "sizes": {},
    }


def test_an_address_without_an_extension_shows_an_empty_one():
    assert image_by_url("https://example.org/logo")["extension"] == ""


def test_a_record_shows_its_picture_whatever_it_is():
    linked = {"media": {4: POSTER}}
    assert shown_image(4, linked, SITE) == SHOWN
    assert shown_image("https://example.org/a.png", linked, SITE)["id"] == 0
    assert shown_image(5, linked, SITE) is False
    assert shown_image(None, linked, SITE) is False
    assert shown_image("", {}, SITE) is False
