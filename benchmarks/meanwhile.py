"""Work that goes on beside what is measured."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event


@contextmanager
def going_on(
    work: Callable[[Event], object], stop: Callable[[], object] = lambda: None
) -> Iterator[None]:
    """Do the work in a thread as long as the context lasts; it ends when its event is set.

    ``stop`` cuts short what would take longer. What the work has raised is raised at the end.
    """
    over = Event()
    with ThreadPoolExecutor(1) as pool:
        doing = pool.submit(work, over)
        try:
            yield
        finally:
            over.set()
            stop()
            doing.result()
