"""What an import took, as a table beside what is required."""

from dataclasses import dataclass

_REQUIRED = 3000  # records a second
_CORES = 2
_MEGABYTE, _MICRO = 1_000_000, 1_000_000
_HEADINGS = ("", "seconds", "a second", "Python µs", "mongod µs")


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds by the clock, in all and until the last event was there; seconds of processors.

    ``memory`` are the most bytes that the import and all its processes had at a time.
    """

    wall: float
    filled: float
    python: float
    mongod: float
    mongod_filling: float
    memory: int


def table(records: int, once: Taken, again: Taken) -> str:
    """Return a line for each part of an import, and what is required of all of it.

    Times of processors are those of one record.
    """
    making, making_mongod = once.wall - once.filled, once.mongod - once.mongod_filling
    rows = [
        _HEADINGS,
        _row("records taken in", records, once.filled, once.python, once.mongod_filling),
        _row("indexes made", records, making, 0.0, making_mongod),
        _row("in all", records, once.wall, once.python, once.mongod),
        _row("the same again", records, again.wall, again.python, again.mongod),
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join([name.ljust(widths[0]), *map(str.rjust, figures, widths[1:])])
        for name, *figures in rows
    ]
    rate, busy = records / once.wall, (once.python + once.mongod) / (_CORES * once.wall)
    verdict = "ok" if rate >= _REQUIRED else "short"
    return "\n".join(
        [
            *lines,
            f"{records:,} records, {rate:,.0f} a second; required: >= {_REQUIRED:,}  {verdict}",
            f"{_CORES} processors were busy for {busy:.0%} of the time",
            f"memory of the import: {once.memory / _MEGABYTE:.0f} MB",
        ]
    )


def _row(name: str, records: int, wall: float, python: float, mongod: float) -> tuple[str, ...]:
    each = [f"{_MICRO * spent / records:,.0f}" for spent in (python, mongod)]
    return name, f"{wall:.1f}", f"{records / max(wall, 0.001):,.0f}", *each
