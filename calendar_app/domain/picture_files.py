"""Takes out of the file of a picture everything that is not the picture.

Cameras and programs write the place, the time, names and comments into it, and some files carry
something else behind the picture. The pixels stay as they are, byte for byte, and so do the colours
that their profile says they are; a profile that is damaged says nothing. Every function raises
``ValueError`` where the file ends too early or is not built as its type demands.
"""

import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import NoReturn

from calendar_app.domain.colour_profiles import bare_profile

# Those of printing presses take some two megabytes.
_LARGEST_PROFILE = 1 << 24
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Pixels, transparency, colours and animation; texts, times and EXIF are not among them.
_PNG_CHUNKS = frozenset(
    b"IHDR PLTE IDAT IEND tRNS cHRM gAMA sBIT sRGB cICP pHYs bKGD acTL fcTL fdAT".split()
)
_WEBP_CHUNKS = frozenset((b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF"))
_WEBP_HAS_EXIF, _WEBP_HAS_XMP = 0x08, 0x04
# Extensions of GIF that are about the animation, by the name that they begin with.
_GIF_LOOPS = (b"NETSCAPE2.0", b"ANIMEXTS1.0")
_GIF_IMAGE, _GIF_EXTENSION, _GIF_TRAILER = 0x2C, 0x21, 0x3B
_GIF_GRAPHIC_CONTROL, _GIF_APPLICATION = 0xF9, 0xFF
# In JPEG the segments APP0 to APP15 and COM; these of them are about colours and density.
_JPEG_KEPT = (b"JFIF\0", b"Adobe")
# A profile may take several segments, each with its number and how many they are.
_JPEG_PROFILE, _JPEG_PROFILED, _JPEG_ROOM = 0xE2, b"ICC_PROFILE\0", 65_519
_JPEG_START, _JPEG_END, _JPEG_SCAN, _JPEG_COMMENT = 0xD8, 0xD9, 0xDA, 0xFE
_JPEG_APPLICATION = range(0xE0, 0xF0)
# The marker after a scan: not a stuffed zero byte, a restart marker or a fill byte.
_JPEG_NEXT_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")


def bare(data: bytes, mime: str) -> bytes:
    """Return the file ``data`` of this type with the picture alone."""
    return b"".join(_WALKS[mime](data))


def _png(data: bytes) -> Iterator[bytes]:
    _demand(data.startswith(_PNG_SIGNATURE))
    yield _PNG_SIGNATURE
    position, name = len(_PNG_SIGNATURE), b""
    while name != b"IEND":
        # Length, name, content and checksum.
        end = position + 12 + int.from_bytes(_part(data, position, 4))
        name = _part(data, position + 4, 4)
        chunk = _part(data, position, end - position)
        if name == b"iCCP":
            yield from _png_profile(chunk[8:-4])
        elif name in _PNG_CHUNKS:
            yield chunk
        position = end


def _png_profile(content: bytes) -> Iterator[bytes]:
    """Yield the chunk with a bare profile; a name and how it is packed stand in front of that."""
    unpacking = zlib.decompressobj()
    with suppress(zlib.error):
        packed = unpacking.decompress(content.partition(b"\0")[2][1:], _LARGEST_PROFILE)
        if unpacking.eof and (profile := _colours(packed)):
            chunk = b"iCCPicc\0\0" + zlib.compress(profile)
            yield (len(chunk) - 4).to_bytes(4) + chunk + zlib.crc32(chunk).to_bytes(4)


def _webp(data: bytes) -> Iterator[bytes]:
    _demand(data[:4] == b"RIFF" and data[8:12] == b"WEBP")
    chunks = list(_webp_chunks(data, 8 + int.from_bytes(data[4:8], "little")))
    size = 4 + sum(len(chunk) for chunk in chunks)
    yield b"RIFF" + size.to_bytes(4, "little") + b"WEBP"
    yield from chunks


def _webp_chunks(data: bytes, end: int) -> Iterator[bytes]:
    position = 12
    while position < end:
        name = _part(data, position, 4)
        length = int.from_bytes(_part(data, position + 4, 4), "little")
        # A chunk of odd length is padded, though some programs forget it behind the last one.
        chunk = _part(data, position, 8 + length) + b"\0" * (length % 2)
        if name == b"VP8X":
            flags = _part(chunk, 8, 1)[0] & ~(_WEBP_HAS_EXIF | _WEBP_HAS_XMP)
            chunk = chunk[:8] + bytes((flags,)) + chunk[9:]
        if name == b"ICCP":
            # A bare profile is of even length.
            if profile := _colours(chunk[8 : 8 + length]):
                yield name + len(profile).to_bytes(4, "little") + profile
        elif name in _WEBP_CHUNKS:
            yield chunk
        position += len(chunk)


def _gif(data: bytes) -> Iterator[bytes]:
    _demand(data[:6] in (b"GIF87a", b"GIF89a"))
    position = 13 + _gif_colours(_part(data, 10, 1)[0])
    yield _part(data, 0, position)
    while (block := _part(data, position, 1)[0]) != _GIF_TRAILER:
        _demand(block in (_GIF_IMAGE, _GIF_EXTENSION))
        start = position
        if block == _GIF_IMAGE:
            # Place, size and flags, then colours of its own, then the size of the first code.
            position += 11 + _gif_colours(_part(data, position + 9, 1)[0])
        else:
            position += 2
        position = _gif_end(data, position)
        if block == _GIF_IMAGE or _gif_kept(data[start + 1], data[start + 3 : start + 14]):
            yield data[start:position]
    yield bytes((_GIF_TRAILER,))


def _gif_colours(flags: int) -> int:
    """Return how many bytes the table of colours has that the flags announce."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _gif_end(data: bytes, position: int) -> int:
    """Return where the parts end that begin here; each says its length, the last one is empty."""
    while length := _part(data, position, 1)[0]:
        position += 1 + length
    return position + 1


def _gif_kept(label: int, name: bytes) -> bool:
    return label == _GIF_GRAPHIC_CONTROL or (label == _GIF_APPLICATION and name in _GIF_LOOPS)


def _jpeg(data: bytes) -> Iterator[bytes]:
    _demand(data[:2] == bytes((0xFF, _JPEG_START)))
    yield data[:2]
    position = 2
    profile: list[bytes] = []
    while (marker := _jpeg_marker(data, position)) != _JPEG_END:
        end = position + 2 + int.from_bytes(_part(data, position + 2, 2))
        segment = _part(data, position, end - position)
        if marker == _JPEG_SCAN:
            end = _jpeg_scan_end(data, end)
            segment = data[position:end]
        if _jpeg_profiled(marker, segment):
            profile.append(segment)
        elif marker not in _JPEG_APPLICATION:
            yield from _jpeg_profile(profile)
            profile = []
        if _jpeg_kept(marker, segment[4:]):
            yield segment
        position = _jpeg_past_fill(data, end)
    yield bytes((0xFF, _JPEG_END))


def _jpeg_profiled(marker: int, segment: bytes) -> bool:
    return marker == _JPEG_PROFILE and segment[4:].startswith(_JPEG_PROFILED)


def _jpeg_profile(segments: Sequence[bytes]) -> Iterator[bytes]:
    """Yield segments with a bare profile instead of these, each of which says which one it is."""
    if not segments:
        return
    start = 4 + len(_JPEG_PROFILED)
    ordered = sorted(segments, key=lambda segment: _part(segment, start, 2)[0])
    profile = _colours(b"".join(segment[start + 2 :] for segment in ordered))
    parts = [profile[at : at + _JPEG_ROOM] for at in range(0, len(profile), _JPEG_ROOM)]
    for number, part in enumerate(parts, 1):
        content = _JPEG_PROFILED + bytes((number, len(parts))) + part
        yield bytes((0xFF, _JPEG_PROFILE)) + (2 + len(content)).to_bytes(2) + content


def _jpeg_marker(data: bytes, position: int) -> int:
    _demand(_part(data, position, 1) == b"\xff")
    return _part(data, position + 1, 1)[0]


def _jpeg_scan_end(data: bytes, position: int) -> int:
    following = _JPEG_NEXT_MARKER.search(data, position)
    return following.start() if following else _refuse()


def _jpeg_past_fill(data: bytes, position: int) -> int:
    """Return where the next marker begins; any number of fill bytes may stand before it."""
    while data[position : position + 2] == b"\xff\xff":
        position += 1
    return position


def _jpeg_kept(marker: int, content: bytes) -> bool:
    if marker in _JPEG_APPLICATION:
        return content.startswith(_JPEG_KEPT)
    return marker != _JPEG_COMMENT


def _colours(profile: bytes) -> bytes:
    """Return a stripped profile, or nothing where it is damaged."""
    with suppress(ValueError):
        return bare_profile(profile)
    return b""


def _part(data: bytes, position: int, length: int) -> bytes:
    part = data[position : position + length]
    _demand(len(part) == length)
    return part


def _demand(condition: bool) -> None:
    if not condition:
        _refuse()


def _refuse() -> NoReturn:
    raise ValueError("The file of the picture is damaged.")


_WALKS: Mapping[str, Callable[[bytes], Iterator[bytes]]] = MappingProxyType(
    {"image/png": _png, "image/webp": _webp, "image/gif": _gif, "image/jpeg": _jpeg}
)
