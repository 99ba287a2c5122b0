"""html-validate and the Nu checker find no error."""

import json
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest

FOLDER = Path(__file__).parent
MODULES = FOLDER / "node_modules"

VIEWS = (
    "list/",
    "month/",
    "week/",
    "today/",
    "photo/",
    "map/",
    "category/music/",
    "1999-01-01/",
    "print/",
)
_EMPTY = "events/list/?search=konzert&free=true&start_date=1999-01-01&end_date=1999-01-02"
_BROWSER = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def pages(site, tmp_path_factory):
    """Return the folder of the pages of all views, and the address of each."""
    folder = tmp_path_factory.mktemp("pages")
    views = [f"events/{view}" for view in VIEWS]
    paths = [*views, "events/list/?page=0&end_date=junk", _EMPTY, "embed/month/", "nowhere"]
    listed = httpx.get(f"{site}/calendar/events/v1/events").json()["events"]
    event = next(event for event in listed if event["venue"] and event["organizer"])
    records = [each["url"] for each in (event, event["venue"], event["organizer"][0])]
    paths += [address.removeprefix(f"{site}/") for address in records]
    paths.append(f"{paths[-3]}poster/")
    addresses = [f"{site}/{language}{path}" for path in paths for language in ("", "rm/")]
    for number, address in enumerate(addresses):
        answer = httpx.get(address, headers=_BROWSER, follow_redirects=True)
        (folder / f"{number}.html").write_bytes(answer.content)
    return folder, addresses


def test_html_is_valid(pages):
    folder, addresses = pages
    program = MODULES / ".bin" / "html-validate"
    config = FOLDER / "htmlvalidate.json"
    command = [program, "--config", config, "--formatter", "json", folder]
    judged = subprocess.run(command, capture_output=True, text=True, check=False)
    errors = [
        (addresses[int(each["filePath"].split("/")[-1].removesuffix(".html"))], message["ruleId"])
        for each in json.loads(judged.stdout)
        for message in each["messages"]
    ]
    assert errors == []


def test_the_nu_checker_finds_no_error(pages):
    folder, _ = pages
    assert shutil.which("java"), "Java is needed: apt-get install default-jre-headless"
    checker = MODULES / "vnu-jar" / "build" / "dist" / "vnu.jar"
    command = ["java", "-jar", checker, "--format", "json", folder]
    judged = subprocess.run(command, capture_output=True, text=True, check=False)
    assert json.loads(judged.stderr)["messages"] == []
