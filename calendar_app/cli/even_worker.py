"""A worker of gunicorn that leaves connections to others that have fewer.

All workers wait for connections, and the same one tends to be the first to wake: of four that
stay open, it often gets all, while the others have nothing to do.
"""

import mmap
import os
import sys
import time
from socket import socket
from typing import Any, ClassVar

import click
from gunicorn.workers.gthread import ThreadWorker

from calendar_app.cli.chunked_bodies import refusing_broken_chunks
from calendar_app.cli.unread_bodies import announcing_the_end
from calendar_app.cli.wording import in_one_line
from calendar_app.errors import ConfigurationError

_COURTESY = 0.001  # seconds, in which another worker can take a connection
_RESTART_DELAY = 5  # seconds, after which another worker is tried
# As many workers in a row have places of their own; two that share one are polite to either.
_PLACES = 256
_LONG = 8  # bytes


class EvenWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """Threads of one process, beside other such processes of one master."""

    # Memory that the master shares with its workers: who accepts, and how many connections it has.
    _processes: ClassVar = memoryview(mmap.mmap(-1, _PLACES * _LONG)).cast("q")
    _connections: ClassVar = memoryview(mmap.mmap(-1, _PLACES * _LONG)).cast("q")

    wsgi: Any
    _number = 0

    @property
    def nr_conns(self) -> int:
        """How many connections are open."""
        return self._number

    @nr_conns.setter
    def nr_conns(self, number: int) -> None:
        self._number = number
        self._connections[self._place] = number

    @property
    def _place(self) -> int:
        place: int = self.age % _PLACES
        return place

    def init_signals(self) -> None:
        """Begin to heed signals; what ends the worker may come at a moment that none can end."""
        sys.unraisablehook = _tell_but_for_the_end
        super().init_signals()

    def load_wsgi(self) -> None:
        """Load the application.

        Where the settings have been changed to what makes no sense, end after a pause, so that the
        master tries again. Of any other failure it would conclude that no worker can start.
        """
        try:
            super().load_wsgi()
        except ConfigurationError as error:
            click.echo(f"Error: {in_one_line(error)}", err=True)
            time.sleep(_RESTART_DELAY)
            sys.exit(os.EX_CONFIG)
        self.wsgi = announcing_the_end(refusing_broken_chunks(self.wsgi))

    def set_accept_enabled(self, enabled: bool) -> None:
        """Begin, or cease, to accept connections."""
        super().set_accept_enabled(enabled)
        self._processes[self._place] = os.getpid() if enabled else 0

    def accept(self, listener: socket) -> Any:
        """Accept a connection, unless a worker with fewer takes it first."""
        if self._may_leave_it():
            time.sleep(_COURTESY)
        return super().accept(listener)

    def _may_leave_it(self) -> bool:
        own = self._number
        return own > 0 and any(
            number < own and self._accepts(place)
            for place, number in enumerate(self._connections)
            if self._processes[place]
        )

    def _accepts(self, place: int) -> bool:
        """Say whether the worker is still there; one that was killed could not say goodbye."""
        try:
            os.kill(self._processes[place], 0)
        except OSError:  # It has gone, and a process of somebody else may have its number.
            self._processes[place] = 0
        return self._processes[place] != 0


def _tell_but_for_the_end(unraisable: "sys.UnraisableHookArgs") -> None:
    """Tell of an error that Python cannot raise, in the callback of a weak reference, say.

    Where it is the end that a signal has asked for, the worker ends as soon as it looks up.
    """
    if not isinstance(unraisable.exc_value, SystemExit):
        sys.__unraisablehook__(unraisable)
