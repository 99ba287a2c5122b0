"""A log that nobody reads, or a closed one, never stops, slows or kills the service."""

import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager

import httpx
import pytest
from serving import CONFIG, PATIENCE, ROOT, children_of, mongod_on, wait_for

pytestmark = [pytest.mark.needs_mongodb, pytest.mark.timeout(300)]

SERVE = ["-m", "calendar_app", "serve", "--workers", "1"]
GUNICORN = ["-m", "gunicorn", "-c", "config/gunicorn.conf.py", "wsgi:app"]
MANY = 1500  # lines: more than a pipe and a worker keep
LONG = {"User-Agent": "x" * 200}


@contextmanager
def unheard(data, command, *, closed):
    """Run a service whose output nobody reads; yield its process and a client."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    with subprocess.Popen(
        [sys.executable, *command, "--bind", address],
        env=os.environ
        | {"CALENDAR_DATA": str(data), "CALENDAR_CONFIG": str(CONFIG), "CALENDAR_METRICS": "true"}
        | {"WEB_CONCURRENCY": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=ROOT,
    ) as process:
        if closed:
            process.stdout.close()
        try:
            with httpx.Client(base_url=f"http://{address}", timeout=PATIENCE) as client:
                wait_for(lambda: status_of(client, "/readyz") == 200)
                yield process, client
        finally:
            process.terminate()
            process.wait(PATIENCE)


def status_of(client, path):
    try:
        return client.get(path, headers=LONG).status_code
    except httpx.HTTPError:
        return 0


def dropped(client):
    text = client.get("/metrics").text
    return float(re.search(r"^calendar_log_lines_dropped_total (\S+)$", text, re.MULTILINE)[1])


@pytest.mark.parametrize("command", [SERVE, GUNICORN])
@pytest.mark.parametrize(("closed", "requests"), [(True, 20), (False, MANY)])
def test_requests_are_answered_and_lost_lines_counted(tmp_path, command, closed, requests):
    with unheard(tmp_path / "data", command, closed=closed) as (_, client):
        assert {status_of(client, "/livez") for _ in range(requests)} == {200}
        wait_for(lambda: dropped(client) >= (requests if closed else 1))


@pytest.mark.parametrize("command", [SERVE, GUNICORN])
def test_master_replaces_what_has_died_though_nobody_hears_of_it(tmp_path, command):
    data = tmp_path / "data"
    with unheard(data, command, closed=True) as (process, client):
        mongod = mongod_on(data)
        (worker,) = children_of(process.pid) - {mongod}
        for each in (worker, mongod):
            os.kill(each, signal.SIGKILL)
        wait_for(lambda: mongod_on(data) not in (0, mongod))
        wait_for(lambda: status_of(client, "/readyz") == 200)
        assert process.poll() is None
        # The master has told of both in vain.
        assert dropped(client) >= 2
