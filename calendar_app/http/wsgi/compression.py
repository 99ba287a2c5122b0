"""Compression of responses, by Accept-Encoding."""

import gzip
from functools import lru_cache

import brotli
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

# Fast levels: a page is compressed while its reader waits.
_BROTLI_QUALITY, _GZIP_LEVEL = 4, 5
_ENCODINGS = ("br", "gzip")
_MOST_HEADERS = 256


@lru_cache(_MOST_HEADERS)
def preferred_encoding(accepted: str) -> str:
    """Return ``br``, ``gzip`` or an empty string for an ``Accept-Encoding`` header."""
    encodings = parse_accept_header(accepted, Accept)
    return next((name for name in _ENCODINGS if encodings.quality(name)), "")


def compress(body: bytes, encoding: str) -> bytes:
    """Compress a body; ``encoding`` is ``br`` or ``gzip``."""
    if encoding == "br":
        compressed: bytes = brotli.compress(body, quality=_BROTLI_QUALITY)
        return compressed
    return gzip.compress(body, _GZIP_LEVEL, mtime=0)
