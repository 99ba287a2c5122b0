"""A proxy on the same machine reaches the service by a Unix socket."""

import os
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 20  # seconds
APP = """
from calendar_app.api.http.wsgi.forwarding import TrustedProxies

def told(environ, start_response):
    start_response("200 OK", [])
    return [environ["REMOTE_ADDR"].encode()]

app = TrustedProxies(told, ["unix"])
"""


@pytest.fixture
def proxy(tmp_path):
    """Return a client on a socket behind which gunicorn tells who it thinks that calls."""
    (tmp_path / "toy.py").write_text(APP)
    path = tmp_path / "s"
    options = ["--bind", f"unix:{path}", "--workers", "1", "--chdir", str(tmp_path)]
    command = [sys.executable, "-m", "gunicorn", "-c", "config/gunicorn.conf.py", *options]
    uri = {"CALENDAR_MONGODB_URI": "mongodb://127.0.0.1:1/none?serverSelectionTimeoutMS=1"}
    with (
        subprocess.Popen([*command, "toy:app"], cwd=ROOT, env=os.environ | uri) as process,
        httpx.Client(transport=httpx.HTTPTransport(uds=str(path)), timeout=PATIENCE) as client,
    ):
        try:
            until_there(path)
            yield client
        finally:
            process.terminate()
            process.wait(PATIENCE)


def until_there(path):
    # gunicorn waits for an election of the database first.
    end = time.monotonic() + 3 * PATIENCE
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_proxy_on_a_unix_socket_is_trusted(proxy):
    forwarded = {"X-Forwarded-For": "198.51.100.4"}

    assert proxy.get("http://calendar.example/", headers=forwarded).text == "198.51.100.4"
    assert proxy.get("http://calendar.example/").text == ""
