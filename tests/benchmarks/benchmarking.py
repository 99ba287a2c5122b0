"""Runs a benchmark of the project, quickly."""

import os
import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def printed(script, *options):
    """Return the lines that a benchmark prints, whose figures mean nothing.

    What it runs through is tested elsewhere, and takes twice as long where it is traced.
    """
    untraced = {name: value for name, value in os.environ.items() if not _is_tracing(name)}
    done = subprocess.run(
        [sys.executable, BENCHMARKS / script, "--quick", *options],
        env=untraced,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def _is_tracing(name):
    return name.startswith("COVERAGE_PROCESS_")
