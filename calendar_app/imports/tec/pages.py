"""Recorded pages of a site: one JSON object a line, ``{"path": …, "body": …}``.

``path`` is the request below the base address, with its query; ``body`` the response. The file may
be compressed with gzip. It is streamed, once for each pass.
"""

import gzip
import io
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple
from urllib.parse import urlsplit

import orjson

from calendar_app.errors import CalendarError
from calendar_app.imports.tec.records import occurrence_name

# The collections of a site, in the order in which records may link to earlier ones.
COLLECTIONS = ("categories", "tags", "venues", "organizers", "events")
# The list of pictures of WordPress itself.
PICTURES = "media"
# A path in front, without JSON escapes: lines of other collections need no parsing.
_PATH = re.compile(rb'\s*\{\s*"path"\s*:\s*"([^"\\]*)"\s*,')
_BUFFER = 2**20  # bytes
_PART = 2**21  # bytes; a line with fifty events has some 200 KB
_GZIP = b"\x1f\x8b"


class SourceError(CalendarError):
    """The site or file cannot be read; the message is one line."""


class Extent:
    """The number of records in a collection, their highest id, and the total the site states."""

    def __init__(self) -> None:
        self.count = 0
        self.highest = 0
        self.total = 0
        self._ids: set[int | str] = set()
        self._without_id = 0

    def add(self, records: Sequence[Any], total: object) -> None:
        """Count the records of one page."""
        self.count += len(records)
        for record in records:
            record_id = id_of(record)
            if record_id is None:
                self._without_id += 1
            else:
                self._ids.add(record_id)
            if isinstance(record_id, int) and not occurrence_name(record):
                self.highest = max(self.highest, record_id)
        if type(total) is int:
            self.total = max(self.total, total)

    @property
    def distinct(self) -> int:
        """Return the number of records, each id once."""
        return len(self._ids) + self._without_id

    @property
    def is_short(self) -> bool:
        """Return whether the site gave fewer records than it counts."""
        return self.distinct < self.total


class _Page(NamedTuple):
    collection: str
    body: Any
    size: int

    @property
    def records(self) -> list[Any]:
        records = self.body.get(self.collection) if isinstance(self.body, dict) else None
        return records if isinstance(records, list) else []


class Pages:
    """The pages in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._extents: dict[str, Extent] = {}

    def extents(self) -> Mapping[str, Extent]:
        """Read and validate the file, once; raise ``SourceError`` on a malformed line."""
        if not self._extents:
            extents = {name: Extent() for name in COLLECTIONS}
            for page in self._pages():
                if page.collection in extents:
                    total = page.body.get("total") if isinstance(page.body, dict) else None
                    extents[page.collection].add(page.records, total)
            if not any(extent.count for extent in extents.values()):
                raise SourceError(f"There is no page of a calendar in {self._path}.")
            self._extents = extents
        return self._extents

    def records(self, collection: str) -> Iterator[Any]:
        """Yield the records of one collection."""
        for page in self._pages(collection):
            yield from page.records

    def parts(self, collection: str) -> Iterator[list[Any]]:
        """Yield the records of one collection, some pages at a time."""
        part: list[Any] = []
        size = 0
        for page in self._pages(collection):
            part += page.records
            size += page.size
            if size >= _PART:
                yield part
                part, size = [], 0
        if part:
            yield part

    def alt_texts(self) -> dict[int, str]:
        """Return the alternative texts of pictures, by their id at the site."""
        pages = (page.body for page in self._pages(PICTURES) if isinstance(page.body, list))
        pictures = (picture for page in pages for picture in page if isinstance(picture, dict))
        return {
            picture["id"]: picture["alt_text"]
            for picture in pictures
            if isinstance(picture.get("id"), int) and isinstance(picture.get("alt_text"), str)
        }

    def _pages(self, collection: str | None = None) -> Iterator[_Page]:
        """Yield the pages of one collection, or all."""
        for number, line in enumerate(self._lines(), 1):
            path = _PATH.match(line)
            if collection and path and _last_segment(path[1].decode()) != collection:
                continue
            if not line.isspace():
                page = self._parse(line, number)
                if collection in (None, page.collection):
                    yield page

    def _lines(self) -> Iterator[bytes]:
        try:
            with self._open() as lines:
                yield from lines
        except (OSError, EOFError, zlib.error) as error:
            reason = getattr(error, "strerror", None) or "it is damaged"
            raise SourceError(f"{self._path} cannot be read: {reason}.") from error

    def _parse(self, line: bytes, number: int) -> _Page:
        try:
            page = orjson.loads(line)
            return _Page(_last_segment(page["path"]), page["body"], len(line))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise SourceError(f"Line {number} of {self._path} is no recorded page.") from error

    def _open(self) -> IO[bytes]:
        with self._path.open("rb") as file:
            is_compressed = file.read(len(_GZIP)) == _GZIP
        if is_compressed:
            return io.BufferedReader(gzip.open(self._path), _BUFFER)
        return self._path.open("rb", _BUFFER)


def id_of(raw: Any) -> int | str | None:
    """Return the id of a record, if it has one."""
    record_id = raw.get("id") if isinstance(raw, dict) else None
    return record_id if type(record_id) in (int, str) else None


def _last_segment(path: str) -> str:
    return urlsplit(path).path.rstrip("/").rpartition("/")[2]
