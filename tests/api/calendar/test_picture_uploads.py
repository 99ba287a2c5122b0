from datetime import datetime
from io import BytesIO
from zlib import crc32

import pytest
from PIL import Image, ImageCms
from unit.domain.pngs import png

from calendar_app.accounts.callers import ANYONE, Caller
from calendar_app.calendar.pictures.uploads import Pictures, Upload
from calendar_app.calendar.search.vocabulary import Vocabulary
from calendar_app.calendar.writing.writer import Writer
from calendar_app.domain.kinds import MEDIA
from calendar_app.domain.words import FOLDING_RULES
from calendar_app.domain.zones import Site
from calendar_app.errors import (
    DuplicateKey,
    InvalidParameters,
    NotAllowed,
    NotAuthenticated,
    NotFound,
)
from calendar_app.storage.mongo.store import Store

NOON = datetime(2027, 3, 10, 12)  # noqa: DTZ001  UTC, as stored
SCREEN = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
AUTHOR = Caller(7, "anna", "author")

# What is kept of the texts of a picture that came without any.
UNWORDED = {
    "variants": {},
    "folded": {"shared": {"filename": "poster.png"}, "rules": FOLDING_RULES},
    "names": [],
    "origin": None,
    "sources": {},
    "standing": {},
}


@pytest.fixture
def pictures(database):
    store = Store(database)
    writer = Writer(store, Vocabulary(store, {"de": ["de"]}), lambda: NOON, history_days=365)
    return Pictures(store, MEDIA, writer, Site("UTC"))


@pytest.fixture
def upload(pictures):
    """Return a function that uploads a file, by default as an author."""

    def take(data, name, caller=AUTHOR, **changes):
        return pictures.upload(Upload(data, name, changes), caller, "de")

    return take


def encoded(image, kind, **options):
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def poster(kind="PNG", size=(1200, 800), **options):
    return encoded(Image.new("RGB", size, "navy"), kind, **options)


def decoded(stored):
    return Image.open(stored.stream)


def stored_files(database):
    return sorted(file["filename"] for file in database["files.files"].find())


def refused(upload, data):
    with pytest.raises(InvalidParameters) as refusal:
        upload(data, "poster.png")
    return refusal.value.reasons


def test_a_picture_is_described_by_its_record(upload):
    data = poster()
    record = upload(data, "Poster.PNG")
    sizes = record.pop("sizes")
    assert record == {
        "_id": record["_id"],
        "author": 7,
        "filename": "poster.png",
        "token": record["token"],
        "mime": "image/png",
        "extension": "png",
        "width": 1200,
        "height": 800,
        "filesize": len(data),
        "published": NOON,
        "modified": NOON,
        "revision": 1,
        **UNWORDED,
    }
    assert {name: size["filename"] for name, size in sizes.items()} == {
        "medium": "poster-300x200.png",
        "large": "poster-1024x683.png",
        "thumbnail": "poster-150x150.png",
        "medium_large": "poster-768x512.png",
    }


def test_every_size_matches_its_record(upload, pictures):
    record = upload(poster("JPEG"), "poster.jpg")
    for size in record["sizes"].values():
        stored = pictures.open(record["_id"], record["token"], size["filename"])
        assert (stored.mime, stored.size) == (size["mime"], size["filesize"])
        with decoded(stored) as image:
            assert image.size == (size["width"], size["height"])


def test_a_file_that_no_picture_has_is_not_found(upload, pictures):
    record = upload(poster(), "poster.png")
    number, token = record["_id"], record["token"]
    for place in [
        (number, token, "other.png"),
        (999, token, "poster.png"),
        (number, "", "poster.png"),
    ]:
        with pytest.raises(NotFound):
            pictures.open(*place)


def test_two_sizes_with_the_same_measures_share_a_file(upload, database):
    record = upload(poster(size=(1536, 2048)), "poster.png")
    sizes = record["sizes"]
    assert sizes["large"]["filename"] == sizes["medium_large"]["filename"]
    assert len(stored_files(database)) == 4


@pytest.mark.parametrize(
    ("kind", "mime", "extension"),
    [
        ("JPEG", "image/jpeg", "jpg"),
        ("PNG", "image/png", "png"),
        ("WEBP", "image/webp", "webp"),
        ("GIF", "image/gif", "gif"),
    ],
)
def test_the_content_decides_on_the_type(upload, kind, mime, extension):
    record = upload(poster(kind), "poster.txt")
    assert (record["mime"], record["extension"]) == (mime, extension)
    assert record["filename"] == f"poster.{extension}"


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_pictures_of_every_color_mode_have_sizes(upload, mode):
    image = Image.new("L", (400, 300), 128).convert(mode)
    record = upload(encoded(image, "PNG"), "poster.png")
    assert set(record["sizes"]) == {"medium", "thumbnail"}


@pytest.mark.parametrize("profile", [None, SCREEN], ids=["no profile", "a wrong profile"])
def test_a_picture_for_print_has_sizes_for_screens(upload, pictures, profile):
    red = Image.new("CMYK", (400, 300), (0, 255, 255, 0))
    record = upload(encoded(red, "JPEG", quality=95, icc_profile=profile), "poster.jpg")
    with decoded(pictures.open(record["_id"], record["token"], "poster.jpg")) as image:
        assert image.mode == "CMYK"
    stored = pictures.open(record["_id"], record["token"], record["sizes"]["medium"]["filename"])
    with decoded(stored) as image:
        assert image.mode == "RGB"
        assert image.getpixel((9, 9)) == pytest.approx((255, 0, 0), abs=3)


