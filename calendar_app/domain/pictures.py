"""The sizes of a picture, and its files."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import BinaryIO

# A picture with more needs hundreds of megabytes once it is decoded.
MAX_PIXELS = 50_000_000
# All frames of an animation are decoded and written anew, which takes seconds.
MAX_PIXELS_OF_FRAMES = 2 * MAX_PIXELS
# The longest side of a JPEG; no decoder has to keep a longer row or column.
MAX_SIDE = 65_535
# Every type that is taken, with the extension of its files.
EXTENSIONS: Mapping[str, str] = MappingProxyType(
    {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/gif": "gif"}
)
# Of the part of a file's address that nobody guesses.
TOKEN_BYTES = 16
# The point that crops keep, as ``object-position`` of CSS (CSS Images 3, section 5.5): percentages
# from the left and from the top; empty: the middle.
FOCUS_POINT = re.compile(r"(?:(100|[0-9]{1,2})% (100|[0-9]{1,2})%)?")
_LONGEST_STEM = 80
_NAMELESS = "picture"

Measure = tuple[int, int]


def focus_parts(focus: str) -> tuple[str, str]:
    """Return the percentages from the left and from the top, both empty in the middle.

    Raises ``ValueError`` where it is no focus point.
    """
    match = FOCUS_POINT.fullmatch(focus)
    if match is None:
        raise ValueError(focus)
    return match[1] or "", match[2] or ""


def center_of(focus: str) -> tuple[float, float]:
    """Return where a crop has its center, from 0 at the left and the top to 1."""
    left_edge, top = focus_parts(focus)
    return (int(left_edge) / 100, int(top) / 100) if left_edge else (0.5, 0.5)


@dataclass(frozen=True, slots=True)
class Bound:
    """The room, in pixels, that a size fits into; ``cropped`` means that it fills the room."""

    width: int
    height: int | None
    cropped: bool = False

    def applied_to(self, width: int, height: int) -> Measure:
        """Return width and height of a picture in this size; it never grows."""
        most = height if self.height is None else self.height
        if self.cropped:
            return min(width, self.width), min(height, most)
        scale = min(self.width / width, most / height, 1)
        return _rounded(width * scale), _rounded(height * scale)


# In the order in which they are shown.
BOUNDS: Mapping[str, Bound] = MappingProxyType(
    {
        "medium": Bound(300, 300),
        "large": Bound(1024, 1024),
        "thumbnail": Bound(150, 150, cropped=True),
        "medium_large": Bound(768, None),
    }
)
# The sizes that show a part of the picture.
CROPPED = frozenset(name for name, bound in BOUNDS.items() if bound.cropped)


def sizes_of(width: int, height: int) -> dict[str, Measure]:
    """Return the sizes that differ from the picture itself: name to width and height."""
    measures = {name: bound.applied_to(width, height) for name, bound in BOUNDS.items()}
    return {name: measure for name, measure in measures.items() if measure != (width, height)}


def file_name(name: str, mime: str) -> str:
    """Return a harmless name after the ``name`` one, with the extension of the type."""
    last = re.split(r"[/\\]", name)[-1]
    stem = last.rpartition(".")[0] or last
    plain = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9_]+", "-", plain)[:_LONGEST_STEM].strip("-_")
    return f"{slug or _NAMELESS}.{EXTENSIONS[mime]}"


def size_name(filename: str, measure: Measure, mark: str = "") -> str:
    """Return the file name of a size: ``poster-300x200.png`` of ``poster.png``.

    One that is cut anew has a ``mark``, so that no cache shows the former one.
    """
    stem, _, extension = filename.rpartition(".")
    width, height = measure
    return f"{stem}-{width}x{height}{'-' if mark else ''}{mark}.{extension}"


def _rounded(length: float) -> int:
    """Round half up, as other programs do for whom a picture has these sizes."""
    return max(1, int(length + 0.5))


# The terms under which a picture may be used, as people write them.

_CREATIVE_COMMONS = re.compile(r"CC[ -]BY((?:[ -](?:NC|SA|ND)){0,2})[ -](\d\.\d)", re.IGNORECASE)
_DEDICATED = re.compile(r"CC[ -]?0(?:[ -]1\.0)?", re.IGNORECASE)
_PUBLISHED_AT = "https://creativecommons.org"


def license_address(terms: str) -> str:
    """Return the address of a license: itself, or that of Creative Commons; else empty."""
    if re.match(r"https?://", terms):
        return terms
    if _DEDICATED.fullmatch(terms):
        return f"{_PUBLISHED_AT}/publicdomain/zero/1.0/"
    if deed := _CREATIVE_COMMONS.fullmatch(terms):
        parts = deed[1].lower().replace(" ", "-")
        return f"{_PUBLISHED_AT}/licenses/by{parts}/{deed[2]}/"
    return ""


# A file as it comes out of the store.


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One file, open for reading; nothing of ``stream`` is fetched before it is read.

    ``size`` is in bytes, ``digest`` the SHA-256 of the content in hexadecimal digits, ``stored`` a
    naive UTC time.
    """

    name: str
    mime: str
    size: int
    digest: str
    stored: datetime
    stream: BinaryIO
