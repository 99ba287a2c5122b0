"""Connections that stay open are shared out among the workers."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPException

import pytest

PATIENCE = 20  # seconds
APP = """
import os

def app(environ, start_response):
    start_response("200 OK", [("Content-Length", str(len(str(os.getpid()))))])
    return [str(os.getpid()).encode()]
"""


# Of two workers, the first one is asked to end while Python can raise no error.
ENDING = f"""
import signal
import weakref
from pathlib import Path
{APP}
class Thing:
    pass

def end(_):
    os.kill(os.getpid(), signal.SIGQUIT)

mark = Path(__file__).with_name("ended")
if not mark.exists():
    mark.touch()
    thing = Thing()
    gone = weakref.ref(thing, end)
    del thing
"""


def asked(connection):
    connection.request("GET", "/")
    return int(connection.getresponse().read())


class Workers:
    def __init__(self, port):
        self.port = port

    def connected(self, stack):
        connection = stack.enter_context(closing(HTTPConnection("127.0.0.1", self.port)))
        return asked(connection)

    def number(self):
        """Return how many workers answer, of two that should."""
        with ExitStack() as stack:
            return len({self.connected(stack) for _ in range(8)})


@contextmanager
def gunicorn(directory, port, app=APP):
    (directory / "toy.py").write_text(app)
    worker = "calendar_app.cli.even_worker.EvenWorker"
    options = ["--workers", "2", "--threads", "4", "--keep-alive", "60", "--chdir", str(directory)]
    command = [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}"]
    with subprocess.Popen([*command, "--worker-class", worker, *options, "toy:app"]) as process:
        try:
            yield
        finally:
            process.terminate()
            process.wait(PATIENCE)


def until(condition):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if condition():
                return
        except (OSError, HTTPException):
            pass
        time.sleep(0.1)
    raise AssertionError


@pytest.fixture
def port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@pytest.fixture
def workers(tmp_path, port):
    one = Workers(port)
    with gunicorn(tmp_path, port):
        until(lambda: one.number() == 2)
        yield one


def test_of_four_connections_each_worker_has_two(workers):
    # By chance it would be three times in eight.
    assert sum(shared_evenly(workers) for _ in range(20)) >= 13


def shared_evenly(workers):
    with ExitStack() as stack:
        taken = Counter(workers.connected(stack) for _ in range(4))
    time.sleep(0.05)  # until the workers have noticed that these are closed
    return list(taken.values()) == [2, 2]


def test_where_a_worker_was_killed_the_others_and_its_successor_go_on(workers):
    with ExitStack() as stack:
        killed = workers.connected(stack)
    os.kill(killed, signal.SIGKILL)
    until(lambda: workers.number() == 2)
    assert sum(shared_evenly(workers) for _ in range(20)) >= 13


def test_a_worker_that_ends_in_the_midst_of_something_says_nothing(tmp_path, port, capfd):
    with gunicorn(tmp_path, port, ENDING):
        until((tmp_path / "ended").exists)
        until(lambda: Workers(port).number() == 2)
    assert "SystemExit" not in capfd.readouterr().err
