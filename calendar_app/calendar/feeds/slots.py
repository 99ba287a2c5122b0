"""How many feeds are made at a time, and how they leave room for other requests."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Semaphore

from prometheus_client import Gauge

from calendar_app.errors import Message, Unavailable

_PATIENCE = 20.0  # seconds
_RETRY_AFTER = 5  # seconds
_WAITING = Gauge(
    "calendar_feeds_waiting", "Feeds that wait to be made.", multiprocess_mode="livesum"
)
# Threads take turns every 5 ms by themselves, and a small answer needs several turns.
_BUSY, _PAUSE = 0.002, 0.0005  # seconds


class FeedSlots:
    """A semaphore for feeds; requests that wait too long are refused."""

    def __init__(self, slots: int, patience: float = _PATIENCE) -> None:
        self._free = Semaphore(slots)
        self._patience = patience

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Hold a slot as long as the context lasts; raise ``Unavailable`` where none gets free."""
        with _WAITING.track_inprogress():
            free = self._free.acquire(timeout=self._patience)
        if not free:
            reason = Message("Too many feeds are being read. Try again later.")
            raise Unavailable(reason, _RETRY_AFTER)
        try:
            yield
        finally:
            self._free.release()


class Pace:
    """Pauses long work again and again, so that other threads get the interpreter."""

    def __init__(self) -> None:
        self._paused = time.perf_counter()

    def keep(self) -> None:
        """Pause where the last pause is too long ago."""
        if time.perf_counter() - self._paused > _BUSY:
            time.sleep(_PAUSE)
            self._paused = time.perf_counter()
