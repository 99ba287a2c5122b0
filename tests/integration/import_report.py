"""Parses the report of an import."""

import re

SUMMARY = re.compile(r"all: (\d+) created, (\d+) updated, (\d+) unchanged, (\d+) refused")
JOINED = re.compile(
    r"all joined: (\d+) by links, (\d+) by file, (\d+) by likeness, (\d+) left for a person"
)


def outcome(result):
    """Return how many were created, updated, unchanged and refused."""
    assert (result.exit_code, result.stderr) == (0, "")
    return tuple(map(int, SUMMARY.fullmatch(result.stdout.splitlines()[-1]).groups()))


def joined(result):
    """Return how many were joined by links, by file and by likeness, and how many were left."""
    assert (result.exit_code, result.stderr) == (0, "")
    (match,) = filter(None, map(JOINED.fullmatch, result.stdout.splitlines()))
    return tuple(map(int, match.groups()))


def unresolved(result):
    return [line for line in result.stdout.splitlines() if line.startswith("Left ")]


def missing(result):
    return [line for line in result.stdout.splitlines() if "no longer has" in line]
