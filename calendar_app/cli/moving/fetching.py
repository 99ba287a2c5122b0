"""Asks a site for one address after another: politely, and never for more than is bearable."""

import time
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urljoin, urlsplit

import httpx

from calendar_app.errors import CalendarError
from calendar_app.sources.imports.tec.pages import pause_after

_TIMEOUT = 30.0  # seconds
_MOST_BYTES = 20 << 20
_MOST_REDIRECTS = 8
_TRIES = 3
_LONGEST_PAUSE = 60.0  # seconds
_HEADERS = {"User-Agent": "calendar-app check-move", "Accept": "text/html,*/*;q=0.8"}


class SiteAway(CalendarError):
    """A site gives no answer; the message says which."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a site answers in the end: ``place`` is where redirects led, another site's whole."""

    status: int
    media_type: str
    content: bytes
    place: str

    @property
    def is_there(self) -> bool:
        return self.status < HTTPStatus.BAD_REQUEST


def origin_of(address: str) -> str:
    """Return the site of an address: ``https://agenda.example``; empty for a path."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def path_of(address: str) -> str:
    """Return path and query of an address."""
    parts = urlsplit(address)
    return f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"


class Site:
    """A site at ``origin``; links to one of its ``other_names`` are its own as well."""

    def __init__(self, origin: str, other_names: frozenset[str], pause: float) -> None:
        self.origin = origin
        self._names = other_names | {origin, ""}
        self._pause = pause
        self._client = httpx.Client(timeout=_TIMEOUT, headers=_HEADERS, trust_env=False)

    def close(self) -> None:
        self._client.close()

    def get(self, path: str) -> Answer:
        """Return the answer at a path, behind its redirects; raise ``SiteAway`` without any."""
        for _ in range(_MOST_REDIRECTS):
            answer, location = self._get(path)
            if not location:
                return answer
            target = urljoin(f"{self.origin}{path}", location)
            if origin_of(target) not in self._names:
                return Answer(answer.status, "", b"", target)
            path = path_of(target)
        return Answer(HTTPStatus.LOOP_DETECTED, "", b"", path)

    def _get(self, path: str) -> tuple[Answer, str]:
        """Return the answer, and where it leads if it is a redirect."""
        address = f"{self.origin}{path}"
        for attempt in range(1, _TRIES + 1):
            time.sleep(self._pause)
            try:
                with self._client.stream("GET", address) as response:
                    content = _read(response)
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise SiteAway(f"{address} gives no answer: {error}.") from error
            wait = pause_after(response, float(attempt))
            if wait is None or attempt == _TRIES:
                break
            time.sleep(min(wait, _LONGEST_PAUSE))
        media_type = response.headers.get("Content-Type", "").partition(";")[0].strip()
        answer = Answer(response.status_code, media_type, content, path)
        return answer, response.headers.get("Location", "") if response.is_redirect else ""


def _read(response: httpx.Response) -> bytes:
    """Return the body, but no more of it than is bearable."""
    content = b""
    for part in response.iter_bytes():
        content += part
        if len(content) > _MOST_BYTES:
            break
    return content
