"""Work that other processes do ahead, and that is taken in its order."""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from typing import TypeVar

from calendar_app.errors import CalendarError
from calendar_app.imports.interpreter import tune_for_records

Item = TypeVar("Item")
Result = TypeVar("Result")

# So many items a process may be ahead of those that were taken.
_AHEAD = 2


def in_order(
    work: Callable[[Item], Result], items: Iterable[Item], processes: int
) -> Iterator[tuple[Item, Result]]:
    """Yield each item with what ``work`` makes of it, in other processes if there are to be any.

    However many items there are, only a few are in memory at a time. ``work`` and what it takes
    and gives must be such as can be sent to a process.
    """
    if processes < 1:
        yield from ((item, work(item)) for item in items)
        return
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _prepare)
    try:
        yield from _taken(pool, work, items, processes * _AHEAD)
    except BrokenProcessPool as error:
        raise CalendarError("A process that read pages has ended.") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _taken(
    pool: ProcessPoolExecutor, work: Callable[[Item], Result], items: Iterable[Item], most: int
) -> Iterator[tuple[Item, Result]]:
    waiting: deque[tuple[Item, Future[Result]]] = deque()
    for item in items:
        waiting.append((item, pool.submit(work, item)))
        if len(waiting) > most:
            first, result = waiting.popleft()
            yield first, result.result()
    for first, result in waiting:
        yield first, result.result()


def _prepare() -> None:
    """Leave Ctrl-C to the process that has started this one, and end with it."""
    tune_for_records()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
