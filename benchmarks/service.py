"""Starts the service with an empty database, and ends it."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORKERS = 2
_PATIENCE = 60  # seconds
_POLL = 0.1  # seconds


@contextmanager
def scratch() -> Iterator[Path]:
    """Create a temporary directory that is removed even after SIGTERM."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # So that what was started is ended.
    with tempfile.TemporaryDirectory(prefix="calendar-bench-") as name:
        yield Path(name)


@contextmanager
def serving(directory: Path, **settings: str) -> Iterator[int]:
    """Serve on a port of this machine, with all data in ``directory``; give the port.

    ``settings`` stand in the environment, with their names as they are there.

    Raises ``RuntimeError``, with what the service said, where it does not start.
    """
    port, log = _free_port(), directory / "service.log"
    with log.open("a") as output, _started(port, directory, output.fileno(), settings) as process:
        try:
            _wait(process, port, log)
            yield port
        finally:
            process.terminate()
            process.wait(_PATIENCE)


def environment(directory: Path) -> dict[str, str]:
    """Return the environment of the service, free of settings from the outer environment."""
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith("CALENDAR_")
    }
    inherited.pop("WEB_CONCURRENCY", None)
    return inherited | {
        "CALENDAR_CONFIG": str(ROOT / "config" / "de-rm.toml"),
        "CALENDAR_DATA": str(directory / "data"),
    }


def _started(
    port: int, directory: Path, output: int, settings: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, ROOT / "benchmarks" / "serve.py", str(port), str(WORKERS)],
        env={**environment(directory), **settings},
        cwd=ROOT,
        stdout=output,
        stderr=subprocess.STDOUT,
    )


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + _PATIENCE
    while process.poll() is None and time.monotonic() < until:
        if _answers(port):
            return
        time.sleep(_POLL)
    raise RuntimeError(f"The service does not start:\n{log.read_text()}")


def _answers(port: int) -> bool:
    with closing(HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)) as connection:
        try:
            connection.request("GET", "/worker")
            return connection.getresponse().status == HTTPStatus.OK
        except OSError:
            return False
