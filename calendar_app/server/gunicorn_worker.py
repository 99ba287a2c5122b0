"""A worker of gunicorn that is replaced where requests hold all of its threads."""

from concurrent.futures import Future

from gunicorn.workers.gthread import ThreadWorker


class AnsweringWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """Sends heartbeats to the master while a thread is free, or requests still begin."""

    _free: "Future[int] | None" = None
    _begun = 0

    def notify(self) -> None:
        """Tell the master, which ends a worker that is silent for the ``timeout``."""
        is_free = self._free is None or self._free.done()
        if is_free and self.alive:
            self._free = self.tpool.submit(int)
        if is_free or self.nr != self._begun or not self.alive:
            self._begun = self.nr
            super().notify()
