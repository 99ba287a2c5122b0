"""Styles and scripts: read once, named by their content, compressed once, kept for ever."""

import gzip
import mimetypes
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

import brotli
from flask import Response
from werkzeug.datastructures import Accept
from xxhash import xxh3_64_hexdigest

from calendar_app.api.http.answers.answering import make_conditional

_FOR_EVER = "public, max-age=31536000, immutable"
_LOOKED_UP_AGAIN = "public, max-age=3600"
# A hashed name of another version, in a page that a worker of that version has sent.
_NEVER = "no-store"
_HASHED = re.compile(r"(.*)\.[0-9a-f]{12}(\.[^./]+)?", re.DOTALL)
_URL = re.compile(rb"""url\(["']?([\w./-]+)["']?\)""")
_NOT_SERVED = {".map", ".md", ".txt"}
_WORTHWHILE = 400  # bytes
_COMPRESSIBLE = ("text/", "image/svg+xml", "application/json", "application/javascript")


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file, by the name under which it is served."""

    name: str
    mime: str
    digest: str
    content: bytes

    @property
    def encoded(self) -> Mapping[str, bytes]:
        """The file by encoding, compressed with the first request for it."""
        is_compressible = self.mime.startswith(_COMPRESSIBLE)
        is_worthwhile = len(self.content) > _WORTHWHILE and is_compressible
        return _compressed(self.content) if is_worthwhile else {"": self.content}


class StaticFiles:
    """The static files of some directories; later directories override earlier ones.

    ``below`` are directories whose files stand below a name.
    """

    def __init__(
        self, directories: Iterable[Path], below: Mapping[str, Path] | None = None
    ) -> None:
        folders = [*(below or {}).items(), *(("", each) for each in directories)]
        paths = {
            (PurePosixPath(prefix) / path.relative_to(directory).as_posix()).as_posix(): path
            for prefix, directory in folders
            for path in sorted(directory.rglob("*"))
            if path.is_file() and path.suffix not in _NOT_SERVED
        }
        # Styles name other files, which therefore come first.
        self._files: dict[str, StaticFile] = {}
        for name in sorted(paths, key=lambda name: name.endswith(".css")):
            self._files[name] = _read(name, self._with_hashed_names(name, paths[name]))
        self._by_name = {file.name: file for file in self._files.values()}

    def __contains__(self, name: object) -> bool:
        return name in self._files

    @property
    def hashed_names(self) -> Mapping[str, str]:
        """The name under which each file is served."""
        return {name: file.name for name, file in self._files.items()}

    def _with_hashed_names(self, name: str, path: Path) -> bytes:
        """Return a file, with ``url(name)`` in styles replaced by hashed names."""
        content = path.read_bytes()
        if not name.endswith(".css"):
            return content
        folder = PurePosixPath(name).parent

        def hashed(match: re.Match[bytes]) -> bytes:
            file = self._files.get((folder / match[1].decode()).as_posix())
            served = PurePosixPath(file.name).relative_to(folder).as_posix() if file else ""
            return f'url("{served}")'.encode() if file else match[0]

        return _URL.sub(hashed, content)

    def serve(self, name: str, accepted: Accept) -> Response | None:
        """Answer a file, by the name under which it is served or its own; ``None`` without one.

        It is sent in the smallest encoding that is accepted, under its hashed name for ever. Under
        a hashed name of another version the present file is sent, and kept nowhere.
        """
        file, lifetime = self._find(name)
        if file is None:
            return None
        encoded = file.encoded
        fitting = [name for name in encoded if not name or name in accepted.values()]
        encoding = min(fitting, key=lambda name: len(encoded[name]))
        response = Response(encoded[encoding], mimetype=file.mime)
        response.headers["Cache-Control"] = lifetime
        response.headers["Vary"] = "Accept-Encoding"
        response.headers["X-Content-Type-Options"] = "nosniff"
        if encoding:
            response.headers["Content-Encoding"] = encoding
        response.set_etag(f"{file.digest}{encoding}")
        make_conditional(response)
        return response

    def _find(self, name: str) -> tuple[StaticFile | None, str]:
        """Return the file of a name, and how long its response may be kept."""
        if file := self._by_name.get(name):
            return file, _FOR_EVER
        if file := self._files.get(name):
            return file, _LOOKED_UP_AGAIN
        match = _HASHED.fullmatch(name)
        return self._files.get(f"{match[1]}{match[2] or ''}") if match else None, _NEVER


def _read(name: str, content: bytes) -> StaticFile:
    digest = xxh3_64_hexdigest(content)[:12]
    stem, dot, suffix = name.rpartition(".")
    mime = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return StaticFile(f"{stem}.{digest}{dot}{suffix}", mime, digest, content)


@cache
def _compressed(content: bytes) -> Mapping[str, bytes]:
    """Return a file by its encodings; the pages and the desk have many in common."""
    smaller = {"br": brotli.compress(content), "gzip": gzip.compress(content, 9, mtime=0)}
    return {"": content} | smaller
