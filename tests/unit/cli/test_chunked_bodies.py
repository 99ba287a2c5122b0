"""An application under gunicorn reads a body in chunks, and is told where that is none."""

import pytest
from gunicorn.http.body import Body, ChunkedReader
from gunicorn.http.unreader import IterUnreader
from werkzeug.exceptions import BadRequest

from calendar_app.cli.chunked_bodies import refusing_broken_chunks

WHOLE = b"3\r\na\nb\r\n2\r\n\nc\r\n0\r\n\r\n"
BROKEN = b"3\r\na\nb\r\nzz\r\n\nc"
READINGS = {
    "read": lambda sent: sent.read(),
    "read at most": lambda sent: sent.read(100),
    "lines": lambda sent: b"".join(sent.readlines()),
    "line by line": b"".join,
}


def read_from(wire, how):
    """Return what an application reads in one of the manners of WSGI."""
    body = Body(ChunkedReader(None, IterUnreader([wire])))
    app = refusing_broken_chunks(lambda environ, _: [READINGS[how](environ["wsgi.input"])])
    return app({"wsgi.input": body}, None)


@pytest.mark.parametrize("how", READINGS)
def test_what_is_in_the_chunks_is_read(how):
    assert read_from(WHOLE, how) == [b"a\nb\nc"]


@pytest.mark.parametrize("how", READINGS)
def test_what_is_in_no_chunk_is_a_bad_request(how):
    with pytest.raises(BadRequest):
        read_from(BROKEN, how)
