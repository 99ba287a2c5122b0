"""A response cache that is valid until the next write.

The present edition of the calendar tells whether any process has written since. A cached response
is sent only if it is of that edition, so that it is never stale.
"""

from collections.abc import Callable, Hashable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

from werkzeug.http import (
    is_resource_modified,
    remove_entity_headers,
    unquote_etag,
)
from werkzeug.wsgi import ClosingIterator

from calendar_app.api.http.answers.answering import preferred_encoding
from calendar_app.api.http.request.state import Environ, Wsgi, exchange_of
from calendar_app.storage.cache_memory import CacheMemory, trimmed

Headers = list[tuple[str, str]]
CacheKey = tuple[str | None, ...]

# Days begin at a full minute in every zone, so that a response is constant within one.
_MINUTE = 60  # seconds
_READING = ("GET", "HEAD")
_OK = "200"
# The parts of a request that a response may depend on.
_KEY_FIELDS = (
    "REQUEST_METHOD",
    "wsgi.url_scheme",
    "HTTP_HOST",
    "SCRIPT_NAME",
    "PATH_INFO",
    "QUERY_STRING",
    "HTTP_ACCEPT",
    "HTTP_ACCEPT_LANGUAGE",
    "HTTP_ORIGIN",
)


@dataclass(frozen=True, slots=True)
class _CachedResponse:
    """A cached response; unless it ``is_whole``, it does not suit conditional requests."""

    is_whole: bool
    headers: Headers
    body: bytes
    route: str
    etag: str
    last_modified: str | None

    def suits(self, environ: Environ) -> bool:
        return self.is_whole or not self.is_modified(environ)

    def is_modified(self, environ: Environ) -> bool:
        """Return whether a client may have another one."""
        return is_resource_modified(environ, etag=self.etag, last_modified=self.last_modified)


class ResponseCache:
    """Caches responses of ``app``, in the ``memory`` of all caches.

    ``edition`` returns that of a read now, ``now`` the time.
    """

    def __init__(
        self,
        app: Wsgi,
        edition: Callable[[], Hashable],
        now: Callable[[], datetime],
        memory: CacheMemory,
    ) -> None:
        self._app = app
        self._edition = edition
        self._now = now
        self._valid: Hashable = None
        self._responses = memory.cache("answers")
        self._lock = Lock()

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        if not _is_cacheable(environ):
            return self._app(environ, start_response)
        encoding = preferred_encoding(environ.get("HTTP_ACCEPT_ENCODING", ""))
        key = (*(environ.get(name) for name in _KEY_FIELDS), encoding)
        cached: _CachedResponse | None = self._responses.get(key)
        if cached is not None and cached.suits(environ) and self._is_valid(cached, key):
            exchange_of(environ).route = cached.route
            return _respond(cached, environ, start_response)
        return self._fill(environ, start_response, key)

    def _is_valid(self, cached: _CachedResponse, key: CacheKey) -> bool:
        """Return whether a cached response is still up to date."""
        # An error here recurs in the application, which reports it.
        with suppress(Exception):
            edition = self._edition()
            with self._lock:
                valid = (edition, self._current_minute())
                return valid == self._valid and self._responses.get(key) is cached
        return False

    def _fill(self, environ: Environ, start_response: Any, key: CacheKey) -> Iterable[bytes]:
        """Run the application, and store a cacheable response."""
        minute, exchange = self._current_minute(), exchange_of(environ)
        exchange.has_cache = True
        started: list[Any] = []

        def start(*status_and_headers: Any) -> Any:
            started[:] = status_and_headers
            return None if exchange.is_cached else start_response(*status_and_headers)

        chunks = self._app(environ, start)
        if not exchange.is_cached:
            return chunks
        with closing(ClosingIterator(chunks)) as parts:
            body = trimmed(b"".join(parts))
        status, headers = started[0], list(started[1])
        response = _CachedResponse(
            status.startswith(_OK),
            headers,
            body,
            exchange.route,
            unquote_etag(_header(headers, "etag") or "")[0] or "",
            _header(headers, "last-modified"),
        )
        self._store((exchange.edition, minute), key, response)
        return _respond(response, environ, start_response)

    def _store(self, valid: Hashable, key: CacheKey, response: _CachedResponse) -> None:
        with self._lock:
            if valid != self._valid:
                self._valid = valid
                self._responses.clear()
            self._responses.keep(key, response)

    def _current_minute(self) -> datetime:
        now = self._now()
        return now.replace(microsecond=0) - timedelta(seconds=now.second % _MINUTE)


def _is_cacheable(environ: Environ) -> bool:
    """Return whether a request is an anonymous read without secrets."""
    return (
        environ["REQUEST_METHOD"] in _READING
        and "HTTP_AUTHORIZATION" not in environ
        # The precondition may fail.
        and "HTTP_IF_MATCH" not in environ
        and "password" not in environ.get("QUERY_STRING", "")
    )


def _header(headers: Headers, name: str) -> str | None:
    return next((value for each, value in headers if each.lower() == name), None)


def _respond(response: _CachedResponse, environ: Environ, start_response: Any) -> Iterable[bytes]:
    """Send a cached response, or 304 if the client has it."""
    headers = list(response.headers)
    if response.is_whole and response.is_modified(environ):
        start_response("200 OK", headers)
        return [response.body]
    remove_entity_headers(headers)
    start_response("304 NOT MODIFIED", headers)
    return []
