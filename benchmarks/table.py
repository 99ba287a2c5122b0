"""A table of the measurements, with the required multiples of the baselines."""

import math
from collections.abc import Iterator, Mapping, Sequence

from calls import BASELINES, FLOOR, LIST_BESIDE_FEEDS, Baseline, Call, kilobytes
from disk_usage import DiskUsage
from load import Load

_HEADINGS = ("", "a second", "p50 ms", "p99 ms", "multiple", "", "required", "")
_MEMORY = 125  # MB of the largest worker
# How many times as long as usual a steady call takes, and a list beside readers of feeds.
_SLOWEST, _BESIDE_FEEDS = 2.5, 2.0
_MEGABYTE = 1_000_000

Measured = Sequence[tuple[Call, Load]]


def table(phases: Sequence[Measured], memory: int, usage: DiskUsage) -> str:
    """Return a line for each call, one for ``memory`` (bytes of the largest worker) and the disk.

    Each call is compared with the baseline of its own phase, whose calls took turns.
    """
    rows: list[tuple[str, ...]] = [_HEADINGS]
    for measured in phases:
        floors = {kilobytes(m.size): m.rate for call, m in measured if call.path.startswith(FLOOR)}
        rates = {call.name: m.rate for call, m in measured}
        rows += [_row(call, m, _baseline_rate(call, m, floors, rates)) for call, m in measured]
        rows += _bounds(measured)
    rows += [_memory_row(memory), _disk_row(usage)]
    return "\n".join(_aligned(rows))


def _baseline_rate(
    call: Call, load: Load, floors: Mapping[int, float], rates: Mapping[str, float]
) -> float:
    """Return the rate of the baseline; of several floors, the one nearest in size."""
    if call.baseline is not Baseline.FLOOR:
        return rates[BASELINES[call.baseline]]
    size = kilobytes(load.size)
    return floors[min(floors, key=lambda floor_size: abs(math.log2(floor_size / size)))]


def _row(call: Call, load: Load, baseline_rate: float) -> tuple[str, ...]:
    multiple = load.rate / baseline_rate
    return (
        call.name,
        f"{load.rate:,.0f}",
        f"{1000 * load.median:.1f}",
        f"{1000 * load.percentile_99:.1f}",
        f"{multiple:.2f}",
        call.baseline,
        f">= {call.multiple:.2f}" if call.multiple else "",
        _verdict(met=multiple >= call.multiple) if call.multiple else "",
    )


def _bounds(measured: Measured) -> Iterator[tuple[str, ...]]:
    """Yield a line for each bound of how long one answer takes beside the usual one."""
    usual = {call.path: load.median for call, load in reversed(measured)}
    for call, load in measured:
        if call.steady:
            ratio = load.percentile_99 / load.median
            yield _bound(f"p99 of {call.name}", ratio, "of its p50", _SLOWEST)
        if call == LIST_BESIDE_FEEDS:
            ratio = load.median / usual[call.path]
            yield _bound(f"p50 of {call.name}", ratio, "of the list's p50", _BESIDE_FEEDS)


def _bound(name: str, ratio: float, baseline: str, most: float) -> tuple[str, ...]:
    required, verdict = f"<= {most:.2f}", _verdict(met=ratio <= most)
    return name, "", "", "", f"{ratio:.2f}", baseline, required, verdict


def _memory_row(memory: int) -> tuple[str, ...]:
    megabytes = memory / _MEGABYTE
    name = f"memory of a worker: {megabytes:.0f} MB"
    return name, "", "", "", "", "", f"< {_MEMORY} MB", _verdict(met=megabytes < _MEMORY)


def _disk_row(usage: DiskUsage) -> tuple[str, ...]:
    sizes = f"{usage.size / _MEGABYTE:.0f} MB, with {usage.indexes} indexes of "
    name = f"{usage.events:,} events: {sizes}{usage.index_size / _MEGABYTE:.0f} MB"
    return name, "", "", "", "", "", "", ""


def _verdict(*, met: bool) -> str:
    return "ok" if met else "short"


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows[:-2], strict=True)]
    for name, *figures, verdict in rows:
        cells = [name.ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(figures, widths[1:-1], strict=True)]
        yield "  ".join([*cells, verdict]).rstrip()
