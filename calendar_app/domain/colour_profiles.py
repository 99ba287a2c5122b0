"""Strips an ICC profile to its colour tags (ICC.1:2022, section 7).

Screens and scanners write their maker, model and serial number into it, and when and by whom they
were measured. How the colours of a picture are meant stays, byte for byte.
"""

from collections.abc import Iterable, Mapping
from itertools import chain
from struct import Struct, pack

_HEAD = 128
_ENTRY = Struct(">4sII")
# In the head: that it is a profile, its size, and what of it tells who made it, when and with what.
_SIGNATURE, _SIGNED = slice(36, 40), b"acsp"
_SIZE, _CREATED, _DEVICE, _CREATOR = slice(0, 4), slice(24, 36), slice(48, 56), slice(80, 100)
_SOME_DAY = pack(">6H", 2000, 1, 1, 0, 0, 0)
_MAJOR_VERSION = 8
# Curves, colourants, white and black, and tables from one space of colours into another.
_COLOURS = frozenset(
    b"rXYZ gXYZ bXYZ rTRC gTRC bTRC kTRC wtpt bkpt chad chrm lumi gamt cicp A2B0 A2B1 A2B2 B2A0 "
    b"B2A1 B2A2 D2B0 D2B1 D2B2 D2B3 B2D0 B2D1 B2D2 B2D3 pre0 pre1 pre2".split()
)

# Every profile has to have a name and a notice of its rights; these have nothing in them.
_WORDS_OF_4 = pack(">4sIII4sII", b"mluc", 0, 1, 12, b"enUS", 2, 28) + b"\0."
_WORDS_OF_2 = {
    b"desc": pack(">4sII", b"desc", 0, 2) + b".\0" + bytes(4 + 4 + 2 + 1 + 67),
    b"cprt": pack(">4sI", b"text", 0) + b".\0",
}


def bare_profile(profile: bytes) -> bytes:
    """Return a profile with nothing but its colours; ``ValueError`` where it is none."""
    if len(profile) < _HEAD + 4 or profile[_SIGNATURE] != _SIGNED:
        raise ValueError("The colour profile is damaged.")
    newer = profile[_MAJOR_VERSION] >= 4  # noqa: PLR2004 - the version since which words are mluc
    words = dict.fromkeys(_WORDS_OF_2, _WORDS_OF_4) if newer else _WORDS_OF_2
    body = _body(words | dict(_colours(profile)))
    head = bytearray(profile[:_HEAD])
    head[_SIZE] = pack(">I", _HEAD + len(body))
    head[_CREATED] = _SOME_DAY
    for field in (_DEVICE, _CREATOR):
        head[field] = bytes(field.stop - field.start)
    return bytes(head) + body


def _colours(profile: bytes) -> Iterable[tuple[bytes, bytes]]:
    """Yield the tags that are about colours, by their signature."""
    count = int.from_bytes(profile[_HEAD : _HEAD + 4])
    table = profile[_HEAD + 4 : _HEAD + 4 + count * _ENTRY.size]
    if len(table) != count * _ENTRY.size:
        raise ValueError("The colour profile is damaged.")
    for name, start, size in _ENTRY.iter_unpack(table):
        content = profile[start : start + size]
        if len(content) != size:
            raise ValueError("The colour profile is damaged.")
        if name in _COLOURS:
            yield name, content


def _body(tags: Mapping[bytes, bytes]) -> bytes:
    """Return the table of tags, and behind it each content once, at multiples of four bytes."""
    place = _HEAD + 4 + len(tags) * _ENTRY.size
    places: dict[bytes, int] = {}
    for content in tags.values():
        if content not in places:
            places[content] = place
            place += -(-len(content) // 4) * 4
    table = (_ENTRY.pack(name, places[content], len(content)) for name, content in tags.items())
    contents = (content.ljust(-(-len(content) // 4) * 4, b"\0") for content in places)
    return b"".join(chain([pack(">I", len(tags))], table, contents))
