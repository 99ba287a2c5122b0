"""Lets a reload wait until the new workers will find what they need.

gunicorn alone would replace its workers at once on SIGHUP, and end where a new one cannot start.
"""

import signal
import subprocess
import sys
import threading

import click
from gunicorn.arbiter import Arbiter

from calendar_app.cli.wording import in_one_line

# What prepares the database, but drops nothing that other instances and workers need.
INDEXES = ("indexes", "--keep")
_RETRY_DELAY = 10  # seconds between attempts to prepare what was away at the start
_GOING_ON = "The service goes on as it was."
_DONE = "The service has been reloaded, and its database prepared."
_ENDED = "Error: The preparation of the database ended too early."


class Reloading:
    """Prepares the database as the settings are then, beside a master and workers that go on.

    The workers are replaced only where that was done. It is done once more behind that, since the
    former ones note what they write as their settings want it. After a start while the database
    was ``away``, for that reason, this is tried again and again until it is done once.
    """

    def __init__(self, server: Arbiter, away: str = "") -> None:
        self._server = server
        self._replace_workers = server.handle_hup
        self._process: subprocess.Popen[str] | None = None
        # Why the last preparation was not done; empty if it was, None until it has ended.
        self._refusal: str | None = None
        self._asked_again = False
        # Whether the workers have just been replaced, so that this is not to be done again.
        self._replaced = False
        self._timer: threading.Timer | None = None
        self._told = f"Error: {away}" if away else ""
        server.handle_hup = self._proceed
        if away:
            self._try_later()

    def stop(self) -> None:
        """Prepare no longer."""
        self._rest()
        if self._process is not None:
            self._process.terminate()

    def _proceed(self) -> None:
        """Begin to prepare, or go on where that has ended: SIGHUP calls for either.

        All this happens in the thread that forks the workers, so that none inherits a pipe that
        is to be closed.
        """
        if self._refusal is not None:
            refusal, self._refusal, self._process = self._refusal, None, None
            self._conclude(refusal)
        elif self._process is None:
            self._begin()
        else:
            self._asked_again = True

    def _begin(self) -> None:
        try:
            self._process = process = _preparation()
        except OSError as error:  # There is no room for one more process or file at the moment.
            self._conclude(f"Error: {in_one_line(error)}.")
        else:
            threading.Thread(target=self._wait, args=(process,), daemon=True).start()

    def _wait(self, process: subprocess.Popen[str]) -> None:
        # gunicorn waits for all children and may take the status. What is done tells what it did.
        told, error = process.communicate()
        self._refusal = "" if told else error.strip() or _ENDED
        self._server.signal(signal.SIGHUP, None)

    def _conclude(self, refusal: str) -> None:
        behind, self._replaced = self._replaced, False
        if self._asked_again:  # The settings may have changed meanwhile.
            self._asked_again = False
            self._begin()
        elif refusal:
            self._tell(refusal)
            if self._timer is not None:
                self._try_later()
        elif behind:
            click.echo(_DONE, err=True)
        else:
            self._rest()
            self._replace_workers()  # This waits until the former ones have ended.
            self._replaced = True
            self._begin()

    def _tell(self, refusal: str) -> None:
        """Say why the workers stay; of attempts that nobody asked for only what is new."""
        if self._timer is None or refusal != self._told:
            click.echo(f"{refusal} {_GOING_ON}", err=True)
        self._told = refusal

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _try_later(self) -> None:
        self._rest()
        self._timer = threading.Timer(_RETRY_DELAY, self._server.signal, (signal.SIGHUP, None))
        self._timer.daemon = True
        self._timer.start()


def _preparation() -> subprocess.Popen[str]:
    """Start to prepare, in a session of its own: Ctrl-C is for the master, which ends it then."""
    return subprocess.Popen(  # noqa: S603 - the command is our own
        [sys.executable, "-m", "calendar_app", *INDEXES],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
