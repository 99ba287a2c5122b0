"""Refuses, in the name of HTTP, a body that is not in the chunks that it claims.

gunicorn finds that out while the application reads, and raises errors of its own.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from gunicorn.http.body import Body, ChunkedReader
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import BadRequest

from calendar_app.rest.request.exchange import Environ, Wsgi


class _Chunks:
    """A body in chunks, as WSGI reads one."""

    def __init__(self, body: Body) -> None:
        self._body = body

    def read(self, size: int = -1) -> bytes:
        with _refusing():
            return bytes(self._body.read(size))

    def readline(self, size: int = -1) -> bytes:
        with _refusing():
            return bytes(self._body.readline(size))

    def readlines(self, hint: int = -1) -> list[bytes]:
        with _refusing():
            return list(self._body.readlines(hint))

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.readline, b"")


def refusing_broken_chunks(app: Wsgi) -> Wsgi:
    """Return ``app``, to which reading such a body raises ``BadRequest``."""

    def refusing(environ: Environ, start_response: Any) -> Iterable[bytes]:
        body = environ["wsgi.input"]
        if isinstance(body.reader, ChunkedReader):
            environ["wsgi.input"] = _Chunks(body)
        return app(environ, start_response)

    return refusing


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except ParseException as error:
        raise BadRequest from error
