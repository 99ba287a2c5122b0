"""The units of systemd that the documentation gives, judged by systemd itself."""

import re
import shlex
import shutil
import subprocess
from configparser import RawConfigParser
from pathlib import Path

import click
import pytest

from calendar_app.cli import main

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
UNIT_FILE = re.compile(
    r"`/etc/systemd/system/([\w.-]+)`.*?^```ini\n(.*?)^```", re.DOTALL | re.MULTILINE
)
UNITS = {
    name: text
    for page in ("deploy-on-a-server", "back-up-and-restore")
    for name, text in UNIT_FILE.findall((HOW_TO / f"{page}.md").read_text())
}
SERVICES = ["calendar.service", "calendar-backup.service"]

needs_systemd = pytest.mark.skipif(
    not shutil.which("systemd-analyze"), reason="no systemd-analyze here"
)


def section(unit, name):
    """Return the settings of one section of a unit, of each the last."""
    parser = RawConfigParser(strict=False)
    parser.optionxform = str
    parser.read_string(UNITS[unit])
    return parser[name]


def analyze(*arguments):
    judged = subprocess.run(
        ["systemd-analyze", *arguments], capture_output=True, text=True, check=False
    )
    assert judged.returncode == 0, judged.stdout + judged.stderr
    return judged.stdout


def test_every_unit_is_there():
    assert set(UNITS) == {*SERVICES, "calendar.socket", "calendar-backup.timer"}


@needs_systemd
@pytest.mark.parametrize("name", SERVICES)
def test_service_exposes_little_of_the_machine(tmp_path, name):
    (tmp_path / name).write_text(UNITS[name])
    analyze("security", "--offline=true", "--threshold=30", tmp_path / name)


@pytest.mark.parametrize("name", SERVICES)
def test_service_runs_a_command_of_ours_as_the_same_user_on_the_same_data(name):
    service, first = section(name, "Service"), section(SERVICES[0], "Service")
    _, module, package, command, *arguments = shlex.split(service["ExecStart"])
    assert (module, package) == ("-m", "calendar_app")
    assert main.get_command(click.Context(main), command).make_context(command, arguments)
    for setting in ("User", "WorkingDirectory", "EnvironmentFile"):
        assert service[setting] == first[setting]


def test_backup_may_write_into_its_directory():
    service = section("calendar-backup.service", "Service")
    *_, directory = service["ExecStart"].split()
    assert directory in service["ReadWritePaths"].split()
    page = (HOW_TO / "back-up-and-restore.md").read_text()
    assert f"--owner={service['User']} --mode=700 {directory}\n" in page


@needs_systemd
def test_backup_is_made_each_night():
    timer = section("calendar-backup.timer", "Timer")
    assert "Persistent" in timer
    ahead = analyze("calendar", "--iterations=2", timer["OnCalendar"])
    days = re.findall(r": \w+ (\d\S+) 02:30:00", ahead)
    assert len(set(days)) == 2
