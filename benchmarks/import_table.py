"""A table of the cost of an import, with the required rate."""

from dataclasses import dataclass

_REQUIRED = 700  # records a second
_CORES = 2
_MEGABYTE, _MICRO = 1_000_000, 1_000_000
_HEADINGS = ("", "seconds", "a second", "Python µs", "mongod µs")


@dataclass(frozen=True, slots=True)
class ImportCost:
    """Wall clock seconds, in all and until the last event was stored, and CPU seconds.

    ``memory`` is the peak of the import and its processes, in bytes.
    """

    wall: float
    calendar: float
    python: float
    mongod: float
    mongod_filling: float
    memory: int


def table(records: int, once: ImportCost, again: ImportCost) -> str:
    """Return a line for each part of an import, and the required rate; CPU times are per record."""
    indexing, indexing_mongod = once.wall - once.calendar, once.mongod - once.mongod_filling
    rows = [
        _HEADINGS,
        _row("records imported", records, once.calendar, once.python, once.mongod_filling),
        _row("indexes created", records, indexing, 0.0, indexing_mongod),
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
