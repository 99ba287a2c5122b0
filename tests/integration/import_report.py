"""What an import tells at its end, in figures."""

import re

SUMMARY = re.compile(r"all: (\d+) created, (\d+) updated, (\d+) unchanged, (\d+) refused")


def outcome(result):
    """Return how many were created, updated, unchanged and refused."""
    assert (result.exit_code, result.stderr) == (0, "")
    return tuple(map(int, SUMMARY.fullmatch(result.stdout.splitlines()[-1]).groups()))
