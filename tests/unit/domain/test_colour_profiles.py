"""A colour profile keeps its colours and loses everything else."""

from io import BytesIO
from struct import iter_unpack, pack

import pytest
from PIL import Image, ImageCms

from calendar_app.domain.colour_profiles import bare_profile
from calendar_app.domain.picture_files import bare

SECRET = b"SECRET serial number"
NON_COLOUR_TAGS = (
    b"desc",
    b"cprt",
    b"dmnd",
    b"dmdd",
    b"vued",
    b"targ",
    b"mmod",
    b"meta",
    b"calt",
    b"view",
)


def srgb():
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def tags_of(profile):
    count = int.from_bytes(profile[128:132])
    table = iter_unpack(">4sII", profile[132 : 132 + count * 12])
    return {name: profile[start : start + size] for name, start, size in table}


def built(tags, version=4):
    """Return a profile with these tags, in the head of which secrets stand too."""
    place, table, contents = 132 + 12 * len(tags), b"", b""
    for name, content in tags.items():
        table += pack(">4sII", name, place + len(contents), len(content))
        contents += content.ljust(-(-len(content) // 4) * 4, b"\0")
    head = bytearray(srgb()[:128])
    head[8], head[48:56], head[80:84] = version, b"ACMESN42", b"anna"
    head[0:4] = pack(">I", place + len(contents))
    return bytes(head) + pack(">I", len(tags)) + table + contents


@pytest.fixture
def talkative():
    """Return a profile that tells more than colours."""
    return built(tags_of(srgb()) | dict.fromkeys(NON_COLOUR_TAGS, b"text\x00\x00\x00\x00" + SECRET))


def encoded(kind, profile):
    file = BytesIO()
    Image.new("RGB", (40, 30), "navy").save(file, kind, icc_profile=profile)
    return file.getvalue()


def test_only_colour_tags_of_a_profile_stay(talkative):
    assert talkative.count(SECRET) == len(NON_COLOUR_TAGS)
    profile = bare_profile(talkative)
    assert SECRET not in profile
    assert b"ACMESN42" not in profile
    assert b"anna" not in profile
    assert set(tags_of(profile)) & set(NON_COLOUR_TAGS) == {b"desc", b"cprt"}


def test_colours_stay_as_they_are(talkative):
    before, after = tags_of(talkative), tags_of(bare_profile(talkative))
    colour_tags = before.keys() - set(NON_COLOUR_TAGS)
    assert {b"rXYZ", b"gXYZ", b"bXYZ", b"rTRC", b"wtpt"} <= colour_tags
    assert {name: before[name] for name in colour_tags} == {
        name: after[name] for name in colour_tags
    }


@pytest.mark.parametrize("version", [2, 4])
def test_bare_profile_is_readable_by_littlecms(talkative, version):
    bare_bytes = bare_profile(talkative[:8] + bytes([version]) + talkative[9:])
    assert int.from_bytes(bare_bytes[:4]) == len(bare_bytes)
    profile = ImageCms.ImageCmsProfile(BytesIO(bare_bytes))
    assert ImageCms.getProfileDescription(profile).strip() == "."
    assert ImageCms.getProfileCopyright(profile).strip() == "."
    image = Image.linear_gradient("L").convert("RGB")
    straight, around = (
        ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"))
        for source in (ImageCms.ImageCmsProfile(BytesIO(talkative)), profile)
    )
    assert straight.tobytes() == around.tobytes()


def test_a_bare_profile_has_nothing_more_to_lose(talkative):
    once = bare_profile(talkative)
    assert bare_profile(once) == once


@pytest.mark.parametrize("length", [0, 100, 131, 140, 400])
def test_a_profile_cut_off_is_refused(talkative, length):
    with pytest.raises(ValueError, match="damaged"):
        bare_profile(talkative[:length])


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_pictures_of_each_type_have_their_profile_bare(talkative, kind):
    data = encoded(kind, talkative)
    with Image.open(BytesIO(bare(data, f"image/{kind.lower()}"))) as image:
        image.load()
        assert image.info["icc_profile"] == bare_profile(talkative)


def test_a_profile_of_several_segments_stays_in_one_piece():
    table = bytes(range(256)) * 700
    large = built(tags_of(srgb()) | {b"A2B0": table, b"meta": SECRET})
    data = bare(encoded("JPEG", large), "image/jpeg")
    assert SECRET not in data
    with Image.open(BytesIO(data)) as image:
        assert tags_of(image.info["icc_profile"])[b"A2B0"] == table


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_profile_that_is_damaged_is_left_out(talkative, kind):
    data = bare(encoded(kind, talkative[:200] + SECRET), f"image/{kind.lower()}")
    assert SECRET not in data
    with Image.open(BytesIO(data)) as image:
        image.load()
        assert "icc_profile" not in image.info
