"""A demo that begins again each hour keeps its password, and nothing that was written."""

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from serving import PATIENCE, serving

PASSWORD = "look-around-freely"
URI = "CALENDAR_MONGODB_URI"


@pytest.mark.timeout(400)  # two calendars are loaded
def test_new_demo_has_the_password_and_nothing_that_was_written(tmp_path):
    options = ("--demo", "--reset", "hourly")
    with serving(tmp_path / "data", *options, DEMO_PASSWORD=PASSWORD) as service:
        total = service.get().json()["total"]
        assert create(service).status_code == 201
        assert service.get().json()["total"] == total + 1

        service.process.send_signal(signal.SIGALRM)
        assert any("is ready" in line for line in service.process.stdout)
        assert service.get().json()["total"] == total > 0
        assert create(service).status_code == 201
        assert "ends with the next version" in service.complaint()
    assert not (tmp_path / "data").exists()


def create(service):
    day = datetime.now(UTC).date() + timedelta(days=1)
    times = {"start_date": f"{day} 19:00:00", "end_date": f"{day} 21:00:00"}
    event = {"title": "Choir", "status": "publish", **times}
    return httpx.post(service.events, json=event, auth=("admin", PASSWORD), timeout=PATIENCE)


@pytest.mark.parametrize(
    ("options", "environment", "reason"),
    [
        ([], {}, "--reset is for --demo"),
        (["--demo"], {URI: "mongodb://127.0.0.1:1/calendar"}, "--reset takes no mongodb_uri"),
    ],
)
def test_only_a_demo_of_its_own_is_reset(options, environment, reason):
    command = [sys.executable, "-m", "calendar_app", "serve", "--reset", "hourly", *options]
    process = subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert process.returncode == 2
    assert reason in process.stderr
