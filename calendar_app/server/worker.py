"""A worker: the application behind Granian, on a socket of its master.

Started as ``python -m calendar_app.server SOCKET READY PARENT FACTORY``.
"""

import asyncio
import gc
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache, partial
from importlib import import_module
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, Any, NamedTuple, cast
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIApplication

import click
from flask import Flask
from granian._granian import SocketHolder
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server.embed import Server
from werkzeug.exceptions import ClientDisconnected

from calendar_app.api.http.answers.health import PROBES
from calendar_app.api.http.request.state import most_bytes
from calendar_app.errors import ConfigurationError
from calendar_app.server.log_stream import count_lost_lines
from calendar_app.server.preparation import BACKLOG
from calendar_app.settings import Settings

AsgiScope = Mapping[str, Any]
WsgiEnviron = dict[str, Any]

_LATIN = "latin-1"  # the charset in which WSGI writes bytes as text
_PLAIN = ("CONTENT_TYPE", "CONTENT_LENGTH")
_CONSTANT = {
    "SCRIPT_NAME": "",
    "wsgi.version": (1, 0),
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}


def wsgi_environ(scope: AsgiScope) -> WsgiEnviron:
    """Return the environment of a request, without its body."""
    server, port = scope["server"]
    version: str = scope["http_version"]
    environ = _CONSTANT | {
        "REQUEST_METHOD": scope["method"],
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode(_LATIN),
        "RAW_URI": scope["raw_path"].decode(_LATIN),
        "QUERY_STRING": scope["query_string"].decode(_LATIN),
        "REMOTE_ADDR": scope["client"][0],
        "SERVER_NAME": server,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{version if '.' in version else version + '.0'}",
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.errors": sys.stderr,
    }
    for name, value in scope["headers"]:
        if variable := _variable(name):
            text = value.decode(_LATIN)
            separator = "; " if variable == "HTTP_COOKIE" else ","
            earlier = environ.get(variable)
            environ[variable] = text if earlier is None else f"{earlier}{separator}{text}"
    return environ


@lru_cache(1000)
def _variable(header: bytes) -> str:
    """Return the variable of a header; none for a name that could pass for another one."""
    if b"_" in header:
        return ""
    variable = header.decode(_LATIN).upper().replace("-", "_")
    return variable if variable in _PLAIN else f"HTTP_{variable}"


# Runs a WSGI application behind an ASGI server.
#
# A thread serves a request only while the application computes: the event loop waits for the whole
# body before, and for slow readers behind. https://asgi.readthedocs.io/ and PEP 3333.

AsgiMessage = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[AsgiMessage]]
Send = Callable[[AsgiMessage], Awaitable[None]]

_IN_MEMORY = 1 << 20  # bytes of a body; a longer one is kept in a file
_PIECE = 1 << 19  # bytes; a list of 50 events is sent at once
_SILENCE = 30  # seconds without a byte of a body, after which it counts as cut off
_DRAINING = 10  # seconds in which the rest of a refused body is thrown away
# Answered beside all other requests, which may wait for a database that does not answer.
_WATCHERS = 2


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
        larger: Callable[[WsgiEnviron], int] | None = None,
    ) -> None:
        self._wsgi = wsgi
        self._limit = limit
        self._larger = larger
        self._threads = ThreadPoolExecutor(threads, "request")
        self._watchers = ThreadPoolExecutor(_WATCHERS, "health")
        self._answered = 0
        self.closing = False

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        environ = wsgi_environ(scope)
        unread = await self._read_body(environ, receive)
        loop = asyncio.get_running_loop()
        is_watched = environ["PATH_INFO"] in PROBES
        threads = self._watchers if is_watched else self._threads
        response = await loop.run_in_executor(threads, self._call, environ)
        self._answered += not is_watched
        if unread and "HTTP_EXPECT" not in environ:  # who expects an answer first has sent nothing
            await _drain(receive)
        with response.body:
            await self._send(response, send, close=self.closing or unread)

    async def answering(self) -> None:
        """Wait until a thread is free for the next request, or at least one more is answered."""
        answered = self._answered
        free = asyncio.get_running_loop().run_in_executor(self._threads, int)
        while not free.done() and self._answered == answered:
            await asyncio.wait([free], timeout=_BEAT)

    async def _read_body(self, environ: WsgiEnviron, receive: Receive) -> bool:
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

    async def _limit_of(self, environ: WsgiEnviron) -> int:
        if self._larger is None or int(environ.get("CONTENT_LENGTH") or 0) <= self._limit:
            return self._limit
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._larger, environ)

    def _call(self, environ: WsgiEnviron) -> _Response:
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


