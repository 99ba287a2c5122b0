import pytest

from calendar_app.domain.pictures import file_name, size_name, sizes_of


def test_sizes_are_those_that_the_reference_makes():
    assert sizes_of(1200, 800) == {
        "medium": (300, 200),
        "large": (1024, 683),
        "thumbnail": (150, 150),
        "medium_large": (768, 512),
    }


def test_sizes_come_in_the_order_of_the_reference():
    assert list(sizes_of(1200, 800)) == ["medium", "large", "thumbnail", "medium_large"]


def test_a_picture_is_never_upscaled():
    assert sizes_of(640, 480) == {"medium": (300, 225), "thumbnail": (150, 150)}


def test_a_tiny_picture_has_no_sizes():
    assert sizes_of(150, 150) == {}
    assert sizes_of(1, 1) == {}


def test_a_flat_picture_is_cropped_in_its_width_alone():
    assert sizes_of(400, 100)["thumbnail"] == (150, 100)


def test_an_upright_picture_is_bound_by_its_height_except_in_medium_large():
    sizes = sizes_of(1000, 2000)
    assert sizes["large"] == (512, 1024)
    assert sizes["medium"] == (150, 300)
    assert sizes["medium_large"] == (768, 1536)


def test_thin_picture_keeps_at_least_one_pixel():
    assert sizes_of(9000, 1)["medium"] == (300, 1)


@pytest.mark.parametrize(
    ("sent_name", "mime", "name"),
    [
        ("poster.png", "image/png", "poster.png"),
        ("Sommer Fest.JPEG", "image/jpeg", "sommer-fest.jpg"),
        ("poster.png", "image/gif", "poster.gif"),
        ("Zürich été.webp", "image/webp", "zurich-ete.webp"),
        ("../../etc/passwd", "image/png", "passwd.png"),
        ("C:\\photos\\me.gif", "image/gif", "me.gif"),
        ('a"b<script>.png', "image/png", "a-b-script.png"),
        ("archive.tar.gz", "image/png", "archive-tar.png"),
        ("日本.png", "image/png", "picture.png"),
        ("", "image/png", "picture.png"),
        (".png", "image/png", "png.png"),
        ("x" * 300 + ".png", "image/png", "x" * 80 + ".png"),
    ],
)
def test_a_file_name_is_harmless_and_its_extension_follows_the_type(sent_name, mime, name):
    assert file_name(sent_name, mime) == name


def test_size_name_contains_its_dimensions():
    assert size_name("poster.png", (300, 200)) == "poster-300x200.png"
