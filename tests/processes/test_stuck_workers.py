"""A stuck worker is replaced, an idle one is left alone."""

import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from serving import wait_for

SILENCE = 5  # seconds
THREADS = 32
APPLICATION = """
import os, re, time

def create():
    def app(environ, start_response):
        path = environ["PATH_INFO"]
        if path == "/compute":
            re.match("(a+)+$", "a" * 60 + "b")  # holds the interpreter
        if path == "/wait":
            time.sleep(3600)
        start_response("200 OK", [("Content-Length", str(len(str(os.getpid()))))])
        return [str(os.getpid()).encode()]
    return app

app = create()
"""
MASTER = f"""
import socket, sys
from calendar_app.server.master import Master

Master.silence = {SILENCE}
master = Master(socket.socket(fileno=int(sys.argv[1])), 1, factory="stuck:create")
assert master.start()
master.run()
"""


@contextmanager
def started(directory, command):
    """Serve the application on a socket that a command inherits; yield a client."""
    Path(directory, "stuck.py").write_text(APPLICATION)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        number = str(listener.fileno())
        with (
            httpx.Client(base_url=address, timeout=60) as client,
            subprocess.Popen(
                [sys.executable, *(part.replace("SOCKET", number) for part in command)],
                env=os.environ | {"PYTHONPATH": str(directory)},
                pass_fds=[listener.fileno()],
                stderr=subprocess.DEVNULL,
            ) as process,
        ):
            try:
                yield client
            finally:
                process.send_signal(signal.SIGQUIT)
                process.wait(60)


OURS = ("-c", MASTER, "SOCKET")
GUNICORN = (
    *("-m", "gunicorn", "--bind", "fd://SOCKET", "--workers", "1", "--threads", str(THREADS)),
    *("-k", "calendar_app.server.gunicorn_worker.AnsweringWorker", "--timeout", str(SILENCE)),
    *("--no-control-socket", "--graceful-timeout", "1", "stuck:app"),
)


def worker_of(client):
    with suppress(httpx.HTTPError):
        return client.get("/", timeout=2).text
    return ""


def occupy(client, path, number):
    """Ask for answers that never come."""

    def ask():
        with suppress(httpx.HTTPError):
            httpx.get(client.base_url.join(path), timeout=120)

    threads = [threading.Thread(target=ask) for _ in range(number)]
    for thread in threads:
        thread.start()
    return threads


@pytest.mark.parametrize("command", [OURS, GUNICORN], ids=["ours", "gunicorn"])
@pytest.mark.parametrize(("path", "number"), [("/compute", 1), ("/wait", THREADS)])
def test_worker_that_answers_nothing_is_replaced(tmp_path, command, path, number):
    with started(tmp_path, command) as client:
        first = wait_for(lambda: worker_of(client))
        asking = occupy(client, path, number)
        assert wait_for(lambda: (now := worker_of(client)) != first and now)
    for thread in asking:
        thread.join()


@pytest.mark.parametrize("command", [OURS, GUNICORN], ids=["ours", "gunicorn"])
def test_worker_with_a_free_thread_stays_however_long_others_take(tmp_path, command):
    with started(tmp_path, command) as client:
        first = wait_for(lambda: worker_of(client))
        asking = occupy(client, "/wait", THREADS - 1)
        # Nobody asks anything else meanwhile.
        threading.Event().wait(2 * SILENCE)
        assert worker_of(client) == first
    for thread in asking:
        thread.join()
