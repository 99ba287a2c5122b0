"""Records all pages of a live site into a file, so that the import sees one state of it.

The site's own links to the next page lose parameters, so pages are counted instead.
"""

import gzip
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qsl, urlencode

import httpx

from calendar_app.imports.tec.pages import COLLECTIONS, PICTURES, SourceError, id_of
from calendar_app.imports.tec.pictures import picture_ids

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
_MAX_RETRY_AFTER = 60.0
_FASTEST = 1  # of gzip
_PASSES = 2  # through a list whose pages shift meanwhile
# The path of the calendar below the REST interface of WordPress.
_NAMESPACE = "/tribe/events/"
_PICTURES_PER_PAGE = 100
_TRANSIENT = (httpx.TimeoutException, httpx.NetworkError, httpx.RemoteProtocolError)

Page = dict[str, Any]
# Called for each page with the collection, 1, and the number of its pages.
Progress = Callable[[str, int, int], None]


class Site:
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
    ) -> Iterator[Page]:
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

    def _list(self, client: httpx.Client, collection: str, progress: Progress) -> Iterator[Page]:
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

    def _alt_texts(self, client: httpx.Client, pictures: Sequence[int]) -> Iterator[Page]:
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
        with suppress(*_TRANSIENT):
            response = client.get(address)
            is_busy = response.status_code == HTTPStatus.TOO_MANY_REQUESTS
            if not (is_busy or response.is_server_error):
                return response
            seconds = response.headers.get("Retry-After", "")
            time.sleep(min(float(seconds), _MAX_RETRY_AFTER) if seconds.isdecimal() else 0)
        time.sleep(delay)
    return client.get(address)


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
