"""A service with the demo calendar, which all tests of the client share."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
COMMAND = (
    *(sys.executable, "-m", "calendar_app", "--config", "config/de-rm.toml"),
    *("serve", "--demo", "--workers", "1", "--bind", "127.0.0.1:0"),
)


@pytest.fixture(scope="session")
def service(tmp_path_factory):
    """Return the base address of a service, and the password of its user ``admin``."""
    data = {"CALENDAR_DATA": str(tmp_path_factory.mktemp("service") / "data")}
    process = subprocess.Popen(
        COMMAND, cwd=ROOT, env=os.environ | data, stdout=subprocess.PIPE, text=True
    )
    try:
        yield _greeting(process)
    finally:
        process.terminate()
        process.stdout.close()
        process.wait()


def _greeting(process):
    site = password = None
    for line in process.stdout:
        site = site or re.search(r"Events: +(http://[^/]+)", line)
        password = password or re.search(r"shown this once.*: (.+)$", line)
        if line.startswith("  curl -u"):
            return f"{site[1]}/calendar/events/v1", password[1]
    raise AssertionError("The service did not start.")
