"""A connection on which something is left unread goes on, or its end is announced."""

import socket
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection
from itertools import repeat

import pytest

PATIENCE = 20  # seconds
# It reads as much of a body as the path says.
APP = """
def app(environ, start_response):
    environ["wsgi.input"].read(int(environ["PATH_INFO"].strip("/")))
    start_response("404 NOT FOUND", [("Content-Length", "2")])
    return [b"no"]
"""
# Much is more than is thrown away, and less than all that is taken before the wire is cut.
LITTLE, MUCH = 10_000, 70_000


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """Return the port of an application that leaves bodies unread, in a worker of ours."""
    directory = tmp_path_factory.mktemp("app")
    (directory / "toy.py").write_text(APP)
    worker = "calendar_app.cli.even_worker.EvenWorker"
    with socket.create_server(("127.0.0.1", 0)) as server:
        options = ["--bind", f"fd://{server.fileno()}", "--keep-alive", "60", "--threads", "2"]
        command = [sys.executable, "-m", "gunicorn", "--worker-class", worker, *options, "toy:app"]
        with subprocess.Popen(command, cwd=directory, pass_fds=[server.fileno()]) as process:
            yield server.getsockname()[1]
            process.terminate()


@pytest.fixture
def connection(port):
    with closing(HTTPConnection("127.0.0.1", port, PATIENCE)) as one:
        yield one


def said(connection, read, body):
    """Return what an answer says of the connection."""
    connection.request("POST", f"/{read}", body)
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (404, b"no")
    return answer.headers["Connection"]


@pytest.mark.parametrize(
    ("read", "sent"), [(0, 0), (0, LITTLE), (MUCH, MUCH), (MUCH - LITTLE, MUCH)]
)
def test_a_connection_goes_on_where_little_is_left(connection, read, sent):
    wire = None
    for _ in range(3):
        assert said(connection, read, b"x" * sent) == "keep-alive"
        assert wire in (None, connection.sock)
        wire = connection.sock


def test_the_end_of_a_connection_is_announced_where_much_is_left(connection):
    assert said(connection, 0, b"x" * MUCH) == "close"


def test_chunks_are_read_to_their_end_or_the_end_is_announced(connection):
    assert said(connection, MUCH, repeat(b"x" * LITTLE, 2)) == "keep-alive"
    assert said(connection, LITTLE, repeat(b"x" * LITTLE, 3)) == "close"
