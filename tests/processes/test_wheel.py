"""The service from a plain wheel, in an empty directory."""

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from serving import Service

ROOT = Path(__file__).parents[2]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return a directory with the package as its wheel installs it."""
    directory = tmp_path_factory.mktemp("wheel")
    build = [*PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", directory, ROOT]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = directory.glob("*.whl")
    site = directory / "site"
    install = [*PIP, "install", "--no-deps", "--no-index", "--target", site, wheel]
    subprocess.run(install, check=True, capture_output=True)
    return site


def test_wheel_serves_the_demo_calendar_in_an_empty_directory(installed, tmp_path):
    unset = {"CALENDAR_CONFIG", "CALENDAR_LANGUAGES"}
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    environment |= {"PYTHONPATH": str(installed), "CALENDAR_DATA": "./data"}
    with (
        (tmp_path / "errors").open("w+") as errors,
        subprocess.Popen(
            [sys.executable, "-m", "calendar_app", "serve", "--demo", "--bind", "127.0.0.1:0"],
            env=environment,
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        service = Service(process, errors)
        try:
            titles = [event["title"] for event in service.get().json()["events"]]
            (settings,) = (line for line in service.output if "--config" in line)
            check = [sys.executable, "-m", "calendar_app", *settings.split()[-2:], "check"]
            subprocess.run(check, env=environment, cwd=tmp_path, check=True)
            page = httpx.get(service.events.partition("/calendar/")[0], follow_redirects=True)
        finally:
            service.end()
    assert "Wochenmarkt" in titles
    assert "Agenda Valdorta" in page.text


def test_wheel_has_the_notices_of_what_others_made(installed):
    (notices,) = installed.glob("calendar_app-*.dist-info/licenses/THIRD-PARTY-NOTICES")
    assert notices.read_bytes() == (ROOT / "THIRD-PARTY-NOTICES").read_bytes()


def test_wheel_has_its_types_and_its_data(installed):
    package = installed / "calendar_app"
    for name in (
        "py.typed",
        "defaults.toml",
        "cli/demo/de-rm.json",
        "site/pages/static",
        "locale/de",
    ):
        assert (package / name).exists(), name
