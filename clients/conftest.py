"""A service with the demo calendar, which the tests of all clients share."""

import html
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parents[1]
APP = (sys.executable, "-m", "calendar_app", "--config", "config/de-rm.toml")
SERVE = ("serve", "--demo", "--workers", "1", "--bind", "127.0.0.1:0")


@dataclass(frozen=True)
class Service:
    """A service that runs: its base address, and the password of its user ``admin``."""

    base: str
    password: str

    def get(self, path, **query):
        """Return what is answered to anybody."""
        response = httpx.get(f"{self.base}{path}", params=query, timeout=30)
        return response.raise_for_status().json()

    def send(self, method, path, **body):
        """Return what is answered to the user ``admin``."""
        auth = ("admin", self.password)
        response = httpx.request(method, f"{self.base}{path}", json=body, auth=auth, timeout=30)
        return response.raise_for_status().json()

    def plain(self, text):
        return html.unescape(text)

    def command(self, *arguments):
        """Return what a command of the service prints."""
        process = subprocess.run(
            [*APP, *arguments], cwd=ROOT, check=True, capture_output=True, text=True
        )
        return process.stdout


@pytest.fixture(scope="session")
def service(tmp_path_factory):
    """Return the service."""
    data = {"CALENDAR_DATA": str(tmp_path_factory.mktemp("service") / "data")}
    process = subprocess.Popen(
        [*APP, *SERVE], cwd=ROOT, env=os.environ | data, stdout=subprocess.PIPE, text=True
    )
    try:
        yield _greeted(process)
    finally:
        process.terminate()
        process.stdout.close()
        process.wait()


def _greeted(process):
    site = password = None
    for line in process.stdout:
        site = site or re.search(r"Events: +(http://[^/]+)", line)
        password = password or re.search(r"shown only once.*: (.+)$", line)
        if line.startswith("  curl -u"):
            return Service(f"{site[1]}/calendar/events/v1", password[1])
    raise AssertionError("The service did not start.")
