"""The process that does the scheduled work beside the workers, kept running by their master."""

import os
import signal
import sys
import time

import click

from calendar_app.server.child_process import ChildProcess

_COMMAND = (sys.executable, "-m", "calendar_app", "jobs", "--parent")
# Seconds from start to start; each start that fails soon doubles them.
_RESTART_DELAY, _LONGEST_DELAY = 5.0, 60.0
# How a process ends that has nothing to do with its settings.
IDLE = os.EX_CONFIG


class JobsProcess:
    """Runs ``calendar-app jobs``; ``proceed`` starts it again where it has ended."""

    def __init__(self) -> None:
        self._process: ChildProcess | None = None
        self._begun = self._seen = 0.0
        self._delay = _RESTART_DELAY

    def start(self) -> None:
        """Start it, or report that there is no room; it ends when the calling thread ends."""
        self._process, self._begun = None, time.monotonic()
        self._seen = self._begun
        try:
            self._process = ChildProcess([*_COMMAND, str(os.getpid())])
        except OSError as error:
            click.echo(f"No jobs process can be started: {error.strerror}.", err=True)

    def proceed(self) -> None:
        """Start it again where it has ended, and not too soon after its last start.

        One that was idle is left alone until it is replaced.
        """
        process, now = self._process, time.monotonic()
        if process and not process.has_ended():
            self._seen = now
        elif process and process.status == IDLE:
            return
        elif now >= self._begun + self._delay:
            if process:
                line = f"The jobs process {process.obituary()}; another one starts."
                click.echo(line, err=True)
            is_early = self._seen - self._begun < _LONGEST_DELAY
            self._delay = min(2 * self._delay, _LONGEST_DELAY) if is_early else _RESTART_DELAY
            self.start()

    def replace(self, grace: float) -> None:
        """End it within ``grace`` seconds, and start another one, with new code and settings."""
        self.end()
        self.wait(grace)
        self._delay = _RESTART_DELAY
        self.start()

    def end(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Ask it to end."""
        if self._process:
            self._process.end(number)

    def wait(self, seconds: float = 0) -> None:
        """Wait until it has ended; kill it after ``seconds``."""
        process, self._process = self._process, None
        if process:
            process.wait(seconds)
