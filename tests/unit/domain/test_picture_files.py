from hashlib import shake_256
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from calendar_app.domain.picture_files import bare

SECRET = b"46.9591 N, 10.3012 E"
SIZE = (60, 40)


def noise(mode="RGB"):
    """Return a picture in which every pixel matters, the same one each time."""
    pixels = shake_256(b"noise").digest(SIZE[0] * SIZE[1] * 3)
    return Image.frombytes("RGB", SIZE, pixels).convert(mode)


def encoded(image, kind, **options):
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def with_secrets():
    """Return the EXIF data of a camera that writes down where it was."""
    exif = Image.Exif()
    exif[0x010E] = SECRET.decode()
    return exif


def png():
    return encoded(noise(), "PNG", exif=with_secrets())


def webp():
    return encoded(noise(), "WEBP", exif=with_secrets(), xmp=SECRET)


def jpeg():
    return encoded(noise(), "JPEG", exif=with_secrets(), comment=SECRET, xmp=SECRET)


def gif():
    return encoded(noise("P"), "GIF", comment=SECRET)


FILES = {"image/png": png, "image/webp": webp, "image/jpeg": jpeg, "image/gif": gif}
each_type = pytest.mark.parametrize(("mime", "file"), FILES.items(), ids=list(FILES))


@each_type
def test_camera_metadata_is_removed(mime, file):
    assert SECRET in file()
    assert SECRET not in bare(file(), mime)


@each_type
def test_no_exif_is_left(mime, file):
    with Image.open(BytesIO(bare(file(), mime))) as image:
        assert not image.getexif()


@each_type
def test_every_pixel_stays(mime, file):
    with Image.open(BytesIO(file())) as before, Image.open(BytesIO(bare(file(), mime))) as after:
        difference = ImageChops.difference(before.convert("RGB"), after.convert("RGB"))
    assert difference.getbbox() is None


@each_type
def test_trailing_bytes_of_a_picture_are_cut_off(mime, file):
    assert bare(file() + b"<script>alert(1)</script>", mime) == bare(file(), mime)


@each_type
def test_taking_out_twice_takes_out_nothing_more(mime, file):
    once = bare(file(), mime)
    assert bare(once, mime) == once


@each_type
def test_a_file_cut_off_anywhere_is_refused(mime, file):
    whole = bare(file(), mime)
    for length in range(len(whole) - 1):
        with pytest.raises(ValueError, match="damaged"):
            bare(whole[:length], mime)


@each_type
def test_another_type_is_refused(mime, file):
    for other_mime in FILES.keys() - {mime}:
        with pytest.raises(ValueError, match="damaged"):
            bare(file(), other_mime)


def test_a_progressive_jpeg_keeps_all_its_scans():
    whole = encoded(noise(), "JPEG", progressive=True)
    assert bare(whole, "image/jpeg") == whole


def test_fill_bytes_before_a_marker_do_no_harm():
    whole = encoded(noise(), "JPEG")
    second = 4 + int.from_bytes(whole[4:6])
    padded = whole[:second] + b"\xff\xff\xff" + whole[second:]
    assert bare(padded, "image/jpeg") == whole


@pytest.mark.parametrize(
    ("kind", "mime"), [("GIF", "image/gif"), ("WEBP", "image/webp"), ("PNG", "image/png")]
)
def test_an_animation_keeps_its_frames_and_its_loop(kind, mime):
    frames = [Image.new("RGB", SIZE, colour) for colour in ("red", "green", "blue")]
    whole = encoded(frames[0], kind, save_all=True, append_images=frames[1:], duration=90, loop=3)
    with Image.open(BytesIO(bare(whole, mime))) as image:
        assert image.n_frames == 3
        assert image.info["loop"] == 3
        image.seek(2)
        assert image.convert("RGB").getpixel((5, 5))[2] > 200
