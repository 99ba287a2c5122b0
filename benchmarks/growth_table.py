"""The figures of calendars of several sizes as a table, beside what is required."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explaining import Examined
from questions import COUNTED, Question
from timing import Timed

from calendar_app.mongo.store import Store

_HEADINGS = (
    *("", "matches", "shown", "again, ms", "ratio", "<=", "", "first, ms", "<=", ""),
    *("keys a record", "documents", "index"),
)
_GROWTH, _START = 1.5, 5  # times; seconds
_PAGE = 12
_MEGABYTE = 1_000_000
_LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Answered:
    """A question, how long its answers took, and what the database looked at for them."""

    question: Question
    timed: Timed
    examined: Sequence[Examined]


def table(sizes: Sequence[int], measured: Sequence[list[Answered]], start: float, of: Store) -> str:
    """Return one line a question: the largest calendar, beside the smallest where they compare.

    ``start`` is how many seconds the service took to start, ``of`` the largest calendar.
    """
    rows = [_row(small, large) for small, large in zip(measured[0], measured[-1], strict=True)]
    verdict = _verdict(met=start < _START)
    return "\n".join(
        [
            f"{sizes[-1]:,} events, the ratio is to {sizes[0]:,}; 'again': the total is known,",
            "'first': after a write, with its total. Where the small calendar shows fewer events,",
            "'shown' says how many: the ratio is to less work there.",
            *_aligned([_HEADINGS, *rows]),
            f"start of mongod and the service: {start:.1f} s, required < {_START} s: {verdict}",
            *_sizes(of),
        ]
    )


def _row(small: Answered, large: Answered) -> tuple[str, ...]:
    question, timed = large.question, large.timed
    ratio = timed.again / small.timed.again
    comparable = question.grows and timed.status == small.timed.status
    limited = timed.total <= COUNTED
    return (
        question.name,
        f"{timed.total:,}",
        _shown(small.timed.shown, timed.shown),
        f"{timed.again:.1f}",
        f"{ratio:.2f}" if comparable else "",
        f"{_GROWTH}" if comparable else "",
        _verdict(met=ratio <= _GROWTH) if comparable else "",
        f"{timed.first:.1f}",
        f"{question.most}" if limited else "",
        _verdict(met=timed.first <= question.most) if limited else "",
        *_looked_at(large),
    )


def _shown(few: int, many: int) -> str:
    return f"{few}/{many}" if few < many else f"{many}"


def _looked_at(answered: Answered) -> tuple[str, str, str]:
    """Return what was examined for each record of the page, and for each that was counted."""
    total = answered.timed.total
    counting = [one for one in answered.examined if one.counting]
    others = [one for one in answered.examined if not one.counting]
    looked = [(one.per(min(total, _PAGE)), one) for one in others[:1]]
    looked += [(one.per(total), one) for one in counting]
    keys = ", ".join(f"{keys:.1f}" for (keys, _), _ in looked)
    documents = ", ".join(f"{documents:.1f}" for (_, documents), _ in looked)
    indexes = dict.fromkeys(index for _, one in looked for index in one.indexes)
    return keys, documents, ", ".join(name[:_LONGEST_NAME] for name in indexes)


def _sizes(of: Store) -> Iterator[str]:
    """Yield how much room the events and their indexes take, the largest first."""
    (found,) = of["events"].aggregate([{"$collStats": {"storageStats": {}}}])
    told = found["storageStats"]
    room, indexes = told["storageSize"] / _MEGABYTE, told["totalIndexSize"] / _MEGABYTE
    yield f"{room:,.0f} MB of events, {told['nindexes']} indexes of {indexes:,.0f} MB:"
    for name, size in sorted(told["indexSizes"].items(), key=lambda each: -each[1]):
        yield f"  {size / _MEGABYTE:>8,.1f}  {name.replace('_1', '')}"


def _verdict(*, met: bool) -> str:
    return "ok" if met else "short"


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *figures, last in rows:
        cells = [cell.rjust(width) for cell, width in zip(figures, widths[1:-1], strict=True)]
        yield "  ".join([name.ljust(widths[0]), *cells, last]).rstrip()
