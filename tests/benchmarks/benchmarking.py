"""Runs a benchmark of the project, quickly."""

import os
import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def printed(script, *options):
    """Return the printed lines of a benchmark with few records.

    What it runs through is tested elsewhere, and takes twice as long where it is traced.
    """
    untraced = {name: value for name, value in os.environ.items() if not _is_tracing(name)}
    process = subprocess.run(
        [sys.executable, BENCHMARKS / script, "--quick", *options],
        env=untraced,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.splitlines()


def _is_tracing(name):
    return name.startswith("COVERAGE_PROCESS_")
