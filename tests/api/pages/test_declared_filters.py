"""A filter of events is declared once, and nothing else names it."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import calendar_app

TESTS = Path(__file__).with_name("declared_filter.py")
DECLARATIONS = "api/resources/events/filters.py"
BEFORE = "    ticketed = Flag("
LINES = """    sticky = Flag(
        metadata=by(
            lambda flag, _: equals("sticky", flag),
            "Events on top, or others.",
            Shown(Message("On top"), FilterFacet(choice="true")),
        )
    )
    linked = Flag(
        metadata=by(
            lambda flag, _: given("website"),
            "Events with a website.",
            Shown(Message("With a website")),
        )
    )
"""


def test_declared_filters_reach_every_consumer(tmp_path):
    package = tmp_path / "calendar_app"
    source = Path(calendar_app.__file__).parent
    copytree(source, package, ignore=ignore_patterns("__pycache__"))
    filters = package / DECLARATIONS
    text = filters.read_text(encoding="utf-8")
    assert text.count(BEFORE) == 1
    filters.write_text(text.replace(BEFORE, LINES + BEFORE), encoding="utf-8")
    command = (sys.executable, "-P", "-m", "pytest", "-q", "-n", "0", str(TESTS))
    ended = subprocess.run(
        command,
        cwd=TESTS.parents[3],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-1000:]
