"""A live site: all its pages are recorded first, so that the import sees it at one time.

The site's own links to the next page lose parameters, so the pages are counted instead.
"""

import gzip
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qsl, urlencode

import httpx

from calendar_app.imports.tec.pages import COLLECTIONS, PICTURES, SourceError, id_of
from calendar_app.imports.tec.told_pictures import picture_ids

Query = Mapping[str, Any]

# What each list is asked for, besides the page: as much as a site gives, nothing left out. The
# window of events is so far from the ends of what databases tell that no zone leads beyond. What
# lies outside is asked for without a window, in ways that old sites do not know.
_FIRST, _LAST = "1000-01-01", "9000-01-01"
_BEYOND: Sequence[Query] = (
    {"per_page": 50, "ends_after": _LAST},
    {"per_page": 50, "starts_before": _FIRST},
)
# So some sites answer where nothing lies outside.
_NOTHING = (HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND)
_QUERIES: Mapping[str, Sequence[Query]] = MappingProxyType(
    {
        "categories": [{"per_page": 50, "hide_empty": 0}],
        "tags": [{"per_page": 50, "hide_empty": 0}],
        "venues": [{"per_page": 50}],
        "organizers": [{"per_page": 50}],
        "events": [{"per_page": 50, "start_date": _FIRST, "end_date": _LAST}, *_BEYOND],
    }
)
_TIMEOUT = 60.0  # seconds; shared hosting thinks long about fifty events
_WAITS = (0.5, 1.0, 2.0, 4.0)  # seconds between two attempts
_LONGEST_WAIT = 60.0
_FASTEST = 1  # of gzip
_WALKS = 2  # through a collection, if need be

# Where a calendar stands below the REST interface of WordPress, and what that is asked of pictures.
_CALENDAR, _TOLD, _MOST = "/tribe/events/", "id,alt_text", 100

# Errors that a site may get over.
_PASSING = (httpx.TimeoutException, httpx.NetworkError, httpx.RemoteProtocolError)

# Told of each page: the collection, how many pages it has.
Watch = Callable[[str, int], None]


class Site:
    """The REST interface of a site, at its base address; a query there goes with each request."""

    def __init__(self, address: str) -> None:
        base, _, query = address.partition("?")
        self._address = base.rstrip("/")
        # Some plug-ins take the language from there.
        self._query = parse_qsl(query)

    def record(self, path: Path, watch: Watch, *, pictures: bool = False) -> None:
        """Write all pages into a file; raise ``SourceError`` where the site does not give one.

        With ``pictures`` also what WordPress tells of those, where it tells anything.
        """
        headers = {"User-Agent": "calendar-app", "Accept": "application/json"}
        with (
            httpx.Client(timeout=_TIMEOUT, follow_redirects=True, headers=headers) as client,
            gzip.open(path, "wt", compresslevel=_FASTEST, encoding="utf-8") as file,
        ):
            shown: set[int] = set()
            for collection in COLLECTIONS:
                for page in self._walk(client, collection, watch):
                    file.write(json.dumps(page) + "\n")
                    shown.update(picture_ids(page["body"][collection]))
            for page in self._told_of(client, sorted(shown), watch) if pictures else ():
                file.write(json.dumps(page) + "\n")

    def _walk(
        self, client: httpx.Client, collection: str, watch: Watch
    ) -> Iterator[dict[str, Any]]:
        """Yield the pages of one collection as they are recorded, each record once."""
        seen: set[int | str | None] = set()
        for query in _QUERIES[collection]:
            walk = partial(self._walk_once, client, collection, query, watch)
            for page in _complete(walk, collection):
                told = page["body"][collection]
                fresh = [raw for raw in told if id_of(raw) not in seen]
                yield {**page, "body": {**page["body"], collection: fresh}}
                seen.update(map(id_of, fresh))
                seen.discard(None)

    def _walk_once(
        self, client: httpx.Client, collection: str, query: Query, watch: Watch
    ) -> Iterator[dict[str, Any]]:
        page, pages = 1, 1
        while page <= pages:
            asked = f"/{collection}?{self._query_of(query, page)}"
            answer = self._asked(client, asked)
            if answer.status_code == HTTPStatus.NOT_FOUND and page > 1:
                return  # Records have gone since the first page.
            if answer.status_code in _NOTHING and query in _BEYOND:
                return
            body = _body(answer, collection)
            pages = body["total_pages"]
            watch(collection, max(pages, 1))
            yield {"path": asked, "body": body}
            page = page + 1 if body[collection] else pages + 1

    def _told_of(
        self, client: httpx.Client, pictures: Sequence[int], watch: Watch
    ) -> Iterator[dict[str, Any]]:
        """Yield what WordPress tells of pictures; nothing once it gives no list."""
        site, found, _ = self._address.partition(_CALENDAR)
        parts = [pictures[start : start + _MOST] for start in range(0, len(pictures), _MOST)]
        for part in parts if found else ():
            asked = {"include": ",".join(map(str, part)), "per_page": _MOST, "_fields": _TOLD}
            path = f"/{PICTURES}?{urlencode([*self._query, *asked.items()])}"
            try:
                body = self._get(client, f"{site}/wp/v2{path}").json()
            except (httpx.HTTPError, ValueError):
                return
            if not isinstance(body, list):
                return
            watch(PICTURES, len(parts))
            yield {"path": path, "body": body}

    def _query_of(self, query: Query, page: int) -> str:
        return urlencode([*self._query, *query.items(), ("page", page)])

    def _asked(self, client: httpx.Client, asked: str) -> httpx.Response:
        try:
            return self._get(client, self._address + asked)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise SourceError(f"The site gives no answer to {asked}: {error}.") from error

    def _get(self, client: httpx.Client, address: str) -> httpx.Response:
        """Ask until there is an answer that will not be another one a little later."""
        for wait in _WAITS:
            with suppress(*_PASSING):
                answer = client.get(address)
                if not _is_passing(answer):
                    return answer
                time.sleep(_asked_to_wait(answer))
            time.sleep(wait)
        return client.get(address)


def _complete(
    walk: Callable[[], Iterator[dict[str, Any]]], collection: str
) -> Iterator[dict[str, Any]]:
    """Yield the pages of a walk, and of another one where fewer came than the site counts.

    Records come and go meanwhile, so that pages shift.
    """
    told: set[int | str | None] = set()
    for _ in range(_WALKS):
        total = 0
        for page in walk():
            told.update(map(id_of, page["body"][collection]))
            total = page["body"].get("total")
            yield page
        if type(total) is not int or len(told) >= total:
            return


def _is_passing(answer: httpx.Response) -> bool:
    return answer.is_server_error or answer.status_code == HTTPStatus.TOO_MANY_REQUESTS


def _asked_to_wait(answer: httpx.Response) -> float:
    seconds = answer.headers.get("Retry-After", "")
    return min(float(seconds), _LONGEST_WAIT) if seconds.isdecimal() else 0.0


def _body(answer: httpx.Response, collection: str) -> Any:
    """Return the page in an answer."""
    told = f"/{collection} of the site answers"
    if not answer.is_success:
        raise SourceError(f"{told} {answer.status_code}.")
    try:
        body = answer.json()
    except ValueError as error:
        raise SourceError(f"{told} with something else than JSON.") from error
    if not isinstance(body, dict) or not isinstance(body.get(collection), list):
        raise SourceError(f"{told} without a list of {collection}.")
    if type(body.get("total_pages")) is not int:
        raise SourceError(f"{told} without a number of pages.")
    return body
