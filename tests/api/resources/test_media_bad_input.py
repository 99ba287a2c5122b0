"""Uploads that are no pictures, or of another type than declared, are refused and not stored."""

import zlib
from functools import cache
from io import BytesIO
from struct import pack

import pytest
from PIL import Image, ImageCms

pytestmark = pytest.mark.without_mongodb

SITE = "https://calendar.example"
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
HALVES = ((255, 0, 0), (0, 0, 255))
COLORS = [
    *(("JPEG", mode) for mode in ("1", "L", "RGB", "CMYK")),
    *(("PNG", mode) for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16")),
    *(("WEBP", mode) for mode in ("1", "L", "LA", "P", "RGB", "RGBA")),
    *(("GIF", mode) for mode in ("1", "L", "LA", "P", "RGB", "RGBA")),
]


def encoded(image, kind, **options):
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def chunk(name, content):
    checked = name + content
    return pack(">I", len(content)) + checked + pack(">I", zlib.crc32(checked))


@cache
def bomb(side):
    """Return a valid PNG of 300 kilobytes that takes gigabytes once it is decoded."""
    head = pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    row = b"\0" * (1 + (side + 7) // 8)
    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    return PNG_SIGNATURE + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def noise(kind):
    return encoded(Image.effect_noise((300, 300), 90), kind)


BAD = {
    "nothing": b"",
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    "html": b"<!doctype html><script>alert(1)</script>",
    "bomb": b"",
    "jpeg cut off": noise("JPEG")[:-2000],
    "png cut off": noise("PNG")[:-2000],
    "webp cut off": noise("WEBP")[:-2000],
    "gif cut off": noise("GIF")[:-2000],
    "head alone": noise("PNG")[:33],
    "wrong checksum": noise("PNG").replace(b"IDAT", b"IDAT\0", 1),
    "bmp": noise("BMP"),
    "tiff": noise("TIFF"),
}


@pytest.fixture
def send(as_author):
    """Return a function that uploads bytes as a bare file, or in a form."""

    def take(data, *, bare, name="poster.png"):
        if bare:
            return as_author.send("POST", "/media", data=data, content_type="image/png")
        return as_author.send("POST", "/media", data={"file": (BytesIO(data), name)})

    return take


@pytest.fixture
def fetch(app):
    """Return a function that reads a file of a picture as Pillow sees it."""

    def get(url):
        image = Image.open(BytesIO(app.test_client().get(url.removeprefix(SITE)).data))
        image.load()
        return image

    return get


def stored_names(database):
    return [database[name].count_documents({}) for name in ("files.files", "files.chunks", "media")]


@pytest.mark.parametrize("bare", [True, False], ids=["bare", "form"])
@pytest.mark.parametrize("name", BAD)
def test_a_file_that_is_no_whole_picture_is_refused_and_leaves_nothing(send, database, name, bare):
    data = bomb(50_000) if name == "bomb" else BAD[name]
    answer = send(data, bare=bare)
    assert (answer.status_code, answer.code) == (400, "rest_invalid_param")
    assert answer.invalid_params == ["file"]
    assert stored_names(database) == [0, 0, 0]


def test_a_text_that_is_refused_keeps_nothing_of_the_file(as_author, png, database):
    form = {"file": (BytesIO(png), "a.png"), "variants[xx][alt_text]": "Eine Bühne"}
    assert as_author.send("POST", "/media", data=form).invalid_params == ["variants"]
    assert stored_names(database) == [0, 0, 0]


@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_way_to_hold_a_camera_gives_an_upright_picture(send, fetch, orientation):
    # What is seen is red on the left; the camera has stored it as the orientation says.
    upright = Image.new("RGB", (320, 160), HALVES[0])
    upright.paste(HALVES[1], (160, 0, 320, 160))
    turns = {
        2: [Image.Transpose.FLIP_LEFT_RIGHT],
        3: [Image.Transpose.ROTATE_180],
        4: [Image.Transpose.FLIP_TOP_BOTTOM],
        5: [Image.Transpose.TRANSPOSE],
        6: [Image.Transpose.ROTATE_90],
        7: [Image.Transpose.TRANSVERSE],
        8: [Image.Transpose.ROTATE_270],
    }
    stored = upright
    for turn in turns.get(orientation, []):
        stored = stored.transpose(turn)
    exif = Image.Exif()
    exif[0x0112] = orientation
    record = send(encoded(stored, "JPEG", exif=exif, quality=95), bare=True).json
    assert (record["width"], record["height"]) == (320, 160)
    for url in (record["url"], record["sizes"]["medium"]["url"]):
        image = fetch(url)
        left_color, right = (image.getpixel((int(image.width * x), 9)) for x in (0.2, 0.8))
        assert left_color[0] - left_color[2] > 140
        assert right[2] - right[0] > 140
        assert not image.getexif()


def test_private_metadata_is_removed_and_the_color_profile_stays(send, app):
    exif = Image.Exif()
    exif[0x013B] = "SECRET name"
    exif.get_ifd(0x8825)[2] = (46.0, 51.0, 0.0)
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    data = encoded(
        Image.new("RGB", (400, 300), "navy"),
        "JPEG",
        exif=exif,
        icc_profile=profile,
        comment=b"SECRET comment",
        xmp=b"<x:xmpmeta>SECRET place</x:xmpmeta>",
    )
    assert data.count(b"SECRET") == 3
    record = send(data + b"SECRET behind the picture", bare=False, name="a.jpg").json
    for url in (record["url"], *(size["url"] for size in record["sizes"].values())):
        stored = app.test_client().get(url.removeprefix(SITE)).data
        assert b"SECRET" not in stored
        assert b"Exif" not in stored
        assert b"ICC_PROFILE" in stored


@pytest.mark.parametrize(("kind", "mode"), COLORS)
def test_pictures_of_every_kind_of_color_keep_it_in_all_sizes(send, fetch, mode, kind):
    image = Image.new("RGB", (400, 300), "white").convert(mode if mode != "I;16" else "L")
    if mode == "I;16":
        image = image.point(lambda value: value * 257, "I").convert("I;16")
    record = send(encoded(image, kind), bare=True).json
    assert set(record["sizes"]) == {"medium", "thumbnail"}
    for url in (record["url"], record["sizes"]["medium"]["url"]):
        stored = fetch(url)
        bright = stored.getpixel((9, 9)) > 60_000 if stored.mode.startswith("I") else None
        assert bright or min(stored.convert("RGB").getpixel((9, 9))) > 240


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        ("attachment; filename=plain.png", "plain.png"),
        ("attachment; filename*=UTF-8''%E6%98%A5%20und%20Fr%C3%BChling.png", "und-fruhling.png"),
        ("attachment; filename*=UTF-8''Z%C3%BCrich.png; filename=other.png", "zurich.png"),
        ("attachment; filename=\"other.png\"; filename*=UTF-8''Z%C3%BCrich.png", "zurich.png"),
        ('attachment; filename="Z\u00fcrich.png"', "zurich.png"),
        ("attachment; filename*=iso-8859-1''Z%FCrich.png", "zurich.png"),
        ("attachment", "picture.png"),
        ("attachment; filename*=UTF-8''%FF%FE.png", "picture.png"),
    ],
)
@pytest.mark.parametrize("sent_as", ["utf-8", "latin-1"])
def test_a_file_name_in_any_language_is_read(as_author, png, disposition, name, sent_as):
    # As it comes over the wire: WSGI hands over each byte as one character.
    header = disposition.encode(sent_as).decode("latin-1")
    answer = as_author.send(
        "POST",
        "/media",
        data=png,
        content_type="image/png",
        headers={"Content-Disposition": header},
    )
    assert answer.json["filename"] == name


