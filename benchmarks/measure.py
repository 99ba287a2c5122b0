"""Measures all calls in turn, several times, so that what else the machine does hits all alike."""

import statistics
from collections.abc import Sequence

from calls import Call
from load import Load, load


def measure(port: int, calls: Sequence[Call], rounds: int, seconds: float) -> list[Load]:
    """Return for each call the medians of so many rounds, of so many seconds each."""
    for call in calls:
        load(port, call, seconds / 4)  # What is made once a process is made before.
    taken = [[load(port, call, seconds) for call in calls] for _ in range(rounds)]
    return [_middle(loads) for loads in zip(*taken, strict=True)]


def _middle(loads: Sequence[Load]) -> Load:
    return Load(
        rate=statistics.median(each.rate for each in loads),
        median=statistics.median(each.median for each in loads),
        percentile_99=statistics.median(each.percentile_99 for each in loads),
    )
