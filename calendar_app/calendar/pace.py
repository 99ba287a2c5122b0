"""The pace of long work, at which the same process answers requests meanwhile."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import perf_counter, sleep
from typing import ClassVar, TypeVar

T = TypeVar("T")
# Threads take turns by themselves, but each turn makes a small answer wait for a processor too.
_BUSY, _PAUSE = 0.001, 0.0005  # seconds
# A small answer needs several turns beside a thread that computes: of Python's 5 ms each it takes
# twice as long.
_SHORT_TURN, _USUAL_TURN = 0.0005, sys.getswitchinterval()  # seconds


class Pace:
    """Pauses long work again and again, so that other threads get the interpreter."""

    _pauses: ClassVar[bool] = True

    def __init__(self) -> None:
        self._paused = perf_counter()

    def keep(self) -> None:
        """Pause where the last pause is too long ago."""
        if self._pauses and perf_counter() - self._paused > _BUSY:
            sleep(_PAUSE)
            self._paused = perf_counter()

    @classmethod
    @contextmanager
    def without_pauses(cls) -> Iterator[None]:
        """Let the work of a process go on without a pause, as long as the context lasts."""
        cls._pauses = False
        try:
            yield
        finally:
            cls._pauses = True


@contextmanager
def in_short_turns() -> Iterator[None]:
    """Let the threads of this process take shorter turns as long as the context lasts.

    Always, they would cost a fifth of the requests.
    """
    sys.setswitchinterval(_SHORT_TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(_USUAL_TURN)


def paced(items: Iterable[T]) -> Iterator[T]:
    """Yield items at a pace at which other threads get the interpreter."""
    pace = Pace()
    for item in items:
        pace.keep()
        yield item
