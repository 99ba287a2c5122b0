"""A write with an ``Idempotency-Key`` is stored once, even if a process is killed."""

import os
import signal
import subprocess
import sys
import threading
import time

import httpx
import pytest
from serving import PATIENCE, lasting_children_of, mongod_on, serving

pytestmark = pytest.mark.timeout(240)

SECRET = "a secret of the tests"
BODY = {"title": "Once", "start_date": "2030-03-10", "end_date": "2030-03-10", "tags": ["new"]}
WRITES = 12
# MongoDB ends what a killed worker has begun within this time, in seconds.
LONGEST = 60


@pytest.fixture
def data(tmp_path):
    command = [sys.executable, "-m", "calendar_app", "users", "add", "boss"]
    options = ["--role", "administrator", "--application-password", SECRET]
    environment = os.environ | {"CALENDAR_DATA": str(tmp_path / "data")}
    subprocess.run([*command, *options], env=environment, check=True, capture_output=True)
    return tmp_path / "data"


def write_until_stored(address, key):
    """Send the same request with the same key until it is answered."""
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        try:
            answer = httpx.post(
                address,
                json=BODY | {"title": f"Once {key}"},
                headers={"Idempotency-Key": key},
                auth=("boss", SECRET),
                timeout=PATIENCE,
            )
        except httpx.HTTPError:
            time.sleep(0.1)
            continue
        if answer.status_code == 201:
            return answer.json()["id"]
        assert answer.status_code in (409, 503), answer.text
        time.sleep(0.1)
    raise TimeoutError(key)


def written_meanwhile(service, kill):
    """Return the ids that writes got while ``kill`` ended a process."""
    address, ids = service.events, []

    def write():
        for number in range(WRITES):
            if number == WRITES // 2:
                halfway.set()
            ids.append(write_until_stored(address, str(number)))

    halfway = threading.Event()
    writer = threading.Thread(target=write)
    writer.start()
    halfway.wait()
    kill()
    writer.join()
    return ids


def stored(service):
    answer = service.get(start_date="2030-03-01", end_date="2030-04-01", per_page=50, _fields="")
    return sorted(event["id"] for event in answer.json()["events"])


def test_a_write_is_stored_once_though_its_worker_is_killed(data):
    with serving(data) as service:
        mongod = mongod_on(data)

        def kill():
            for child in lasting_children_of(service) - {mongod}:
                os.kill(child, signal.SIGKILL)

        ids = written_meanwhile(service, kill)
        assert len(ids) == WRITES
        assert stored(service) == sorted(ids)


def test_a_write_is_stored_once_though_the_mongod_is_killed(data):
    with serving(data) as service:
        ids = written_meanwhile(service, lambda: os.kill(mongod_on(data), signal.SIGKILL))
        assert len(ids) == WRITES
        assert stored(service) == sorted(ids)
