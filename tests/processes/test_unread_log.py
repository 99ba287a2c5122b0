"""A log that nobody reads, or a closed one, never stops, slows or kills the service."""

import os
import re
import signal
import subprocess
from contextlib import contextmanager

import pytest
from serving import GUNICORN, OURS, children_of, launched, mongod_on, status_of, wait_for

pytestmark = pytest.mark.timeout(300)

MANY = 1500  # lines: more than a pipe and a worker keep
LONG = {"User-Agent": "x" * 200}


@contextmanager
def unheard(data, command, *, closed):
    """Run a service with an unread output; yield its process and a client."""
    with launched(command, data, subprocess.PIPE, CALENDAR_METRICS="true") as (process, client):
        if closed:
            process.stdout.close()
        wait_for(lambda: status_of(client) == 200)
        yield process, client


def dropped(client):
    text = client.get("/metrics").text
    return float(re.search(r"^calendar_log_lines_dropped_total (\S+)$", text, re.MULTILINE)[1])


@pytest.mark.parametrize("command", [OURS, GUNICORN])
@pytest.mark.parametrize(("closed", "requests"), [(True, 20), (False, MANY)])
def test_requests_are_answered_and_lost_lines_counted(tmp_path, command, closed, requests):
    with unheard(tmp_path / "data", command, closed=closed) as (_, client):
        assert {status_of(client, "/livez", headers=LONG) for _ in range(requests)} == {200}
        wait_for(lambda: dropped(client) >= (requests if closed else 1))


@pytest.mark.parametrize("command", [OURS, GUNICORN])
def test_master_replaces_what_has_died_though_nobody_hears_of_it(tmp_path, command):
    data = tmp_path / "data"
    with unheard(data, command, closed=True) as (process, client):
        mongod = mongod_on(data)
        (worker,) = children_of(process.pid) - {mongod}
        for each in (worker, mongod):
            os.kill(each, signal.SIGKILL)
        wait_for(lambda: mongod_on(data) not in (0, mongod))
        wait_for(lambda: status_of(client) == 200)
        assert process.poll() is None
        # The master has told of both in vain.
        assert dropped(client) >= 2
