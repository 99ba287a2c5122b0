"""Takes over changed settings: prepares the database for them, then replaces the workers."""

import subprocess
import time
from collections.abc import Callable

import click

from calendar_app.server.preparation import INDEXES, start_command

_RETRY_DELAY = 10  # seconds between attempts to prepare a database that was away at the start
_GOING_ON = "The service goes on as it was."
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
            self._tell(refusal)
        elif self._replaced:
            click.echo(_RELOADED, err=True)
        elif self._replace():
            self._retry_at, self._replaced = 0.0, True
            self._begin()
        else:
            self._tell(_NO_WORKER)

    def _attempt(self, step: Callable[[], None]) -> None:
        try:
            step()
        except OSError as error:  # There is no room for one more process or file at the moment.
            self._tell(f"Error: {error.strerror}.")

    def _tell(self, refusal: str) -> None:
        """Say why the workers stay; repeat no reason for automatic attempts."""
        if not self._retry_at or refusal != self._last_refusal:
            click.echo(f"{refusal} {_GOING_ON}", err=True)
        self._last_refusal = refusal
        if self._retry_at:
            self._retry_at = time.monotonic() + _RETRY_DELAY
