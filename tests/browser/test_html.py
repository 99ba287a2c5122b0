"""html-validate finds no error."""

import json
import subprocess
from pathlib import Path

import httpx

HERE = Path(__file__).parent
MODULES = HERE / "node_modules"

_BROWSER = {"Accept": "text/html"}


def test_html_is_valid(site, tmp_path):
    paths = ["events/list/", "events/month/", "events/week/", "events/today/", "events/photo/"]
    paths += ["events/map/", "events/list/?page=0", "rm/events/list/", "nowhere"]
    listed = httpx.get(f"{site}/calendar/events/v1/events").json()["events"]
    places = [event["venue"]["url"] for event in listed if event["venue"]]
    addresses = [*(f"{site}/{path}" for path in paths), listed[0]["url"], places[0]]
    for number, address in enumerate(addresses):
        answer = httpx.get(address, headers=_BROWSER)
        (tmp_path / f"{number}.html").write_bytes(answer.content)
    program = MODULES / ".bin" / "html-validate"
    config = HERE / "htmlvalidate.json"
    command = [program, "--config", config, "--formatter", "json", tmp_path]
    judged = subprocess.run(command, capture_output=True, text=True, check=False)
    found = [
        (addresses[int(each["filePath"].split("/")[-1].removesuffix(".html"))], message["ruleId"])
        for each in json.loads(judged.stdout)
        for message in each["messages"]
    ]
    assert found == []