async def _receive(receive: Receive) -> AsgiMessage:
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


# Granian, on the socket of the master.

_THREADS = 32  # they wait for the database, and for their turn to make a feed
_CONNECTIONS = 800  # of a worker; a process may commonly open 1,024 files
_HEADERS_WITHIN = 15_000  # milliseconds for the headers of a request, and between two requests
_POLLS, _POLL = 100, 0.001  # seconds each
# Names of sockets that Linux completes.
_ANY_NAME: dict[int, Any] = {
    socket.AF_INET: ("127.0.0.1", 0),
    socket.AF_INET6: ("::1", 0),
    socket.AF_UNIX: "",
}
_BEAT = 1.0  # seconds between two signs of life
_LINGER = 0.5  # seconds in which open connections are used once more, and learn that they end


class _Granian(Server):  # type: ignore[misc]  # Granian has no types for it
    """Granian in this process, on a socket that other workers accept from too."""

    def __init__(self, adapter: WsgiAdapter, listener: socket.socket) -> None:
        self._listener = listener
        super().__init__(
            adapter,
            interface=Interfaces.ASGINL,
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(header_read_timeout=_HEADERS_WITHIN),
            websockets=False,
            backpressure=_CONNECTIONS,
            log_enabled=False,
        )

    def _init_shared_socket(self) -> None:
        is_unix = self._listener.family == socket.AF_UNIX
        self._shd = SocketHolder(self._listener.fileno(), is_unix, BACKLOG)


async def serve(app: Flask, listener: socket.socket, ready: int) -> None:
    """Serve until SIGTERM; write to ``ready`` when connections are accepted, and from then on."""
    limit = Settings.load().max_upload
    adapter = WsgiAdapter(app, _THREADS, limit, partial(most_bytes, app))
    server = _Granian(adapter, listener)
    ending: set[asyncio.Task[None]] = set()

    async def end() -> None:
        _stop_accepting(listener)
        adapter.closing = True
        await asyncio.sleep(_LINGER)
        server.stop()

    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, lambda: ending.add(loop.create_task(end())))
    beating: set[asyncio.Task[None]] = set()
    server.on_startup(lambda: beating.add(loop.create_task(_beat(adapter, ready))))
    await server.serve()


async def _beat(adapter: WsgiAdapter, ready: int) -> None:
    """Tell the master at once that connections are accepted, and then each second in which it can.

    Where a request holds the interpreter, or requests hold all threads, nothing is told.
    """
    os.set_blocking(ready, False)
    while True:
        with suppress(OSError):  # the master reads late, or has ended
            os.write(ready, b"1")
        await asyncio.sleep(_BEAT)
        await adapter.answering()


def _stop_accepting(listener: socket.socket) -> None:
    """Stop accepting connections, and go on with the open ones.

    Granian would close a connection that it has accepted, but not read from, as it stops. So its
    number of the shared socket becomes that of a socket to which nobody connects.
    """
    for _ in range(_POLLS):
        if not select.select([listener], [], [], 0)[0]:  # nobody waits to be accepted
            break
        time.sleep(_POLL)
    with socket.socket(listener.family) as unknown:
        unknown.bind(_ANY_NAME[listener.family])
        unknown.listen()
        unknown.setblocking(False)
        os.dup2(unknown.fileno(), listener.fileno())


def main() -> None:
    """Serve the factory's application on the socket of the given file descriptor."""
    count_lost_lines()
    number, ready = map(int, sys.argv[1:3])
    module, name = sys.argv[4].split(":")
    try:
        app = getattr(import_module(module), name)()
    except ConfigurationError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(os.EX_CONFIG)
    # What lasts as long as the worker is not looked through again: that paused it for 80 ms.
    gc.collect()
    gc.freeze()
    gc.enable()
    asyncio.run(serve(app, socket.socket(fileno=number), ready))
