"""Runs tests on a copy of the package in which one file declares more."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import calendar_app


def run_with_lines(directory, tests, file, lines, before):
    """Run a file of tests on a copy of the package, with lines before a text of one file."""
    package = directory / "calendar_app"
    source = Path(calendar_app.__file__).parent
    copytree(source, package, ignore=ignore_patterns("__pycache__"))
    declarations = package / file
    text = declarations.read_text(encoding="utf-8")
    assert text.count(before) == 1
    declarations.write_text(text.replace(before, lines + before), encoding="utf-8")
    ended = subprocess.run(
        (sys.executable, "-P", "-m", "pytest", "-q", "-n", "0", str(tests)),
        cwd=Path(__file__).parents[1],
        env={**os.environ, "PYTHONPATH": str(directory)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-1000:]
