"""The rules for Prometheus fire when they should, judged by promtool."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from calendar_app.sources.reports import RESULTS

ROOT = Path(__file__).parents[2]
RULES = ROOT / "config" / "alerts.yml"
PAGE = ROOT / "docs" / "how-to" / "keep-sources-in-sync.md"
CASES = Path(__file__).with_name("alert_cases.yml")


def test_page_shows_the_rules_of_the_file():
    (documented,) = re.findall(
        r"^```yaml\n(groups:.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE
    )
    assert RULES.read_text().partition("\n")[2] == documented


def test_rules_name_results_that_are_counted_from_zero():
    assert set(re.findall(r'result="(\w+)"', RULES.read_text())) <= set(RESULTS)


@pytest.mark.skipif(not shutil.which("promtool"), reason="no promtool here (package prometheus)")
def test_each_rule_fires_when_it_should_and_not_before():
    judged = subprocess.run(
        ["promtool", "test", "rules", CASES], capture_output=True, text=True, check=False
    )
    assert judged.returncode == 0, judged.stdout + judged.stderr
