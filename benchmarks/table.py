"""The figures as a table, beside what is required."""

import math
from collections.abc import Iterator, Sequence

from calls import FLOOR, Call, kilobytes
from load import Load
from stored import Stored

_HEADINGS = ("", "a second", "p50 ms", "p99 ms", "of floor", "times TEC", "required", "")
_MEMORY = 150  # MB, which no worker may take
# A machine is as fast as the one of the requirements where a bare Flask route is so often answered.
_COMPARABLE = 5400
_MEGABYTE = 1_000_000


def table(measured: Sequence[tuple[Call, Load]], memory: int, stored: Stored) -> str:
    """Return one line a call, one for ``memory`` (bytes of the largest worker), one for indexes.

    Each is compared with the floor before it whose answer is nearest to its own in size.
    """
    rows = [_HEADINGS]
    floors: dict[int, float] = {}
    for call, taken in measured:
        size = kilobytes(taken.size)
        if call.path.startswith(FLOOR):
            floors[size] = taken.rate
        nearest = min(floors, key=lambda known: abs(math.log2(known / size)))
        rows.append(_row(call, taken, floors[nearest]))
    rows += [_memory_row(memory), _stored_row(stored)]
    return "\n".join(_aligned(rows))


def _row(call: Call, taken: Load, floor: float) -> tuple[str, ...]:
    times = taken.rate / call.reference if call.reference else 0
    required = [f"{call.share:.0%}"] if call.share else []
    required += [f"{call.times} x"] if call.times else []
    return (
        call.name,
        f"{taken.rate:,.0f}",
        f"{1000 * taken.median:.1f}",
        f"{1000 * taken.percentile_99:.1f}",
        f"{taken.rate / floor:.1%}",
        f"{times:.1f}" if times else "",
        f">= {', '.join(required)}" if required else "",
        _verdict(met=_met(call, times, taken.rate, floor)) if required else "",
    )


def _met(call: Call, times: float, rate: float, floor: float) -> bool:
    """Say whether a call is answered as often as required; ``times`` on a machine to compare."""
    comparable = floor >= _COMPARABLE or not call.share
    return rate >= call.share * floor and (times >= call.times or not comparable)


def _memory_row(memory: int) -> tuple[str, ...]:
    megabytes = memory / _MEGABYTE
    name = f"memory of a worker: {megabytes:.0f} MB"
    return name, "", "", "", "", "", f"< {_MEMORY} MB", _verdict(met=megabytes < _MEMORY)


def _stored_row(stored: Stored) -> tuple[str, ...]:
    sizes = f"{stored.size / _MEGABYTE:.0f} MB, with {stored.indexes} indexes of "
    name = f"{stored.events:,} events: {sizes}{stored.index_size / _MEGABYTE:.0f} MB"
    return name, "", "", "", "", "", "", ""


def _verdict(*, met: bool) -> str:
    return "ok" if met else "short"


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows[:-2], strict=True)]
    for name, *figures, verdict in rows:
        cells = [name.ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(figures, widths[1:-1], strict=True)]
        yield "  ".join([*cells, verdict]).rstrip()
