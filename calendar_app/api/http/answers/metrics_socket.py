"""The socket of ``metrics_bind``, on which each worker answers ``/metrics`` for Prometheus."""

import os
import socket
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.wrappers import Request, Response

from calendar_app.api.http.answers.health import METRICS, Scrape
from calendar_app.errors import ConfigurationError

_UNIX = "unix:"
_BACKLOG = 16
_SILENCE = 10  # seconds


class _Handler(WSGIRequestHandler):
    """Answers requests without a line of the log, and leaves silent clients."""

    timeout = _SILENCE

    def log(self, *_: Any) -> None:
        """Write nothing: the log of requests is that of the public port."""


def serve_metrics(bind: str, scrape: Scrape) -> None:
    """Answer ``scrape`` at ``/metrics`` of ``HOST:PORT`` or ``unix:PATH``, in a thread.

    All workers listen there, and any of them answers for all. So a reload moves the socket, and
    a worker that dies leaves it to the others. Raises ``ConfigurationError`` if it cannot listen.
    """

    @Request.application
    def answer(request: Request) -> Response:
        is_scrape = request.environ["RAW_URI"].partition("?")[0] == METRICS
        return scrape() if is_scrape else Response(status=404)

    try:
        listener = _open(bind)
    except OSError as error:
        reason = error.strerror or error
        raise ConfigurationError(
            f"The service cannot listen on metrics_bind, {bind}: {reason}."
        ) from error
    host = f"unix://{listener.getsockname()}" if bind.startswith(_UNIX) else _split(bind)[0]
    with listener:
        server = make_server(
            host, 0, answer, threaded=True, request_handler=_Handler, fd=listener.fileno()
        )
    Thread(target=server.serve_forever, name="metrics", daemon=True).start()


def _open(bind: str) -> socket.socket:
    if bind.startswith(_UNIX):
        return _open_unix(Path(bind.removeprefix(_UNIX)))
    host, port = _split(bind)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=_BACKLOG, reuse_port=True)


def _open_unix(path: Path) -> socket.socket:
    """Listen on a path; the latest worker takes it over without a gap."""
    listener, own = socket.socket(socket.AF_UNIX), path.with_name(f"{path.name}.{os.getpid()}")
    try:
        own.unlink(missing_ok=True)
        listener.bind(str(own))
        listener.listen(_BACKLOG)
        own.rename(path)
    except OSError:
        listener.close()
        with suppress(OSError):
            own.unlink()
        raise
    return listener


def _split(bind: str) -> tuple[str, int]:
    host, _, port = bind.rpartition(":")
    return host.strip("[]"), int(port)
