"""Standard output and error of a service, which wait for nobody.

A pipe that nobody reads, a closed one and a full disk cost lines, never a request or a process.
``logging.handlers.QueueHandler`` would do this for records of ``logging`` alone; here it holds for
all that a process writes. ``O_NONBLOCK`` would hold for the terminal, the parent and the other
workers too: it belongs to the open file that they share.
"""

import atexit
import io
import os
import queue
import select
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import TextIO

_MOST = 1000  # lines that wait; those that come then are dropped
_LINGER = 1.0  # seconds at the end of the process for lines that still wait
_NOWHERE = -1
_STANDARD = {"stdout": 1, "stderr": 2}


class LogStream(io.RawIOBase):
    """A file with writes that return at once: a thread hands them on to ``descriptor``.

    ``count`` is called with the number of writes that were dropped.
    """

    def __init__(self, descriptor: int, count: Callable[[int], None]) -> None:
        self._descriptor = descriptor
        self._count = count
        self._start()
        os.register_at_fork(after_in_child=self._start)

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._descriptor != _NOWHERE and os.isatty(self._descriptor)

    def fileno(self) -> int:
        return self._descriptor

    def write(self, lines: bytes) -> int:  # type: ignore[override]  # no other buffer comes here
        # Never a bounded queue: a handler of signals must not wait for the lock of its own thread.
        if self._waiting.qsize() < _MOST:
            self._waiting.put(bytes(lines))
        else:
            self._count(1)
        return len(lines)

    def drain(self) -> None:
        """Wait a moment for pending lines; later ones are lost."""
        self._waiting.put(None)
        self._thread.join(_LINGER)

    def _start(self) -> None:
        self._waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(
            target=self._hand_on, args=[self._waiting], name="log", daemon=True
        )
        self._thread.start()

    def _hand_on(self, waiting: queue.SimpleQueue[bytes | None]) -> None:
        while (lines := waiting.get()) is not None:
            try:
                _write_all(self._descriptor, lines)
            except OSError:
                self._count(1)


class _Dropped:
    """How many lines this process has dropped, and who else counts them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._uncounted = 0
        self._counter: Callable[[float], None] | None = None

    def add(self, number: int) -> None:
        with self._lock:
            self._uncounted += number
            if self._counter and self._uncounted:
                self._counter(self._uncounted)
                self._uncounted = 0

    def count_with(self, counter: Callable[[float], None]) -> None:
        """Call ``counter`` with the lines dropped so far, and with each that will be."""
        self._counter = counter
        self.add(0)


_dropped = _Dropped()


def detach_log() -> None:
    """Let this process and its forks write their log without waiting for its readers."""
    for name, descriptor in _STANDARD.items():
        present: TextIO | None = getattr(sys, name)
        if present is None:  # it was closed before this process started
            _occupy(descriptor)
            descriptor = _NOWHERE  # noqa: PLW2901 - lines for nobody are dropped lines
        elif isinstance(getattr(present, "buffer", None), LogStream):
            continue
        else:
            with suppress(OSError):
                present.flush()
        stream = LogStream(descriptor, _dropped.add)
        setattr(
            sys, name, io.TextIOWrapper(stream, "utf-8", "backslashreplace", line_buffering=True)
        )
        atexit.register(stream.drain)


@cache
def count_lost_lines() -> None:
    """Count the lines of the log that this process and its forks drop."""
    # The library decides as it is imported whether processes share their figures.
    prometheus = import_module("prometheus_client")
    counter = prometheus.Counter(
        "calendar_log_lines_dropped_total", "Lines of the log that nobody took."
    )
    _dropped.count_with(counter.inc)


def _write_all(descriptor: int, lines: bytes) -> None:
    while lines:
        try:
            lines = lines[os.write(descriptor, lines) :]
        except BlockingIOError:  # somebody who shares the file has made it non-blocking
            select.select([], [descriptor], [])


def _occupy(descriptor: int) -> None:
    """Let no file or socket of this process become its standard output."""
    try:
        os.fstat(descriptor)
    except OSError:
        null = os.open(os.devnull, os.O_WRONLY)
        if null != descriptor:
            os.dup2(null, descriptor)
            os.close(null)
