"""The master: keeps workers and jobs running, replaces them on SIGHUP, ends them on SIGTERM."""

import os
import queue
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from typing import ClassVar, Self

import click

from calendar_app.server.child_process import ChildProcess
from calendar_app.server.jobs_process import JobsProcess
from calendar_app.server.preparation import INDEXES, start_command

_BEATS = 4096  # bytes of a pipe that are read at once
_PROGRAM = (sys.executable, "-m", "calendar_app.server")


class WorkerProcess:
    """A worker that accepts connections from the socket of its master."""

    def __init__(self, process: ChildProcess, ready: int) -> None:
        self.process = process
        self.begun = time.monotonic()
        # The end of a pipe from which a byte comes when it serves, and each second in which it can.
        self._ready = ready
        self._served = False
        self._heard = self.begun

    @classmethod
    def start(cls, listener: socket.socket, factory: str) -> Self:
        """Start a worker on ``listener``; it ends when the thread that called this ends.

        ``factory`` names what makes its application: ``module:function``.
        """
        ready, ready_in_worker = os.pipe()
        arguments = map(str, (listener.fileno(), ready_in_worker, os.getpid()))
        try:
            process = ChildProcess(
                [*_PROGRAM, *arguments, factory], [listener.fileno(), ready_in_worker]
            )
        except BaseException:
            os.close(ready)
            raise
        finally:
            os.close(ready_in_worker)
        return cls(process, ready)

    def served(self, within: float = 0) -> bool:
        """Say whether it has come to serve; wait up to ``within`` seconds for that, or its end."""
        if not self._served and select.select([self._ready], [], [], within)[0]:
            self._served = bool(os.read(self._ready, 1))
            self.excuse()
        return self._served

    def excuse(self) -> None:
        """Count its silence from now on."""
        self._heard = time.monotonic()

    def is_silent_for(self, seconds: float) -> bool:
        """Say whether it serves, and has answered nothing for so long though it was asked."""
        if not self.served():
            return False
        while select.select([self._ready], [], [], 0)[0] and os.read(self._ready, _BEATS):
            self.excuse()
        return not self.process.has_ended() and time.monotonic() - self._heard > seconds

    def was_killed(self) -> bool:
        return (self.process.status or 0) < 0

    def wait(self, seconds: float = 0) -> None:
        """Wait until it has ended; kill it after ``seconds``."""
        self.process.wait(seconds)
        os.close(self._ready)


# Takes over changed settings: prepares the database for them, then replaces the workers.

_RETRY_DELAY = 10  # seconds between attempts to prepare a database that was away at the start
_GOING_ON = "The service goes on as it was."
_BEGUN = "The service is being reloaded: its database is prepared first."
_RELOADED = "The service has been reloaded, and its database prepared."
_NO_WORKER = "Error: The new workers do not start."
_INTERRUPTED = "Error: The preparation of the database ended too early."


class Reload:
    """Prepares the database beside workers that go on, and calls ``replace`` where that was done.

    The database is prepared once more behind that, since the former workers index what they write
    as their settings want it. Where it was ``away`` at the start, for that reason, this is
    repeated until it is done once.
    """

    def __init__(self, replace: Callable[[], bool], away: str = "") -> None:
        self._replace = replace
        self._retry_at = time.monotonic() + _RETRY_DELAY if away else 0.0
        self._last_refusal = f"Error: {away}" if away else ""
        self._preparation: subprocess.Popen[str] | None = None
        self._asked = False
        self._replaced = False

    def ask(self) -> None:
        """Reload as soon as nothing is being prepared."""
        click.echo(_BEGUN, err=True)
        self._asked = True

    def proceed(self) -> None:
        """Do the next step, if the one before is done."""
        if self._preparation is None:
            if self._asked or 0 < self._retry_at < time.monotonic():
                self._asked = self._replaced = False
                self._attempt(self._begin)
        elif self._preparation.poll() is not None:
            _, error = self._preparation.communicate()
            failed, self._preparation = self._preparation.returncode != 0, None
            if not self._asked:  # else the settings may have changed meanwhile
                self._attempt(
                    lambda: self._conclude(error.strip() or _INTERRUPTED if failed else "")
                )

    def stop(self) -> None:
        """Prepare no longer."""
        if self._preparation is not None:
            self._preparation.terminate()
            self._preparation.communicate()

    def _begin(self) -> None:
        self._preparation = start_command(INDEXES)

    def _conclude(self, refusal: str) -> None:
        if refusal:
            self._report_refusal(refusal)
        elif self._replaced:
            click.echo(_RELOADED, err=True)
        elif self._replace():
            self._retry_at, self._replaced = 0.0, True
            self._begin()
        else:
            self._report_refusal(_NO_WORKER)

    def _attempt(self, step: Callable[[], None]) -> None:
        try:
            step()
        except OSError as error:  # There is no room for one more process or file at the moment.
            self._report_refusal(f"Error: {error.strerror}.")

    def _report_refusal(self, refusal: str) -> None:
        """Report why the workers stay; repeat no reason for automatic attempts."""
        if not self._retry_at or refusal != self._last_refusal:
            click.echo(f"{refusal} {_GOING_ON}", err=True)
        self._last_refusal = refusal
        if self._retry_at:
            self._retry_at = time.monotonic() + _RETRY_DELAY


