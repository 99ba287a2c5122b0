"""Recorded pages of a site: one JSON object a line, ``{"path": …, "body": …}``.

``path`` is the request below the base address, with its query; ``body`` the response. The file may
be compressed with gzip. It is streamed, once for each pass.
"""

import gzip
import io
import json
import re
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx
import orjson

from calendar_app.domain.kind import Kind
from calendar_app.domain.kinds import EVENT, ORGANIZER, VENUE
from calendar_app.sources.imports.downloading import asked_delay
from calendar_app.sources.imports.tec import values
from calendar_app.sources.imports.tec.records import occurrence_name
from calendar_app.sources.imports.tec.values import Raw
from calendar_app.sources.parsed import SourceError

# Called after each part with its collection, the records in the part, and those in all.
Progress = Callable[[str, int, int], None]
# The collections of a site, in the order in which records may link to earlier ones.
COLLECTIONS = ("categories", "tags", "venues", "organizers", "events")
# The list of pictures of WordPress itself.
PICTURES = "media"
# A path in front, without JSON escapes: lines of other collections need no parsing.
_PATH = re.compile(rb'\s*\{\s*"path"\s*:\s*"([^"\\]*)"\s*,')
_BUFFER = 2**20  # bytes
_PART = 2**21  # bytes; a line with fifty events has some 200 KB
_GZIP = b"\x1f\x8b"


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
    path: str

    @property
    def records(self) -> list[Any]:
        records = self.body.get(self.collection) if isinstance(self.body, dict) else None
        return records if isinstance(records, list) else []


class RecordedPages:
    """The pages in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._extents: dict[str, Extent] = {}

    @property
    def size(self) -> int:
        """Return the size of the file on disk, in bytes."""
        return self._path.stat().st_size

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

    def bodies(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield the path and the body of each page of a collection."""
        for page in self._pages():
            if page.collection in COLLECTIONS and isinstance(page.body, dict):
                yield page.path, page.body

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
            path = page["path"]
            return _Page(_last_segment(path), page["body"], len(line), path)
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


# Records all pages of a live site into a file, so that the import sees one state of it.
#
# The site's own links to the next page lose parameters, so pages are counted instead.

# The query of each list beside the page: the longest pages, and all records.
_QUERIES: Mapping[str, Mapping[str, str | int]] = MappingProxyType(
    {
        "categories": {"per_page": 50, "hide_empty": 0},
        "tags": {"per_page": 50, "hide_empty": 0},
        "venues": {"per_page": 50},
        "organizers": {"per_page": 50},
        "events": {"per_page": 50, "start_date": "1000-01-01", "end_date": "9999-12-30"},
    }
)
_TIMEOUT = 60.0  # seconds; shared hosting is slow with fifty events
_RETRY_DELAYS = (0.5, 1.0, 2.0, 4.0)  # seconds
_FASTEST = 1  # of gzip
_PASSES = 2  # through a list whose pages shift meanwhile
# The path of the calendar below the REST interface of WordPress.
_NAMESPACE = "/tribe/events/"
_PICTURES_PER_PAGE = 100
_TRANSIENT = (httpx.TimeoutException, httpx.NetworkError, httpx.RemoteProtocolError)

SitePage = dict[str, Any]


