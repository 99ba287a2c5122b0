"""Styles and scripts: read once, named by their content, compressed beforehand, kept for ever."""

import gzip
import mimetypes
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import brotli
from flask import Response
from xxhash import xxh3_64_hexdigest

from calendar_app.rest.answers.conditional import heed_conditions

_KEPT = "public, max-age=31536000, immutable"
_OWN = Path(__file__).parent / "static"
_WORTHWHILE = 400  # bytes
_COMPRESSIBLE = ("text/", "image/svg+xml", "application/json", "application/javascript")


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file, in each encoding that makes it smaller."""

    name: str
    mime: str
    digest: str
    encoded: Mapping[str, bytes]


class StaticFiles:
    """The files of some directories; those of a later one stand for those of an earlier one."""

    def __init__(self, directories: Iterable[Path]) -> None:
        paths = {
            path.relative_to(directory).as_posix(): path
            for directory in (_OWN, *directories)
            for path in sorted(directory.rglob("*"))
            if path.is_file()
        }
        self._files = {name: _read(name, path) for name, path in paths.items()}
        self._by_name = {file.name: file for file in self._files.values()}

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def hashed_name(self, name: str) -> str:
        """Return the name under which a file is served. Raises ``KeyError`` where there is none."""
        return self._files[name].name

    def find(self, name: str) -> StaticFile | None:
        """Return a file by the name under which it is served, or by its own."""
        return self._by_name.get(name) or self._files.get(name)


def serve(file: StaticFile, accepted: Iterable[str], *, kept: str = _KEPT) -> Response:
    """Answer a file in the smallest encoding that is accepted."""
    fitting = [name for name in file.encoded if not name or name in accepted]
    encoding = min(fitting, key=lambda name: len(file.encoded[name]))
    response = Response(file.encoded[encoding], mimetype=file.mime)
    response.headers["Cache-Control"] = kept
    response.headers["Vary"] = "Accept-Encoding"
    response.headers["X-Content-Type-Options"] = "nosniff"
    if encoding:
        response.headers["Content-Encoding"] = encoding
    response.set_etag(f"{file.digest}{encoding}")
    heed_conditions(response)
    return response


def _read(name: str, path: Path) -> StaticFile:
    content = path.read_bytes()
    digest = xxh3_64_hexdigest(content)[:12]
    stem, dot, suffix = name.rpartition(".")
    mime = mimetypes.guess_type(name)[0] or "application/octet-stream"
    encoded = {"": content}
    if len(content) > _WORTHWHILE and mime.startswith(_COMPRESSIBLE):
        encoded |= {"br": brotli.compress(content), "gzip": gzip.compress(content, 9, mtime=0)}
    return StaticFile(f"{stem}.{digest}{dot}{suffix}", mime, digest, encoded)
