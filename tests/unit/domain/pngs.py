"""PNG files made of unpacked rows."""

import zlib


def png(width, height, pixels, form=(8, 2, 0)):
    """Return a PNG file of unpacked rows; ``form`` is bits, type of color and interlacing."""
    bits, color, interlaced = form
    measures = width.to_bytes(4) + height.to_bytes(4)
    parts = {
        b"IHDR": measures + bytes((bits, color, 0, 0, interlaced)),
        b"IDAT": zlib.compress(pixels),
        b"IEND": b"",
    }
    chunks = (
        len(content).to_bytes(4) + name + content + zlib.crc32(name + content).to_bytes(4)
        for name, content in parts.items()
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