class RemoteSite:
    """The REST interface of a site; the query of its address goes with each request."""

    def __init__(self, address: str) -> None:
        base, _, query = address.partition("?")
        self._address = base.rstrip("/")
        # Some plug-ins take the language from there.
        self._query = parse_qsl(query)

    def record(self, path: Path, progress: Progress, *, pictures: bool = False) -> None:
        """Write all pages into a file, with ``pictures`` also their alternative texts.

        Raises ``SourceError`` where the site gives no pages.
        """
        headers = {"User-Agent": "calendar-app", "Accept": "application/json"}
        with (
            httpx.Client(timeout=_TIMEOUT, follow_redirects=True, headers=headers) as client,
            gzip.open(path, "wt", compresslevel=_FASTEST, encoding="utf-8") as file,
        ):
            shown_ids: set[int] = set()
            for collection in COLLECTIONS:
                for page in self._complete(client, collection, progress):
                    file.write(json.dumps(page) + "\n")
                    shown_ids.update(picture_ids(page["body"][collection]))
            for page in self._alt_texts(client, sorted(shown_ids)) if pictures else ():
                file.write(json.dumps(page) + "\n")

    def _complete(
        self, client: httpx.Client, collection: str, progress: Progress
    ) -> Iterator[SitePage]:
        """Yield the pages of a list, each record once; read it again if records are missing."""
        ids: set[int | str | None] = set()
        for _ in range(_PASSES):
            total: object = 0
            for page in self._list(client, collection, progress):
                total = page["body"].get("total")
                records = page["body"][collection]
                fresh = [raw for raw in records if id_of(raw) not in ids]
                ids.update(map(id_of, fresh))
                ids.discard(None)
                yield {**page, "body": {**page["body"], collection: fresh}}
            if not isinstance(total, int) or len(ids) >= total:
                return

    def _list(
        self, client: httpx.Client, collection: str, progress: Progress
    ) -> Iterator[SitePage]:
        number, pages = 1, 1
        while number <= pages:
            query = [*self._query, *_QUERIES[collection].items(), ("page", number)]
            path = f"/{collection}?{urlencode(query)}"
            try:
                response = _get(client, self._address + path)
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise SourceError(f"The site gives no answer to {path}: {error}.") from error
            if response.status_code == HTTPStatus.NOT_FOUND and number > 1:
                return  # Records were deleted since the first page.
            body = _body(response, collection)
            pages = body["total_pages"]
            progress(collection, 1, max(pages, 1))
            yield {"path": path, "body": body}
            number = number + 1 if body[collection] else pages + 1

    def _alt_texts(self, client: httpx.Client, pictures: Sequence[int]) -> Iterator[SitePage]:
        """Yield the lists of pictures of WordPress, until it gives none."""
        site, is_wordpress, _ = self._address.partition(_NAMESPACE)
        for start in range(0, len(pictures) if is_wordpress else 0, _PICTURES_PER_PAGE):
            ids = ",".join(map(str, pictures[start : start + _PICTURES_PER_PAGE]))
            query = {"include": ids, "per_page": _PICTURES_PER_PAGE, "_fields": "id,alt_text"}
            path = f"/{PICTURES}?{urlencode([*self._query, *query.items()])}"
            try:
                body = _get(client, f"{site}/wp/v2{path}").json()
            except (httpx.HTTPError, ValueError):
                return
            yield {"path": path, "body": body}


def _get(client: httpx.Client, address: str) -> httpx.Response:
    """Return the response, after several attempts if the site is busy or out of reach."""
    for delay in _RETRY_DELAYS:
        pause: float | None = delay
        with suppress(*_TRANSIENT):
            response = client.get(address)
            pause = pause_after(response, delay)
            if pause is None:
                return response
        time.sleep(pause or 0)
    return client.get(address)


def pause_after(response: httpx.Response, delay: float) -> float | None:
    """Return the seconds until the next attempt, by ``delay`` and by the site's own wish.

    None where the response stands.
    """
    is_busy = response.status_code == HTTPStatus.TOO_MANY_REQUESTS
    if not (is_busy or response.is_server_error):
        return None
    return delay + (asked_delay(response.headers.get("Retry-After", "")) or 0)


def _body(response: httpx.Response, collection: str) -> Any:
    """Return the page in a response; raise ``SourceError`` where there is none."""
    answer = f"/{collection} of the site answers"
    if not response.is_success:
        raise SourceError(f"{answer} {response.status_code}.")
    try:
        body = response.json()
    except ValueError as error:
        raise SourceError(f"{answer} with something else than JSON.") from error
    if not isinstance(body, dict) or not isinstance(body.get(collection), list):
        raise SourceError(f"{answer} without a list of {collection}.")
    if type(body.get("total_pages")) is not int:
        raise SourceError(f"{answer} without a number of pages.")
    return body


def picture_ids(records: Iterable[Any]) -> Iterator[int]:
    """Yield the ids of the pictures that records show, and of those inside events."""
    for raw in records:
        for _, owner in owners(EVENT, raw):
            picture_id = owner["image"].get("id")
            if type(picture_id) is int and picture_id > 0:
                yield picture_id


def owners(kind: Kind, raw: Any) -> Iterator[tuple[Kind, Raw]]:
    """Yield the record, and the venues and organizers inside it, that have a picture."""
    if isinstance(raw, dict):
        venues = [(VENUE, member) for member in values.members(raw, "venue")]
        organizers = [(ORGANIZER, member) for member in values.members(raw, "organizer")]
        owners: list[tuple[Kind, Raw]] = [(kind, raw), *venues, *organizers]
        yield from (owner for owner in owners if isinstance(owner[1].get("image"), dict))
