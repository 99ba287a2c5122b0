"""A public demo that is reset each full hour, in a database of its own.

The new calendar is complete before any worker reads it, so nobody notices a gap. The database and
its files are in a directory that is thrown away; no other data are touched.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from calendar_app.errors import CalendarError
from calendar_app.server.preparation import DEMO, URI, prepare_database
from calendar_app.storage.embedded.supervisor import OwnMongod, start_own_mongod

# Its administrator keeps the password from one demo to the next.
PASSWORD = "DEMO_PASSWORD"  # noqa: S105 - the name of a variable
_DATA = "CALENDAR_DATA"
_HOUR = 3600  # seconds
_NOT_RESET = "The demo cannot begin anew; it goes on as it was until the next hour."


@dataclass(frozen=True, slots=True)
class _Place:
    """A directory with the mongod that runs on it."""

    directory: Path
    mongod: OwnMongod

    def enter(self) -> None:
        """Name it in the environment of all processes that are started from now on."""
        os.environ.update({_DATA: str(self.directory), URI: self.mongod.uri})

    def leave(self) -> None:
        self.mongod.stop()
        shutil.rmtree(self.directory, ignore_errors=True)


class PassingDemo:
    """The demo of this hour; ``binary`` names the mongod that it runs on."""

    def __init__(self, binary: str = "", clock: Callable[[], float] = time.time) -> None:
        self._binary = binary
        self._clock = clock
        self._place: _Place | None = None
        self._ends = 0.0

    def begin(self) -> str:
        """Load the first demo; return the password of its administrator."""
        self._place, password = self._load()
        os.environ[PASSWORD] = password
        self._ends = _next_hour(self._clock())
        return password

    def proceed(self, replace_workers: Callable[[], bool]) -> None:
        """Replace the demo with a fresh one, once its hour is over."""
        if self._place is None or self._clock() < self._ends:
            return
        self._ends, former = _next_hour(self._clock()), self._place
        try:
            new, _ = self._load()
        except (CalendarError, OSError, SystemExit):
            former.enter()
            click.echo(_NOT_RESET, err=True)
            return
        if replace_workers():
            self._place = new
            former.leave()
        else:
            former.enter()
            new.leave()
            click.echo(_NOT_RESET, err=True)

    def stop(self) -> None:
        """End the mongod, and remove all that was written."""
        if self._place:
            self._place.leave()

    def _load(self) -> tuple[_Place, str]:
        directory = Path(tempfile.mkdtemp(prefix="calendar-demo-"))
        place = None
        try:
            place = _Place(directory, start_own_mongod(directory, self._binary))
            place.enter()
            _, password = prepare_database(place.mongod.uri, DEMO)
        except BaseException:
            if place:
                place.mongod.stop()
            shutil.rmtree(directory, ignore_errors=True)
            raise
        return place, password


def _next_hour(now: float) -> float:
    return now - now % _HOUR + _HOUR
