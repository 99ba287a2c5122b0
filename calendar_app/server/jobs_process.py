"""The process that does the scheduled work beside the workers, kept running by their master."""

import os
import signal
import subprocess
import sys
import time

import click

from calendar_app.storage.embedded.mongod import how_it_ended

_COMMAND = (sys.executable, "-m", "calendar_app", "jobs", "--parent")
# Seconds from start to start; each start that fails soon doubles them.
_RESTART_DELAY, _LONGEST_DELAY = 5.0, 60.0


class JobsProcess:
    """Runs ``calendar-app jobs``; ``proceed`` starts it again where it has ended."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._begun = 0.0
        self._delay = _RESTART_DELAY

    def start(self) -> None:
        """Start it, or report that there is no room; it ends when the calling thread ends."""
        self._begun = time.monotonic()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the program is our own
                [*_COMMAND, str(os.getpid())],
                env={"MALLOC_ARENA_MAX": "1"} | os.environ,
                start_new_session=True,  # Ctrl-C is for the master
            )
        except OSError as error:
            click.echo(f"No jobs process can be started: {error.strerror}.", err=True)

    def proceed(self) -> None:
        """Start it again where it has ended, and not too soon after its last start."""
        if self._process is None or self._process.poll() is None:
            return
        lasted = time.monotonic() - self._begun
        if lasted < self._delay:
            return
        number, ending = self._process.pid, how_it_ended(self._process.returncode)
        click.echo(f"The jobs process {number} {ending}; another one starts.", err=True)
        is_early = lasted < _LONGEST_DELAY
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
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def wait(self, seconds: float = 0) -> None:
        """Wait until it has ended; kill it after ``seconds``."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            process.wait(max(0, seconds))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
