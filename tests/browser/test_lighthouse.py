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
# On a busy machine its own Chromium may start or paint too late for it: no fault of the page.
ATTEMPTS = 3


@pytest.fixture(scope="module")
def judged(site, browser_options, tmp_path_factory):
    """Return a function that runs Lighthouse on a path."""

    def judge(path):
        report = tmp_path_factory.mktemp("lighthouse") / "report.json"
        flags = f"--chrome-flags=--headless=new {' '.join(browser_options)}"
        command = [PROGRAM, f"{site}{path}", "--quiet", "--output=json", flags]
        environment = os.environ | {"CHROME_PATH": shutil.which("chromium")}
        for _ in range(ATTEMPTS):
            finished = subprocess.run(
                [*command, f"--output-path={report}"],
                env=environment,
                check=False,
                capture_output=True,
                text=True,
            )
            if finished.returncode == 0:
                return json.loads(report.read_text())
        pytest.fail(f"Lighthouse has ended with an error:\n{finished.stderr[-2000:]}")

    return judge


@pytest.mark.timeout(400)
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
