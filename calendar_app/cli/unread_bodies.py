"""Tells a client that its connection closes, where the rest of what it sends is not awaited.

Behind an answer, gunicorn throws away a little of a body that nobody has read; where there is
more, it closes the connection, having said that it stays open (RFC 9112 section 9.6).
"""

from collections.abc import Iterable
from typing import Any

from gunicorn.http.body import Body, ChunkedReader, LengthReader

from calendar_app.rest.request.exchange import Environ, Wsgi

# As much as gunicorn throws away.
_THROWN_AWAY = 64 * 1024


def announcing_the_end(app: Wsgi) -> Wsgi:
    """Return ``app``, whose answers say ``Connection: close`` where it will be closed."""

    def announcing(environ: Environ, start_response: Any) -> Iterable[bytes]:
        body = environ["wsgi.input"]
        answer = app(environ, start_response)
        if _is_too_much_left(body):
            # The header would be ignored: gunicorn has its own.
            start_response.__self__.force_close()
        return answer

    return announcing


def _is_too_much_left(body: Body) -> bool:
    if isinstance(body.reader, LengthReader):
        left: int = body.reader.length + body.buf.tell()
        return left >= _THROWN_AWAY
    # Chunks do not say how many will follow.
    return isinstance(body.reader, ChunkedReader) and body.reader.parser is not None
