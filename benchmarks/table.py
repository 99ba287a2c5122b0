"""The figures as a table, beside what is required."""

from collections.abc import Iterator, Sequence

from calls import Call
from load import Load

_HEADINGS = ("", "a second", "p50 ms", "p99 ms", "of floor", "times TEC", "required", "")
_MEMORY = 150  # MB, which no worker may take


def table(calls: Sequence[Call], loads: Sequence[Load], memory: int) -> str:
    """Return one line a call, and one for ``memory``, the bytes that the largest worker took.

    The first call is the floor that the others are compared with.
    """
    floor = loads[0].rate
    rows = [
        _HEADINGS,
        *(_row(call, taken, floor) for call, taken in zip(calls, loads, strict=True)),
        _memory_row(memory),
    ]
    return "\n".join(_aligned(rows))


def _row(call: Call, taken: Load, floor: float) -> tuple[str, ...]:
    times = taken.rate / call.reference if call.reference else 0
    return (
        call.name,
        f"{taken.rate:,.0f}",
        f"{1000 * taken.median:.1f}",
        f"{1000 * taken.percentile_99:.1f}",
        f"{taken.rate / floor:.0%}",
        f"{times:.1f}" if times else "",
        f">= {call.required}" if call.required else "",
        _verdict(met=times >= call.required) if call.required else "",
    )


def _memory_row(memory: int) -> tuple[str, ...]:
    megabytes = memory / 1_000_000
    name = f"memory of a worker: {megabytes:.0f} MB"
    return name, "", "", "", "", "", f"< {_MEMORY} MB", _verdict(met=megabytes < _MEMORY)


def _verdict(*, met: bool) -> str:
    return "ok" if met else "short"


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *figures, verdict in rows:
        cells = [name.ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(figures, widths[1:-1], strict=True)]
        yield "  ".join([*cells, verdict]).rstrip()
