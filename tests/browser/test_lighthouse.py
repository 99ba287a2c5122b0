"""Lighthouse, as a phone sees the pages: its scores, but for speed, which it only reports."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

PROGRAM = Path(__file__).parent / "node_modules" / ".bin" / "lighthouse"
LEAST = 0.95


@pytest.fixture(scope="module")
def judged(site, browser_options, tmp_path_factory):
    """Return a function that runs Lighthouse on a path."""

    def judge(path):
        report = tmp_path_factory.mktemp("lighthouse") / "report.json"
        flags = f"--chrome-flags=--headless=new {' '.join(browser_options)}"
        command = [PROGRAM, f"{site}{path}", "--quiet", "--output=json", flags]
        subprocess.run(
            [*command, f"--output-path={report}"],
            env=os.environ | {"CHROME_PATH": shutil.which("chromium")},
            check=True,
            capture_output=True,
        )
        return json.loads(report.read_text())

    return judge


@pytest.mark.parametrize("page", ["list", "month", "event"])
def test_lighthouse_finds_little_to_improve(site, judged, page, record_property):
    events = httpx.get(f"{site}/calendar/events/v1/events").json()["events"]
    paths = {"event": events[0]["url"].removeprefix(site)}
    report = judged(paths.get(page, f"/events/{page}/"))
    scores = {name: each["score"] for name, each in report["categories"].items()}
    sys.stdout.write(f"{page}: {scores}\n")
    # How fast a page is depends on what else the machine has to do.
    record_property("performance", scores.pop("performance"))
    assert len(scores) >= 3
    assert {name: score for name, score in scores.items() if score < LEAST} == {}
