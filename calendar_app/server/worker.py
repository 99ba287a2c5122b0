"""A worker: the application behind Granian, on a socket of its master.

Started as ``python -m calendar_app.server SOCKET READY PARENT FACTORY``.
"""

import asyncio
import os
import select
import signal
import socket
import sys
import time
from functools import partial
from importlib import import_module
from typing import Any

import click
from flask import Flask
from granian._granian import SocketHolder
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server.embed import Server

from calendar_app.desk.large_forms import most_bytes
from calendar_app.errors import ConfigurationError
from calendar_app.server.asgi import WsgiAdapter
from calendar_app.server.listener import BACKLOG
from calendar_app.server.metrics import count_lost_lines
from calendar_app.settings import Settings

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
    """Serve until SIGTERM; write a byte to ``ready`` when connections are accepted."""
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
    server.on_startup(lambda: loop.call_soon(os.write, ready, b"1"))
    await server.serve()


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
    asyncio.run(serve(app, socket.socket(fileno=number), ready))
