"""Whether a PNG file has the pixel data of all its rows; decoders show missing rows as black."""

import zlib
from collections.abc import Iterator
from itertools import starmap

_SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
# Adam7: the first column and row of each pass, and the steps between them.
_PASSES = (
    (0, 0, 8, 8),
    (4, 0, 8, 8),
    (0, 4, 4, 8),
    (2, 0, 4, 4),
    (0, 2, 2, 4),
    (1, 0, 2, 2),
    (0, 1, 1, 2),
)
_WHOLE = ((0, 0, 1, 1),)
_SIGNATURE_LENGTH = 8
_PIECE = 1 << 20


def has_all_rows(data: bytes) -> bool:
    """Say whether the compressed pixels of a well-built PNG are as many as its header says."""
    header, pixels = b"", []
    for name, content in _chunks(data):
        if name == b"IHDR":
            header = content
        elif name == b"IDAT":
            pixels.append(content)
    return _inflated_length(b"".join(pixels)) >= _expected_length(header)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    position = _SIGNATURE_LENGTH
    while position < len(data):
        length = int.from_bytes(data[position : position + 4])
        start = position + 8
        yield data[position + 4 : start], data[start : start + length]
        position = start + length + 4


def _inflated_length(packed: bytes) -> int:
    """Return the unpacked length, in constant memory."""
    unpacking, length = zlib.decompressobj(), 0
    while packed and not unpacking.eof:
        length += len(unpacking.decompress(packed, _PIECE))
        packed = unpacking.unconsumed_tail
    return length + len(unpacking.flush())


def _expected_length(header: bytes) -> int:
    width, height = int.from_bytes(header[:4]), int.from_bytes(header[4:8])
    bits = header[8] * _SAMPLES[header[9]]

    def length(first_column: int, first_row: int, across: int, down: int) -> int:
        columns = -((first_column - width) // across)
        rows = -((first_row - height) // down)
        # Each row begins with the number of its filter.
        return rows * (1 + (columns * bits + 7) // 8) if columns > 0 and rows > 0 else 0

    return sum(starmap(length, _PASSES if header[12] else _WHOLE))
