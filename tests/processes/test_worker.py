"""A worker loads no large library that few requests need, and pauses for no garbage."""

import os
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

LOADED = "import sys, calendar_app.server.worker, calendar_app.app; print(*sys.modules)"
FROZEN = """
import gc

def create():
    def app(environ, start_response):
        start_response("200 OK", [])
        return [str(gc.get_freeze_count()).encode()]
    return app
"""
COLLECTING = """
import gc

is_on_at_start = gc.isenabled()

def create():
    def app(environ, start_response):
        start_response("200 OK", [])
        return [f"{is_on_at_start} {gc.isenabled()}".encode()]
    return app
"""
PATIENCE = 30  # seconds


@pytest.fixture(scope="module")
def loaded():
    command = [sys.executable, "-c", LOADED]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize(
    "library",
    ["authlib", "cryptography", "httpx", "icalendar", "joserfc", "lxml", "rapidfuzz", "tqdm"],
)
def test_worker_starts_without(library, loaded):
    assert library not in loaded


def test_pymongo_speaks_tls_by_python_itself(loaded):
    assert "pymongo.ssl_context" in loaded


@contextmanager
def worker(directory, factory):
    """Run a worker of an application; yield its address."""
    Path(directory, "frozen.py").write_text(factory)
    ready, ready_in_worker = os.pipe()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        numbers = [listener.fileno(), ready_in_worker]
        arguments = [*map(str, (*numbers, os.getpid())), "frozen:create"]
        with subprocess.Popen(
            [sys.executable, "-m", "calendar_app.server", *arguments],
            env=os.environ | {"PYTHONPATH": str(directory)},
            pass_fds=numbers,
        ) as process:
            try:
                os.read(ready, 1)
                yield f"http://127.0.0.1:{listener.getsockname()[1]}"
            finally:
                process.terminate()


def test_collector_of_garbage_leaves_what_lasts_alone(tmp_path):
    with worker(tmp_path, FROZEN) as address:
        assert int(httpx.get(address, timeout=PATIENCE).text) > 50_000


def test_worker_collects_garbage_only_once_it_serves(tmp_path):
    with worker(tmp_path, COLLECTING) as address:
        assert httpx.get(address, timeout=PATIENCE).text == "False True"
