"""The service under gunicorn with its plain configuration, and a mongod of its own."""

import os
import re
import subprocess
import sys
from contextlib import contextmanager

import httpx
import pytest
from serving import PATIENCE, ROOT, children_of, mongod_on, runs, wait_for

pytestmark = pytest.mark.timeout(180)

GUNICORN = ["-m", "gunicorn", "-c", "config/gunicorn.conf.py", "--log-level", "info"]


@contextmanager
def gunicorn(directory, port=0):
    """Run gunicorn; yield its process and the address of the list of events."""
    log = directory / "log"
    with (
        log.open("w") as output,
        subprocess.Popen(
            [sys.executable, *GUNICORN, "--bind", f"127.0.0.1:{port}", "wsgi:app"],
            env=os.environ | {"CALENDAR_DATA": str(directory / "data")},
            stderr=output,
            cwd=ROOT,
        ) as process,
    ):
        try:
            origin = wait_for(lambda: re.search(r"Listening at: (\S+)", log.read_text()))[1]
            yield process, f"{origin}/calendar/events/v1/events"
        finally:
            process.terminate()
            process.wait(PATIENCE)


def status_of(events):
    return httpx.get(events, timeout=PATIENCE).status_code


def test_it_serves_and_ends_with_its_mongod(tmp_path):
    with gunicorn(tmp_path) as (process, events):
        assert status_of(events) == 200
        mongod = mongod_on(tmp_path / "data")
        process.terminate()
        assert process.wait(PATIENCE) == 0
    assert not runs(mongod)


def test_workers_of_a_killed_master_end_too(tmp_path):
    with gunicorn(tmp_path) as (process, events):
        assert status_of(events) == 200
        workers = children_of(process.pid) - {mongod_on(tmp_path / "data")}
        process.kill()
        assert len(workers) == 2
        wait_for(lambda: not any(map(runs, workers)))
