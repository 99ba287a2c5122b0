"""Recorded pages of a site: one JSON object a line, ``{"path": …, "body": …}``.

``path`` is what was asked for behind the base address, with its query; ``body`` the answer. The
file may be compressed with gzip. It is read line by line, as often as somebody asks.
"""

import gzip
import io
import json
import re
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import orjson

from calendar_app.errors import CalendarError

Raw = dict[str, Any]
Names = AbstractSet[str] | None

# The collections of a site, in the order in which records may point to those before them.
COLLECTIONS = ("categories", "tags", "venues", "organizers", "events")
# What WordPress itself tells of pictures, as a list.
PICTURES = "media"
_PAGING = ("page", "per_page")
# Where the path stands first, and without anything that JSON escapes.
_PATH = re.compile(rb'\s*\{\s*"path"\s*:\s*"([^"\\]*)"\s*,')
# Bytes that are read at once; a line with fifty events has some 200 KB.
_AT_ONCE = 2**20
_PART = 2**21
_GZIP = b"\x1f\x8b"


class SourceError(CalendarError):
    """What is to be imported cannot be read; the message is one line that says why."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How many records of a collection there are, and the highest id among them.

    Of what was asked for in one way, ``distinct`` can be told apart by their ids, and the site
    counts ``total``.
    """

    count: int = 0
    highest: int = 0
    distinct: int = 0
    total: int = 0

    @property
    def is_short(self) -> bool:
        """Say whether the site gave fewer records than it counts."""
        return self.distinct < self.total


class _Asked:
    """What a site gave of what was asked for in one way."""

    def __init__(self) -> None:
        self.ids: set[int | str] = set()
        self.nameless = 0
        self.total = 0


class _Measuring:
    """Measures a collection page by page."""

    def __init__(self) -> None:
        self._count = 0
        # By what was asked for besides the page, in the order of that.
        self._asked: defaultdict[str, _Asked] = defaultdict(_Asked)

    def add(self, path: str, records: Sequence[Any], total: Any) -> None:
        self._count += len(records)
        query = [one for one in parse_qsl(urlsplit(path).query) if one[0] not in _PAGING]
        asked = self._asked[urlencode(query)]
        ids = [id_of(raw) for raw in records]
        asked.nameless += ids.count(None)
        asked.ids.update(one for one in ids if one is not None)
        if type(total) is int:
            asked.total = total

    def extent(self) -> Extent:
        """Return the extent, as of what falls shortest of its total.

        Of what was asked for later, the records are left out that came before.
        """
        ids = set[int | str]()
        told = []
        for asked in self._asked.values():
            ids |= asked.ids
            told.append((len(ids) + asked.nameless, asked.total))
        distinct, total = min(told, key=lambda one: one[0] - one[1], default=(0, 0))
        highest = max((one for one in ids if isinstance(one, int)), default=0)
        return Extent(count=self._count, highest=highest, distinct=distinct, total=total)


class Pages:
    """The pages in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._extents: dict[str, Extent] = {}
        # The number of the last line that is a page of something, once that is known.
        self._lasts: dict[str, int] = {}

    def extents(self) -> dict[str, Extent]:
        """Read everything, the first time; raise ``SourceError`` where something is no page."""
        self._extents = self._extents or self._measured()
        return self._extents

    def records(self, collection: str) -> Iterator[Any]:
        """Yield the records of one collection, as the site has told them."""
        for _, _, body in self._bodies({collection}):
            yield from _records(body, collection)

    def parts(self, collection: str) -> Iterator[list[bytes]]:
        """Yield the pages of one collection, some at a time, as ``records_on`` reads them."""
        part: list[bytes] = []
        for _, line in self._lines({collection}):
            part.append(line)
            if sum(map(len, part)) >= _PART:
                yield part
                part = []
        if part:
            yield part

    def alt_texts(self) -> dict[int, str]:
        """Return the texts of pictures that WordPress has told, by its id of the picture."""
        told = (one for _, _, body in self._bodies({PICTURES}) for one in _list(body))
        return {
            one["id"]: one["alt_text"]
            for one in told
            if isinstance(one, dict)
            and type(one.get("id")) is int
            and isinstance(one.get("alt_text"), str)
        }

    def _measured(self) -> dict[str, Extent]:
        measured = {name: _Measuring() for name in COLLECTIONS}
        lasts = {}
        for number, path, body in self._bodies(None):
            name = _name(path)
            lasts[name] = number
            if name in measured:
                total = body.get("total") if isinstance(body, dict) else None
                measured[name].add(path, _records(body, name), total)
        extents = {name: one.extent() for name, one in measured.items()}
        if not any(extent.count for extent in extents.values()):
            raise SourceError(f"There is no page of a calendar in {self._path}.")
        self._lasts = lasts
        return extents

    def _bodies(self, names: Names) -> Iterator[tuple[int, str, Any]]:
        """Yield what was answered to requests for these, or for all, each with line and path."""
        for number, line in self._lines(names):
            path, body = self._body(line, number)
            if names is None or _name(path) in names:
                yield number, path, body

    def _lines(self, names: Names) -> Iterator[tuple[int, bytes]]:
        """Yield the pages that may be of these, or all, with their numbers."""
        last = max((self._lasts.get(name, 0) for name in names or ()), default=0)
        try:
            with self._opened() as lines:
                for number, line in enumerate(lines, 1):
                    if names is not None and self._lasts and number > last:
                        return
                    if not line.isspace() and _may_be_of(line, names):
                        yield number, line
        except (OSError, EOFError, zlib.error) as error:
            reason = getattr(error, "strerror", None) or "it is damaged"
            raise SourceError(f"{self._path} cannot be read: {reason}.") from error

    def _body(self, line: bytes, number: int) -> tuple[str, Any]:
        """Return the path that was asked for, and what was answered."""
        try:
            page = _loaded(line)
            path, body = page["path"], page["body"]
            _name(path)
        except UnicodeDecodeError as error:
            raise SourceError(f"{self._path} cannot be read: it is damaged.") from error
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise SourceError(f"Line {number} of {self._path} is no recorded page.") from error
        return path, body

    def _opened(self) -> IO[bytes]:
        with self._path.open("rb") as file:
            compressed = file.read(len(_GZIP)) == _GZIP
        if compressed:
            return io.BufferedReader(gzip.open(self._path), _AT_ONCE)
        return self._path.open("rb", _AT_ONCE)


def id_of(raw: Any) -> int | str | None:
    """Return the id that a record tells, if it does."""
    one = raw.get("id") if isinstance(raw, dict) else None
    return one if type(one) in (int, str) else None


def records_on(line: bytes, collection: str) -> list[Any]:
    """Return the records of a collection on a line that is known to be a page, if it is of it."""
    page = _loaded(line)
    return _records(page["body"], collection) if _name(page["path"]) == collection else []


def _records(body: Any, collection: str) -> list[Any]:
    """Return the list on a page of a collection; other answers of a site have none."""
    return _list(body.get(collection)) if isinstance(body, dict) else []


def _loaded(line: bytes) -> Any:
    """Return what a line tells; few have what is no strict JSON, halves of characters, say."""
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        return json.loads(line.decode())


def _may_be_of(line: bytes, names: Names) -> bool:
    """Say whether a line has to be read as a whole to know that it is none of these."""
    if names is None:
        return True
    told = _PATH.match(line)
    return told is None or _name(told[1].decode()) in names


def _name(path: str) -> str:
    """Return the last part of a path, without its query."""
    return urlsplit(path).path.rstrip("/").rpartition("/")[2]


def _list(body: Any) -> list[Any]:
    return body if isinstance(body, list) else []
