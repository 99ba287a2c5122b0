"""Rendering of uploaded pictures: checked, upright, in all sizes."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from types import MappingProxyType
from typing import Any

from PIL import Image, ImageCms, ImageOps, ImageSequence, UnidentifiedImageError

from calendar_app.domain.pictures import (
    CROPPED,
    MAX_PIXELS,
    MAX_PIXELS_OF_FRAMES,
    MAX_SIDE,
    Measure,
    center_of,
    sizes_of,
)
from calendar_app.errors import InvalidParameters, Message

# The types, by the names that Pillow has for them; MPO is the JPEG of many telephones.
_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "JPEG": "image/jpeg",
        "MPO": "image/jpeg",
        "PNG": "image/png",
        "WEBP": "image/webp",
        "GIF": "image/gif",
    }
)
_FORMATS: Mapping[str, str] = MappingProxyType(
    {"image/jpeg": "JPEG", "image/png": "PNG", "image/webp": "WEBP", "image/gif": "GIF"}
)
_QUALITY_OF_PICTURE, _QUALITY_OF_SIZES = 92, 82


@dataclass(frozen=True, slots=True)
class Rendition:
    """One file of a picture; measures are in pixels."""

    width: int
    height: int
    data: bytes


@dataclass(frozen=True, slots=True)
class RenderedPicture:
    """A picture of type ``mime``, upright and without metadata, and its smaller sizes."""

    mime: str
    original: Rendition
    sizes: Mapping[str, Rendition]


def render(data: bytes, focus: str = "") -> RenderedPicture:
    """Return the picture of ``data`` with its sizes; crops keep the ``focus`` point.

    Raises ``InvalidParameters`` naming ``file`` where it is not a whole JPEG, PNG, WebP or GIF
    picture, or is too large. Of an animation the sizes show the first frame.
    """
    with _refusing():
        with _opened(data) as image:
            mime = _TYPES[image.format or ""]
            clean = _rewritten(image, mime)
        with _opened(clean) as image:
            original = Rendition(*image.size, clean)
            measures = sizes_of(*image.size)
            _decode(image, measures.values())
            return RenderedPicture(mime, original, _sizes(image, mime, measures, focus))


def cut(data: bytes, focus: str) -> dict[str, Rendition]:
    """Return the cropped sizes of a picture that ``render`` has made, around a ``focus`` point."""
    with _opened(data) as image:
        mime = _TYPES[image.format or ""]
        cropped = {n: each for n, each in sizes_of(*image.size).items() if n in CROPPED}
        _decode(image, cropped.values())
        return _sizes(image, mime, cropped, focus)


def check_head(data: bytes) -> None:
    """Refuse a file that ``render`` would refuse by its first bytes; nothing is decoded."""
    with _refusing(), _opened(data):
        pass


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except InvalidParameters:
        raise
    except UnidentifiedImageError as error:
        raise _refusal(Message("The file is not a JPEG, PNG, WebP or GIF picture.")) from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_many_pixels() from error
    # Whatever a decoder stumbles over, and each does so in its own way, is a fault of the file.
    except Exception as error:
        raise _damaged() from error


def _refusal(reason: str) -> InvalidParameters:
    return InvalidParameters({"file": reason})


def _damaged() -> InvalidParameters:
    return _refusal(Message("The picture is damaged or cut off."))


def _too_many_pixels(most: int = MAX_PIXELS) -> InvalidParameters:
    return _refusal(Message("The picture has more than {most} pixels.", most=most))


@contextmanager
def _opened(data: bytes) -> Iterator[Image.Image]:
    """Open the picture; so far only its head has been read, nothing is decoded."""
    with Image.open(BytesIO(data), formats=tuple(_FORMATS.values())) as image:
        width, height = image.size
        if width * height > MAX_PIXELS:
            raise _too_many_pixels()
        if max(width, height) > MAX_SIDE:
            reason = Message("The picture is longer than {most} pixels.", most=MAX_SIDE)
            raise _refusal(reason)
        yield image


def _rewritten(image: Image.Image, mime: str) -> bytes:
    """Return the picture upright in a file without metadata."""
    if mime != "image/jpeg" and getattr(image, "is_animated", False):
        return _animation(image, mime)
    ImageOps.exif_transpose(image, in_place=True)
    # With the tables that it came with, a JPEG loses next to nothing.
    quality = "keep" if image.format == "JPEG" else _QUALITY_OF_PICTURE
    return _encoded(image, mime, quality, progressive=image.info.get("progressive", False))


def _animation(image: Image.Image, mime: str) -> bytes:
    width, height = image.size
    if width * height * getattr(image, "n_frames", 1) > MAX_PIXELS_OF_FRAMES:
        raise _too_many_pixels(MAX_PIXELS_OF_FRAMES)
    durations = []
    for frame in ImageSequence.Iterator(image):
        frame.load()  # WebP knows the duration of a frame that was decoded.
        durations.append(frame.info.get("duration", 0))
    loop = {"loop": image.info["loop"]} if "loop" in image.info else {}
    image.seek(0)
    return _encoded(image, mime, _QUALITY_OF_PICTURE, save_all=True, duration=durations, **loop)


def _decode(image: Image.Image, measures: Collection[Measure]) -> None:
    """Read all of the picture, of a JPEG in no more pixels than the ``wanted`` sizes need.

    That takes a quarter of the memory, or less, and of the time; what is damaged shows as well.
    """
    if measures:
        widths, heights = zip(*measures, strict=True)
        image.draft(None, (max(widths), max(heights)))
    image.load()


def _sizes(
    image: Image.Image, mime: str, measures: Mapping[str, Measure], focus: str
) -> dict[str, Rendition]:
    source, center = _resizable(image) if measures else image, center_of(focus)
    return {name: _size(source, mime, measure, center) for name, measure in measures.items()}


def _size(
    image: Image.Image, mime: str, measure: Measure, center: tuple[float, float]
) -> Rendition:
    # Centers are meant as those of ``object-position``: 0.3 leaves out three tenths on the left.
    fitted = ImageOps.fit(image, measure, Image.Resampling.LANCZOS, centering=center)
    return Rendition(*measure, _encoded(fitted, mime, _QUALITY_OF_SIZES))


def _resizable(image: Image.Image) -> Image.Image:
    """Return the picture in a mode that can be resized smoothly."""
    if image.has_transparency_data:
        return image if image.mode in ("RGBA", "LA") else image.convert("RGBA")
    if image.mode == "CMYK":
        return _on_screen(image)
    if image.mode in ("L", "I;16", "RGB"):
        return image
    return image.convert("L" if image.mode == "1" else "RGB")


def _on_screen(image: Image.Image) -> Image.Image:
    """Return a picture for print in the colors of screens: not all of those know inks.

    Its profile says which inks are meant, and is far larger than a small picture.
    """
    profile = image.info.pop("icc_profile", None)
    if profile:
        with suppress(ImageCms.PyCMSError):
            screen = ImageCms.createProfile("sRGB")
            converted = ImageCms.profileToProfile(image, BytesIO(profile), screen, outputMode="RGB")
            return converted or image.convert("RGB")
    return image.convert("RGB")


def _encoded(image: Image.Image, mime: str, quality: int | str, **options: Any) -> bytes:
    if mime in ("image/jpeg", "image/webp"):
        options["quality"] = quality
    file = BytesIO()
    profile = image.info.get("icc_profile")
    # Pillow writes EXIF and XMP only on request, a comment unless it is empty.
    image.save(file, _FORMATS[mime], icc_profile=profile, comment=b"", **options)
    return file.getvalue()
