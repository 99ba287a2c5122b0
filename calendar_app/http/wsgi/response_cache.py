"""Answers that are given again as long as nothing has been written.

One question to the database tells whether anything has: at which moment would it be read? An
answer that was made from reading at that moment is the one that would be made now. So nobody gets
what is no longer right, whichever process has written.
"""

import sys
from collections.abc import Callable, Hashable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

from werkzeug.http import is_resource_modified, remove_entity_headers, unquote_etag
from werkzeug.wsgi import ClosingIterator

from calendar_app.http.request.exchange import Environ, Wsgi, of

Headers = list[tuple[str, str]]
Key = tuple[str | None, ...]

# Days begin at a full minute in every zone: within one, an answer does not change with the clock.
_SPAN = 60  # seconds
_READING = ("GET", "HEAD")
_OK = "200"
# All of a request that an answer may depend on.
_HEEDED = (
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
class _Answer:
    """An answer that is kept; one that ``is_whole`` suits also those who have another one."""

    is_whole: bool
    headers: Headers
    body: bytes
    route: str
    etag: str

    def suits(self, environ: Environ) -> bool:
        return self.is_whole or not is_resource_modified(environ, etag=self.etag)


class RememberedAnswers:
    """Gives answers of ``app`` again; at most ``room`` bytes of them are kept.

    ``moment`` tells at which moment the database would be read, ``now`` the time.
    """

    def __init__(
        self, app: Wsgi, moment: Callable[[], Hashable], now: Callable[[], datetime], room: int
    ) -> None:
        self._app = app
        self._moment = moment
        self._now = now
        self._room = room
        self._valid: Hashable = None
        self._kept: dict[Key, _Answer] = {}
        self._size = 0
        self._lock = Lock()

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        if not _may_be_remembered(environ):
            return self._app(environ, start_response)
        key = tuple(environ.get(name) for name in _HEEDED)
        known = self._kept.get(key)
        if known is not None and known.suits(environ) and self._still(known, key):
            of(environ).route = known.route
            return _again(known, environ, start_response)
        return self._made(environ, start_response, key)

    def _still(self, known: _Answer, key: Key) -> bool:
        """Say whether an answer would be the same if it was made now."""
        # What fails here fails once more where the answer is made, and is told from there.
        with suppress(Exception):
            moment = self._moment()
            with self._lock:
                return (moment, self._span()) == self._valid and self._kept.get(key) is known
        return False

    def _made(self, environ: Environ, start_response: Any, key: Key) -> Iterable[bytes]:
        """Let the answer be made, and keep it if it may be given again."""
        span, exchange = self._span(), of(environ)
        exchange.wanted_whole = True
        told: list[Any] = []

        def start(*status_and_headers: Any) -> Any:
            told[:] = status_and_headers
            return None if exchange.to_be_kept else start_response(*status_and_headers)

        body = self._app(environ, start)
        if not exchange.to_be_kept:
            return body
        with closing(ClosingIterator(body)) as parts:
            whole = b"".join(parts)
        status, headers = told[0], list(told[1])
        answer = _Answer(status.startswith(_OK), headers, whole, exchange.route, _etag(headers))
        self._keep((exchange.cluster_time, span), key, answer)
        return _again(answer, environ, start_response)

    def _keep(self, valid: Hashable, key: Key, answer: _Answer) -> None:
        with self._lock:
            if valid != self._valid or self._size > self._room:
                self._valid, self._kept, self._size = valid, {}, 0
            self._kept[key] = answer
            self._size += _size_of(key, answer)

    def _span(self) -> datetime:
        now = self._now()
        return now.replace(microsecond=0) - timedelta(seconds=now.second % _SPAN)


def _may_be_remembered(environ: Environ) -> bool:
    """Say whether a request only reads, for nobody in particular, and sends no secret."""
    return (
        environ["REQUEST_METHOD"] in _READING
        and "HTTP_AUTHORIZATION" not in environ
        # It may have to be refused.
        and "HTTP_IF_MATCH" not in environ
        and "password" not in environ.get("QUERY_STRING", "")
    )


def _size_of(key: Key, answer: _Answer) -> int:
    """Return how much memory an answer takes: a header can be larger than a body."""
    headers = (part for header in answer.headers for part in (header, *header))
    return sum(map(sys.getsizeof, (key, *key, answer.body, *headers)))


def _etag(headers: Headers) -> str:
    tags = (value for name, value in headers if name.lower() == "etag")
    return unquote_etag(next(tags, ""))[0] or ""


def _again(answer: _Answer, environ: Environ, start_response: Any) -> Iterable[bytes]:
    """Give an answer, or 304 to who has got it already."""
    headers = list(answer.headers)
    if is_resource_modified(environ, etag=answer.etag):
        start_response("200 OK", headers)
        return [answer.body]
    remove_entity_headers(headers)
    start_response("304 NOT MODIFIED", headers)
    return []
