"""A worker as its master sees it: a process, and a pipe that says when it serves."""

import os
import select
import signal
import socket
import subprocess
import sys
import time
from typing import Self

from calendar_app.embedded.process import how_it_ended

_PROGRAM = (sys.executable, "-m", "calendar_app.server")


class WorkerProcess:
    """A worker that accepts connections from the socket of its master."""

    def __init__(self, process: subprocess.Popen[bytes], ready: int) -> None:
        self.process = process
        self.begun = time.monotonic()
        self._ready = ready  # the end of a pipe from which a byte comes when it serves
        self._served = False

    @classmethod
    def start(cls, listener: socket.socket, factory: str) -> Self:
        """Start a worker on ``listener``; it ends when the thread that called this ends.

        ``factory`` names what makes its application: ``module:function``.
        """
        ready, ready_in_worker = os.pipe()
        arguments = map(str, (listener.fileno(), ready_in_worker, os.getpid()))
        try:
            process = subprocess.Popen(  # noqa: S603 - the program is our own
                [*_PROGRAM, *arguments, factory],
                pass_fds=[listener.fileno(), ready_in_worker],
                # Threads take turns anyway, and each arena keeps what its largest response took.
                env={"MALLOC_ARENA_MAX": "1"} | os.environ,
                start_new_session=True,  # Ctrl-C is for the master
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
        return self._served

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def was_killed(self) -> bool:
        return (self.process.poll() or 0) < 0

    def obituary(self) -> str:
        """Return how the process has ended, in a few words."""
        return f"{self.process.pid} {how_it_ended(self.process.returncode)}"

    def end(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Ask it to end."""
        if not self.has_ended():
            self.process.send_signal(number)

    def wait(self, seconds: float = 0) -> None:
        """Wait until it has ended; kill it after ``seconds``."""
        try:
            self.process.wait(max(0, seconds))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self._ready)
