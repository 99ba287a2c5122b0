"""Measure all calls in turn, several times, so that load from elsewhere hits all alike."""

import statistics
from collections.abc import Sequence

from calls import Baseline, Call, floor, kilobytes
from load import Load, load


def measure(
    port: int, calls: Sequence[Call], rounds: int, seconds: float
) -> list[tuple[Call, Load]]:
    """Return for each call the medians of so many rounds, of so many seconds each.

    The floors of the calls that are compared with one come first.
    """
    # The first requests fill the caches of each process.
    sizes = [load(port, call, seconds / 4).size for call in calls]
    floor_sizes = {
        kilobytes(size)
        for call, size in zip(calls, sizes, strict=True)
        if call.baseline is Baseline.FLOOR
    }
    every = [*map(floor, sorted(floor_sizes)), *calls]
    measured = [[load(port, call, seconds) for call in every] for _ in range(rounds)]
    return [(call, _middle(loads)) for call, *loads in zip(every, *measured, strict=True)]


def _middle(loads: Sequence[Load]) -> Load:
    return Load(
        rate=statistics.median(each.rate for each in loads),
        median=statistics.median(each.median for each in loads),
        percentile_99=statistics.median(each.percentile_99 for each in loads),
        size=loads[-1].size,
    )