def test_transparency_shows_in_the_sizes_too(upload, pictures):
    glass = Image.new("RGBA", (400, 400), (255, 0, 0, 0))
    record = upload(encoded(glass, "PNG"), "glass.png")
    stored = pictures.open(record["_id"], record["token"], record["sizes"]["medium"]["filename"])
    with decoded(stored) as image:
        assert image.convert("RGBA").getpixel((9, 9))[3] == 0


def test_a_camera_held_upright_gives_an_upright_picture(upload, pictures):
    lying = Image.new("RGB", (400, 200), "red")
    lying.paste("blue", (0, 0, 200, 200))
    exif = Image.Exif()
    exif[0x0112] = 6
    record = upload(encoded(lying, "JPEG", exif=exif), "me.jpg")
    assert (record["width"], record["height"]) == (200, 400)
    assert (record["sizes"]["medium"]["width"], record["sizes"]["medium"]["height"]) == (150, 300)
    with decoded(pictures.open(record["_id"], record["token"], "me.jpg")) as image:
        red, _, blue = image.getpixel((100, 20))
    assert blue > red


def test_neither_the_picture_nor_its_sizes_say_where_it_was_taken(upload, pictures):
    exif = Image.Exif()
    exif[0x010E] = "somewhere"
    exif[0x0112] = 3
    exif.get_ifd(0x8825)[1] = "N"
    data = poster("JPEG", exif=exif, comment=b"somewhere")
    record = upload(data, "poster.jpg")
    for name in ["poster.jpg", *(size["filename"] for size in record["sizes"].values())]:
        content = pictures.open(record["_id"], record["token"], name).stream.read()
        assert b"somewhere" not in content
        assert b"Exif" not in content


def test_a_telephone_picture_of_two_is_the_first_one(upload, pictures):
    data = poster("MPO", save_all=True, append_images=[Image.new("RGB", (600, 400), "red")])
    record = upload(data, "poster.jpg")
    assert (record["mime"], record["width"]) == ("image/jpeg", 1200)
    with decoded(pictures.open(record["_id"], record["token"], "poster.jpg")) as image:
        assert image.format == "JPEG"


def test_animation_is_kept_and_its_sizes_show_the_first_frame(upload, pictures):
    frames = [Image.new("RGB", (400, 400), color) for color in ("red", "blue")]
    data = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:], loop=0)
    record = upload(data, "blink.gif")
    with decoded(pictures.open(record["_id"], record["token"], "blink.gif")) as image:
        assert image.n_frames == 2
    stored = pictures.open(record["_id"], record["token"], record["sizes"]["medium"]["filename"])
    with decoded(stored) as image:
        assert image.n_frames == 1
        assert image.convert("RGB").getpixel((9, 9)) == (255, 0, 0)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"%PDF-1.7",
        encoded(Image.new("RGB", (9, 9)), "BMP"),
        encoded(Image.new("RGB", (9, 9)), "TIFF"),
    ],
    ids=["nothing", "text", "svg", "pdf", "bmp", "tiff"],
)
def test_only_four_picture_types_are_accepted(upload, database, data):
    assert refused(upload, data) == {"file": "The file is not a JPEG, PNG, WebP or GIF picture."}
    assert stored_files(database) == []


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
def test_a_picture_cut_off_is_refused_and_leaves_nothing(upload, database, kind):
    data = encoded(Image.effect_noise((300, 300), 90), kind)
    assert refused(upload, data[: len(data) // 2]).keys() == {"file"}
    assert stored_files(database) == []
    assert database["media"].count_documents({}) == 0


@pytest.mark.parametrize("side", [7200, 20_000], ids=["a little", "far"])
def test_too_many_pixels_are_refused_before_they_are_decoded(upload, database, side):
    # A head that promises much and a body that gives nothing: decoding would call it damaged.
    head = poster("PNG", size=(1, 1))
    claimed = head[:16] + side.to_bytes(4) * 2 + head[24:]
    assert "pixels" in refused(upload, _with_checksum(claimed))["file"]
    assert stored_files(database) == []


def test_a_picture_of_one_endless_row_is_refused(upload, database):
    data = png(50_000_000, 1, b"", (1, 0, 0))
    assert refused(upload, data) == {"file": "The picture is longer than 65535 pixels."}
    assert stored_files(database) == []


def _with_checksum(png):
    return png[:29] + crc32(png[12:29]).to_bytes(4) + png[33:]


def test_where_the_record_cannot_be_stored_no_file_stays(upload, database):
    next_id = upload(poster(), "poster.png")["_id"] + 1
    database["media"].insert_one({"_id": next_id})
    before = stored_files(database)
    with pytest.raises(DuplicateKey):
        upload(poster(), "poster.png")
    assert stored_files(database) == before


@pytest.mark.parametrize(
    ("caller", "refusal"),
    [
        (ANYONE, NotAuthenticated),
        (Caller(3, "sub", "subscriber"), NotAllowed),
        (Caller(4, "contributor", "contributor"), NotAllowed),
    ],
)
def test_upload_permission_is_checked_before_the_picture(upload, caller, refusal):
    with pytest.raises(refusal):
        upload(b"no picture", "poster.png", caller)
