"""A table of the figures of calendars of several sizes, with the requirements."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explaining import Examined
from questions import COUNTED, Question
from timing import Timed

from calendar_app.storage.mongo.store import Store

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
    """A question with the times of its answers and the statistics of its plans."""

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
        _sizes_shown(small.timed.page_size, timed.page_size),
        f"{timed.again:.1f}",
        f"{ratio:.2f}" if comparable else "",
        f"{_GROWTH}" if comparable else "",
        _verdict(met=ratio <= _GROWTH) if comparable else "",
        f"{timed.first:.1f}",
        f"{question.most}" if limited else "",
        _verdict(met=timed.first <= question.most) if limited else "",
        *_looked_at(large),
    )


def _sizes_shown(small: int, large: int) -> str:
    return f"{small}/{large}" if small < large else f"{large}"


def _looked_at(answered: Answered) -> tuple[str, str, str]:
    """Return the keys and documents examined per record, and the indexes."""
    total = answered.timed.total
    counting = [examined for examined in answered.examined if examined.counting]
    pages = [examined for examined in answered.examined if not examined.counting]
    looked = [(examined.per(min(total, _PAGE)), examined) for examined in pages[:1]]
    looked += [(examined.per(total), examined) for examined in counting]
    keys = ", ".join(f"{keys:.1f}" for (keys, _), _ in looked)
    documents = ", ".join(f"{documents:.1f}" for (_, documents), _ in looked)
    indexes = dict.fromkeys(index for _, examined in looked for index in examined.indexes)
    return keys, documents, ", ".join(name[:_LONGEST_NAME] for name in indexes)


def _sizes(store: Store) -> Iterator[str]:
    """Yield the disk sizes of the events and their indexes, the largest first."""
    (statistics,) = store["events"].aggregate([{"$collStats": {"storageStats": {}}}])
    storage = statistics["storageStats"]
    room, indexes = storage["storageSize"] / _MEGABYTE, storage["totalIndexSize"] / _MEGABYTE
    yield f"{room:,.0f} MB of events, {storage['nindexes']} indexes of {indexes:,.0f} MB:"
    for name, size in sorted(storage["indexSizes"].items(), key=lambda each: -each[1]):
        yield f"  {size / _MEGABYTE:>8,.1f}  {name.replace('_1', '')}"


def _verdict(*, met: bool) -> str:
    return "ok" if met else "short"


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *figures, last in rows:
        cells = [cell.rjust(width) for cell, width in zip(figures, widths[1:-1], strict=True)]
        yield "  ".join([name.ljust(widths[0]), *cells, last]).rstrip()
