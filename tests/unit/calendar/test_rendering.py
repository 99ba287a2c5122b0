"""Pictures are written anew: upright, with their colors, without metadata."""

from hashlib import shake_256
from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageCms, ImageStat
from PIL.PngImagePlugin import PngInfo

from calendar_app.calendar.pictures.rendering import render
from calendar_app.errors import InvalidParameters

SECRET = b"46.9591 N, 10.3012 E"
SIZE = (60, 40)
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def noise(mode="RGB"):
    """Return a picture in which every pixel matters, the same one each time."""
    pixels = shake_256(b"noise").digest(SIZE[0] * SIZE[1] * 3)
    return Image.frombytes("RGB", SIZE, pixels).convert(mode)


def encoded(image, kind, **options):
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def opened(data):
    return Image.open(BytesIO(render(data).original.data))


def exif():
    """Return the EXIF data of a camera that writes down where it was."""
    data = Image.Exif()
    data[0x010E] = SECRET.decode()
    return data


def png():
    words = PngInfo()
    words.add_text("Location", SECRET.decode())
    return encoded(noise(), "PNG", exif=exif(), pnginfo=words)


def webp():
    return encoded(noise(), "WEBP", exif=exif(), xmp=SECRET, quality=95)


def jpeg():
    return encoded(noise(), "JPEG", exif=exif(), comment=SECRET, xmp=SECRET)


def gif():
    return encoded(noise("P"), "GIF", comment=SECRET)


def animated(kind):
    frames = [Image.new("RGB", SIZE, color) for color in ("red", "green", "blue")]
    options = {"comment": SECRET} if kind == "GIF" else {"exif": exif()}
    durations = [90, 200, 310]
    return encoded(
        frames[0],
        kind,
        save_all=True,
        append_images=frames[1:],
        duration=durations,
        loop=3,
        **options,
    )


FILES = {
    "png": png(),
    "webp": webp(),
    "jpeg": jpeg(),
    "gif": gif(),
    "animated png": animated("PNG"),
    "animated webp": animated("WEBP"),
    "animated gif": animated("GIF"),
}


@pytest.mark.parametrize("name", FILES)
def test_metadata_is_removed(name):
    assert SECRET in FILES[name]
    data = render(FILES[name] + b"<script>alert(1)</script>").original.data
    assert SECRET not in data
    assert b"script" not in data
    with Image.open(BytesIO(data)) as image:
        assert not image.getexif()


@pytest.mark.parametrize("name", ["png", "gif"])
def test_png_and_gif_keep_every_pixel(name):
    with Image.open(BytesIO(FILES[name])) as before, opened(FILES[name]) as after:
        difference = ImageChops.difference(before.convert("RGB"), after.convert("RGB"))
    assert difference.getbbox() is None


def test_jpeg_keeps_its_quantization_tables():
    gradient = Image.linear_gradient("L").convert("RGB")
    data = encoded(gradient, "JPEG", quality=71, progressive=True)
    with Image.open(BytesIO(data)) as before, opened(data) as after:
        assert after.quantization == before.quantization
        assert after.info["progressive"]
        difference = ImageChops.difference(before.convert("RGB"), after.convert("RGB"))
    assert max(ImageStat.Stat(difference).mean) < 3


def test_webp_loses_little():
    data = encoded(Image.linear_gradient("L").convert("RGB"), "WEBP", quality=92)
    with Image.open(BytesIO(data)) as before, opened(data) as after:
        difference = ImageChops.difference(before.convert("RGB"), after.convert("RGB"))
    assert max(ImageStat.Stat(difference).mean) < 3


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_color_profile_is_kept(kind):
    with opened(encoded(noise(), kind, icc_profile=PROFILE)) as image:
        image.load()
        assert image.info["icc_profile"] == PROFILE


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_animation_keeps_its_frames_durations_and_loop(kind):
    with opened(animated(kind)) as image:
        assert (image.n_frames, image.info["loop"]) == (3, 3)
        durations = []
        for number in range(3):
            image.seek(number)
            image.load()
            durations.append(image.info["duration"])
        assert durations == [90, 200, 310]
        assert image.convert("RGB").getpixel((5, 5))[2] > 200


def test_gif_that_plays_once_still_does():
    frames = [Image.new("RGB", SIZE, color) for color in ("red", "blue")]
    with opened(encoded(frames[0], "GIF", save_all=True, append_images=frames[1:])) as image:
        assert "loop" not in image.info


def test_animation_of_too_many_pixels_is_refused():
    frames = [Image.new("P", (7000, 7000), color) for color in (1, 2, 3)]
    data = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:])
    with pytest.raises(InvalidParameters) as refusal:
        render(data)
    assert refusal.value.reasons == {"file": "The picture has more than 100000000 pixels."}
