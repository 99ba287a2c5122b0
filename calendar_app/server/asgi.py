"""Runs a WSGI application behind an ASGI server.

A thread serves a request only while the application computes: the event loop waits for the whole
body before, and for slow readers behind. https://asgi.readthedocs.io/ and PEP 3333.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, Any, NamedTuple, cast
from wsgiref.types import WSGIApplication

from werkzeug.exceptions import ClientDisconnected

from calendar_app.server.environ import Environ, Scope, wsgi_environ

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_IN_MEMORY = 1 << 20  # bytes of a body; a longer one is kept in a file
_PIECE = 1 << 19  # bytes; a list of 50 events is sent at once
_SILENCE = 30  # seconds without a byte of a body, after which it counts as cut off
_DRAINING = 10  # seconds in which the rest of a refused body is thrown away
# Answered beside all other requests, which may wait for a database that does not answer.
_WATCHED, _WATCHERS = frozenset({"/livez", "/readyz", "/metrics"}), 2


class _CutOff:
    """The input of a request with an incomplete body."""

    def read(self, _size: int = -1) -> bytes:
        raise ClientDisconnected

    readline = readlines = __iter__ = read


class _Response(NamedTuple):
    status: int
    headers: list[tuple[bytes, bytes]]
    body: IO[bytes]


class WsgiAdapter:
    """An ASGI application that calls ``wsgi`` in one of ``threads``.

    A body of more than ``limit`` bytes is not read: the application refuses it by its length.
    Where a request announces more, ``larger`` says whether it may have more, and how much.
    Once this is ``closing``, a connection ends with its next response.
    """

    def __init__(
        self,
        wsgi: WSGIApplication,
        threads: int,
        limit: int,
        larger: Callable[[Environ], int] | None = None,
    ) -> None:
        self._wsgi = wsgi
        self._limit = limit
        self._larger = larger
        self._threads = ThreadPoolExecutor(threads, "request")
        self._watchers = ThreadPoolExecutor(_WATCHERS, "health")
        self.closing = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        environ = wsgi_environ(scope)
        unread = await self._read_body(environ, receive)
        loop = asyncio.get_running_loop()
        is_watched = environ["PATH_INFO"].rstrip("/") in _WATCHED
        threads = self._watchers if is_watched else self._threads
        response = await loop.run_in_executor(threads, self._call, environ)
        if unread and "HTTP_EXPECT" not in environ:  # who expects an answer first has sent nothing
            await _drain(receive)
        with response.body:
            await self._send(response, send, close=self.closing or unread)

    async def _read_body(self, environ: Environ, receive: Receive) -> bool:
        """Read the body into ``wsgi.input``, and say whether some of it is left."""
        length, chunked = environ.get("CONTENT_LENGTH"), "HTTP_TRANSFER_ENCODING" in environ
        if not chunked and length in (None, "0"):
            environ["wsgi.input"] = BytesIO()
            return False
        environ["wsgi.input"] = body = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - see _call
        more, limit = True, await self._limit_of(environ)
        while more and max(int(length or 0), body.tell()) <= limit:
            message = await _receive(receive)
            if message["type"] == "http.disconnect":
                environ["wsgi.input"] = _CutOff()
                return False
            body.write(message.get("body", b""))
            more = message.get("more_body", False)
        if chunked:
            del environ["HTTP_TRANSFER_ENCODING"]
            environ["CONTENT_LENGTH"] = str(body.tell())
        body.seek(0)
        return more

    async def _limit_of(self, environ: Environ) -> int:
        if self._larger is None or int(environ.get("CONTENT_LENGTH") or 0) <= self._limit:
            return self._limit
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._larger, environ)

    def _call(self, environ: Environ) -> _Response:
        """Call the application in this thread, and collect its response."""
        start: list[Any] = []

        def start_response(*status_and_headers: Any) -> Callable[[bytes], object]:
            start[:] = status_and_headers
            return collected.write

        collected = cast("IO[bytes]", SpooledTemporaryFile(_IN_MEMORY))  # noqa: SIM115 - sent later
        parts = self._wsgi(environ, start_response)
        try:
            collected.writelines(parts)
        finally:
            _close(parts)
            _close(environ["wsgi.input"])
        status, headers = start[:2]
        collected.seek(0)
        return _Response(
            int(status[:3]),
            [(name.lower().encode(), value.encode("latin-1")) for name, value in headers],
            collected,
        )

    async def _send(self, response: _Response, send: Send, *, close: bool) -> None:
        headers = response.headers
        if close:
            headers.append((b"connection", b"close"))
        await send({"type": "http.response.start", "status": response.status, "headers": headers})
        for piece, more in _pieces(response.body):
            await send({"type": "http.response.body", "body": piece, "more_body": more})


async def _receive(receive: Receive) -> Message:
    try:
        async with asyncio.timeout(_SILENCE):
            return await receive()
    except TimeoutError:
        return {"type": "http.disconnect"}


async def _drain(receive: Receive) -> None:
    """Throw the rest of a body away, so that its sender gets to read the response."""
    try:
        async with asyncio.timeout(_DRAINING):
            while (await receive()).get("more_body"):
                pass
    except TimeoutError:
        pass


def _pieces(body: IO[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yield a body in pieces, each with whether more will follow."""
    piece = body.read(_PIECE)
    while following := body.read(_PIECE):
        yield piece, True
        piece = following
    yield piece, False


def _close(resource: Iterable[bytes]) -> None:
    close = getattr(resource, "close", None)
    if close is not None:
        close()