# The master itself.

_READY_WITHIN = 60  # seconds
GRACE = 20  # seconds in which requests can end
_TICK = 0.5  # seconds
_ABSENCE = 5  # seconds after which the master was away itself, as a paused container is
_RESTART_DELAY = 5  # seconds from start to start of a worker that does not come to serve
# The alarm is that of a demo which begins again.
_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGALRM)


class Master:
    """Runs ``number`` workers on one socket, so that a lost worker loses no queued connection.

    ``away`` is the reason why the database could not be reached at the start, ``factory`` names
    what makes the application. One that answers nothing for ``silence`` seconds is replaced.
    Without ``jobs`` a worker does the scheduled work.
    """

    silence: ClassVar[float] = 60

    def __init__(
        self,
        listener: socket.socket,
        number: int,
        away: str = "",
        factory: str = "calendar_app.app:create_app",
        jobs: JobsProcess | None = None,
    ) -> None:
        self._listener = listener
        self._factory = factory
        self._jobs = jobs
        self._number = number
        self._signals: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._workers: list[WorkerProcess] = []
        self._retry_at = 0.0
        self._listened = time.monotonic()
        self._reload = Reload(self._replace_all, away)

    def start(self) -> bool:
        """Start the workers; say whether all of them serve."""
        for number in (*_ENDING, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, lambda number, _: self._signals.put(number))
        self._workers = self._start_all()
        serves = self._come_to_serve(self._workers)
        if serves and self._jobs:
            self._jobs.start()
        return serves

    def run(self) -> int:
        """Keep the workers running until a signal ends the service; return its number."""
        while (number := self._next_signal()) not in _ENDING:
            if number == signal.SIGHUP:
                self._reload.ask()
            self._end_silent()
            self._replace_dead()
            if self._jobs:
                self._jobs.proceed()
            self._reload.proceed()
        self.stop(GRACE if number != signal.SIGQUIT else 0)
        return number

    def stop(self, grace: float = 0) -> None:
        """End the workers; the requests that they accepted have ``grace`` seconds to end."""
        self._reload.stop()
        self._listener.close()  # first, so that the last worker to leave it closes it for good
        if self._jobs:
            self._jobs.end(signal.SIGTERM if grace else signal.SIGKILL)
        _end(self._workers, grace)
        if self._jobs:
            self._jobs.wait(grace)

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
        """Wait until all workers serve; replace killed ones, but none that refuses to start."""
        until = time.monotonic() + _READY_WITHIN
        while not all(worker.served(_TICK) for worker in workers):
            ended = [worker for worker in workers if worker.process.has_ended()]
            if any(not worker.was_killed() for worker in ended):
                return False  # it has said why
            if time.monotonic() > until:
                click.echo(f"Error: No worker serves within {_READY_WITHIN} seconds.", err=True)
                return False
            self._replace(workers)
            time.sleep(_TICK if ended else 0)
        return True

    def _end_silent(self) -> None:
        """Kill workers that answer nothing; their silence counts only while somebody listens."""
        now = time.monotonic()
        away, self._listened = now - self._listened > _ABSENCE, now
        for worker in self._workers:
            if away:
                worker.excuse()
            elif worker.is_silent_for(self.silence):
                number = worker.process.pid
                click.echo(f"Worker {number} answers nothing for {self.silence:g} s.", err=True)
                worker.process.end(signal.SIGKILL)

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
            if worker.process.has_ended() and (
                worker.served() or now > worker.begun + _RESTART_DELAY
            ):
                workers[place] = self._start_one()
                worker.wait()
                click.echo(f"Worker {worker.process.obituary()}; another one starts.", err=True)

    def _replace_all(self) -> bool:
        """Start new workers, and end the former ones if all of the new ones serve."""
        workers = self._start_all()
        if not self._come_to_serve(workers):
            _end(workers)
            return False
        former, self._workers = self._workers, workers
        _end(former, GRACE)
        if self._jobs:
            self._jobs.replace(GRACE)
        return True


def _end(workers: list[WorkerProcess], grace: float = 0) -> None:
    until = time.monotonic() + grace
    for worker in workers:
        worker.process.end(signal.SIGTERM if grace else signal.SIGKILL)
    for worker in workers:
        worker.wait(until - time.monotonic())
