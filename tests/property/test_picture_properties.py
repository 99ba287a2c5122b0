from contextlib import suppress
from io import BytesIO

from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from calendar_app.calendar.pictures.rendering import render
from calendar_app.domain.pictures import BOUNDS, EXTENSIONS, file_name, sizes_of
from calendar_app.errors import InvalidParameters

KINDS = {"image/jpeg": "JPEG", "image/png": "PNG", "image/webp": "WEBP", "image/gif": "GIF"}
sides = st.integers(1, 20_000)
types = st.sampled_from(sorted(EXTENSIONS))


def _encoded(mime):
    file = BytesIO()
    Image.linear_gradient("L").resize((40, 30)).convert("RGB").save(file, KINDS[mime])
    return file.getvalue()


WHOLE = {mime: _encoded(mime) for mime in KINDS}


@st.composite
def damaged(draw):
    """Draw a type and a file of it in which some bytes are others."""
    mime = draw(types)
    data = bytearray(WHOLE[mime])
    for place in draw(st.lists(st.integers(0, len(data) - 1), min_size=1, max_size=6)):
        data[place] = draw(st.integers(0, 255))
    return mime, bytes(data)


@given(sides, sides)
def test_no_size_is_larger_than_the_picture_or_its_bound(width, height):
    for name, (wide, high) in sizes_of(width, height).items():
        assert 1 <= wide <= min(width, BOUNDS[name].width)
        assert 1 <= high <= height
        assert (wide, high) != (width, height)


@given(sides, sides)
def test_sizes_keep_the_proportions_except_the_thumbnail(width, height):
    for name, (wide, high) in sizes_of(width, height).items():
        if name != "thumbnail":
            # Each side is rounded to a pixel, so the two products differ by little.
            assert abs(wide * height - high * width) <= max(width, height)


@given(st.text(max_size=300), types)
def test_a_file_name_never_leaves_its_folder(given_name, mime):
    name = file_name(given_name, mime)
    stem, dot, extension = name.rpartition(".")
    assert (dot, extension) == (".", EXTENSIONS[mime])
    assert stem
    assert set(stem) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-")


@settings(max_examples=100, deadline=None)
@given(damaged())
def test_damaged_picture_is_accepted_or_refused_without_a_crash(picture):
    _, data = picture
    with suppress(InvalidParameters):
        assert render(data).original.data
