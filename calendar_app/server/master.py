"""The master: keeps the workers running, replaces them on SIGHUP, ends them on SIGTERM."""

import queue
import signal
import socket
import time

import click

from calendar_app.server.process import WorkerProcess
from calendar_app.server.reload import Reload

_READY_WITHIN = 60  # seconds
GRACE = 20  # seconds in which requests can end
_TICK = 0.5  # seconds
_RESTART_DELAY = 5  # seconds from start to start of a worker that does not come to serve
_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)


class Master:
    """Runs ``number`` workers on one socket, so that nothing of its queue is lost with a worker.

    ``away`` is the reason why the database could not be reached at the start, ``factory`` names
    what makes the application.
    """

    def __init__(
        self,
        listener: socket.socket,
        number: int,
        away: str = "",
        factory: str = "calendar_app.app:create_app",
    ) -> None:
        self._listener = listener
        self._factory = factory
        self._number = number
        self._signals: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._workers: list[WorkerProcess] = []
        self._retry_at = 0.0
        self._reload = Reload(self._replace_all, away)

    def start(self) -> bool:
        """Start the workers; say whether all of them serve."""
        for number in (*_ENDING, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, lambda number, _: self._signals.put(number))
        self._workers = self._start_all()
        return self._come_to_serve(self._workers)

    def run(self) -> None:
        """Keep the workers running until a signal ends the service."""
        while (number := self._next_signal()) not in _ENDING:
            if number == signal.SIGHUP:
                self._reload.ask()
            self._replace_dead()
            self._reload.proceed()
        self.stop(GRACE if number != signal.SIGQUIT else 0)

    def stop(self, grace: float = 0) -> None:
        """End the workers; the requests that they accepted have ``grace`` seconds to end."""
        self._reload.stop()
        self._listener.close()  # first, so that the last worker to leave it closes it for good
        _end(self._workers, grace)

    def _next_signal(self) -> int:
        try:
            return self._signals.get(timeout=_TICK)
        except queue.Empty:
            return 0

    def _start_all(self) -> list[WorkerProcess]:
        return [self._start_one() for _ in range(self._number)]

    def _start_one(self) -> WorkerProcess:
        return WorkerProcess.start(self._listener, self._factory)

    def _come_to_serve(self, workers: list[WorkerProcess]) -> bool:
        """Wait until all serve; replace those that are killed, but none that refuses."""
        until = time.monotonic() + _READY_WITHIN
        while not all(worker.served(_TICK) for worker in workers):
            ended = [worker for worker in workers if worker.has_ended()]
            if any(not worker.was_killed() for worker in ended):
                return False  # it has said why
            if time.monotonic() > until:
                click.echo(f"Error: No worker serves within {_READY_WITHIN} seconds.", err=True)
                return False
            self._replace(workers)
            time.sleep(_TICK if ended else 0)
        return True

    def _replace_dead(self) -> None:
        if time.monotonic() < self._retry_at:
            return
        try:
            self._replace(self._workers)
        except OSError as error:  # There is no room for one more process or file at the moment.
            click.echo(f"No worker can be started: {error.strerror}.", err=True)
            self._retry_at = time.monotonic() + _RESTART_DELAY

    def _replace(self, workers: list[WorkerProcess]) -> None:
        now = time.monotonic()
        for place, worker in enumerate(workers):
            if worker.has_ended() and (worker.served() or now > worker.begun + _RESTART_DELAY):
                workers[place] = self._start_one()
                worker.wait()
                click.echo(f"Worker {worker.obituary()}; another one starts.", err=True)

    def _replace_all(self) -> bool:
        """Start new workers, and end the former ones if all of the new ones serve."""
        workers = self._start_all()
        if not self._come_to_serve(workers):
            _end(workers)
            return False
        former, self._workers = self._workers, workers
        _end(former, GRACE)
        return True


def _end(workers: list[WorkerProcess], grace: float = 0) -> None:
    until = time.monotonic() + grace
    for worker in workers:
        worker.end(signal.SIGTERM if grace else signal.SIGKILL)
    for worker in workers:
        worker.wait(until - time.monotonic())
