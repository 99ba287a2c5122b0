"""Runs a benchmark of the project, quickly."""

import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def printed(script, *options):
    """Return the lines that a benchmark prints, whose figures mean nothing."""
    done = subprocess.run(
        [sys.executable, BENCHMARKS / script, "--quick", *options],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
