"""The service tells receivers by itself; where a process that delivers is killed, another does."""

import os
import re
import socket
import subprocess
import sys
import time
from contextlib import contextmanager

import httpx
import pytest
from receivers import receiving
from serving import CONFIG, serving, wait_for

EVENT = {
    "title": "Concert",
    "start_date": "2030-03-10 19:00:00",
    "end_date": "2030-03-10 22:00:00",
    "status": "publish",
}
pytestmark = pytest.mark.timeout(300)
NETWORKS = {"CALENDAR_WEBHOOK_NETWORKS": "127.0.0.0/8"}


class Mirror:
    """A receiver that an administrator has added to a service."""

    def __init__(self, service, receiver):
        password = re.search(r"'admin:([^']+)'", "\n".join(service.output))[1]
        self._base = service.events.removesuffix("/events")
        self._auth = ("admin", password)
        self._receiver = receiver
        receiver.secret = self._post("/webhooks", name="Mirror", address=receiver.address)["secret"]

    def is_told(self):
        """Add an event; return in how many seconds the receiver is told of it."""
        event, begin = self._post("/events", **EVENT)["id"], time.monotonic()
        wait_for(lambda: event in {each["id"] for each in self._receiver.data})
        return time.monotonic() - begin

    def _post(self, path, **body):
        answer = httpx.post(f"{self._base}{path}", json=body, auth=self._auth, timeout=60)
        assert answer.status_code == 201, answer.text
        return answer.json()


@contextmanager
def publicly_serving(data, **environment):
    """Start the service at an address that it knows, since messages name it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    public = {"CALENDAR_SITE_URL": f"http://{address}"}
    with serving(data, "--demo", "--bind", address, **public, **environment) as service:
        yield service


@contextmanager
def delivering(data):
    """Run `calendar-app deliver` beside a service."""
    command = [sys.executable, "-m", "calendar_app", "--config", str(CONFIG), "deliver"]
    environment = os.environ | NETWORKS | {"CALENDAR_DATA": str(data)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert "Delivering" in process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


def test_service_tells_a_receiver(data):
    with publicly_serving(data, **NETWORKS) as service, receiving() as receiver:
        seconds = Mirror(service, receiver).is_told()
        print(f"told after {seconds:.1f} s")  # noqa: T201


def test_killed_deliverer_leaves_its_webhooks_to_another(data):
    elsewhere = {"CALENDAR_PUBLISH_INTERVAL": "0"}
    with publicly_serving(data, **elsewhere) as service, receiving() as receiver:
        mirror = Mirror(service, receiver)
        with delivering(data) as first:
            mirror.is_told()
            with delivering(data):
                first.kill()
                seconds = mirror.is_told()
                print(f"told after {seconds:.1f} s by another process")  # noqa: T201
        assert len(set(receiver.ids)) == len({each["id"] for each in receiver.data})
