"""A nightly backup is named by its time, makes room for the next ones, and can be restored."""

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from serving import CONFIG, PATIENCE, serving

pytestmark = pytest.mark.timeout(240)

SECRET = "a secret of the tests"
ADMIN = ("boss", SECRET)
CONCERT = {"title": "Concert", "start_date": "2030-03-10", "end_date": "2030-03-10"}
FIELDS = ("id", "title", "start_date", "author", "modified")
LONG_AGO = [f"calendar-2020-01-0{day}T023000Z.backup" for day in (1, 2, 3)]


def run(data, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "calendar_app", "--config", CONFIG, *map(str, arguments)],
        env=os.environ | {"CALENDAR_DATA": str(data)},
        capture_output=True,
        text=True,
        check=False,
    )


@contextmanager
def calendar(data):
    """Serve a data directory, and yield an administrator's client of it."""
    with serving(data) as service:
        base = service.events.removesuffix("events")
        with httpx.Client(base_url=base, auth=ADMIN, timeout=PATIENCE) as client:
            yield client


@pytest.fixture
def backups(tmp_path):
    """Return a directory with backups of three days, and a file of somebody else."""
    directory = tmp_path / "backups"
    directory.mkdir()
    for name in (*LONG_AGO, "before-upgrade.backup"):
        (directory / name).touch()
    return directory


def test_nightly_backup_of_a_running_service_restores_into_an_empty_data_directory(
    backups, tmp_path
):
    data, empty = tmp_path / "data", tmp_path / "restored"
    command = ["users", "add", ADMIN[0], "--role", "administrator"]
    added = run(data, *command, "--application-password", SECRET)
    assert added.returncode == 0, added.stderr
    with calendar(data) as client:
        event = client.post("events", json=CONCERT).json()
        backup = run(data, "backup", "--keep", "2", backups)
    assert backup.returncode == 0, backup.stderr
    removed = [f"Removed: {backups / name}" for name in LONG_AGO[:2]]
    *_, written_line, first, second = backup.stdout.splitlines()
    assert [first, second] == removed
    newest = Path(written_line.removeprefix("Written: "))
    assert {path.name for path in backups.iterdir()} == {
        LONG_AGO[2],
        newest.name,
        "before-upgrade.backup",
    }

    restored = run(empty, "restore", newest)

    assert restored.returncode == 0, restored.stderr
    assert restored.stdout in backup.stdout
    with calendar(empty) as client:
        read = client.get(f"events/{event['id']}").json()
    assert [read[name] for name in FIELDS] == [event[name] for name in FIELDS]


def test_retention_needs_a_directory_that_is_there(tmp_path):
    unmounted = tmp_path / "backups"
    refused = run(tmp_path / "data", "backup", "--keep", "2", unmounted)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert f"{unmounted} is not a directory, and --keep needs one." in refused.stderr
    assert not unmounted.exists()