def form_with(png, name):
    """Return a function that uploads a picture by a form that names its file so."""
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="' + name + b'"\r\n'
    body = head + b"Content-Type: image/png\r\n\r\n" + png + b"\r\n--x--\r\n"
    return {"data": body, "content_type": "multipart/form-data; boundary=x"}


@pytest.mark.parametrize("name", [b"Z\xc3\xbcrich.png", b"", b"../../a.png"])
def test_a_form_may_name_its_file_in_any_way(as_author, png, name):
    answer = as_author.send("POST", "/media", **form_with(png, name))
    assert answer.status_code == 201
    assert "/" not in answer.json["filename"]


def test_a_name_of_a_file_that_is_no_utf_8_is_refused(as_author, png):
    assert as_author.send("POST", "/media", **form_with(png, b"Z\xfcrich.png")).status_code == 400


@pytest.mark.parametrize("kind", ["", "application/octet-stream"])
def test_untyped_file_is_recognized_by_its_content(as_author, png, kind):
    answer = as_author.send("POST", "/media", data=png, content_type=kind)
    assert (answer.status_code, answer.json["mime_type"]) == (201, "image/png")
    assert as_author.send(
        "POST", "/media", data=b"no picture", content_type=kind
    ).invalid_params == ["file"]


def test_body_of_another_type_is_unsupported(as_author, png):
    answer = as_author.send("POST", "/media", data=png, content_type="text/plain")
    assert (answer.status_code, answer.code) == (415, "unsupported_media_type")
    assert "Bild" in answer.json["message"]
