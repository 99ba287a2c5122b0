"""Writes the records of a source in halves where it must, so that few are refused."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from calendar_app.calendar.writing.attempts import rehearse, retry_conflicts
from calendar_app.calendar.writing.changes import NewIds
from calendar_app.errors import CalendarError, Unavailable
from calendar_app.sources.results import Result
from calendar_app.storage.mongo.store import Store

PATIENCE = 60.0  # seconds


class Refusable(Protocol):
    """A record to write."""

    def refusal(self, error: Exception) -> Result:
        """Return the result of a record that the rules of the editor refuse."""


SomeTask = TypeVar("SomeTask", bound=Refusable)


class Halving:
    """Writes tasks in one transaction, each wholly or not at all; a dry run rolls it back.

    Where that fails it is tried with half of them, and so on. Their ``numbers`` go to others.
    """

    def __init__(self, store: Store, numbers: NewIds, *, dry_run: bool) -> None:
        self._store = store
        self._numbers = numbers
        self._attempt = rehearse if dry_run else retry_conflicts

    def write(
        self, tasks: Sequence[SomeTask], write_all: Callable[[Sequence[SomeTask]], list[Result]]
    ) -> list[Result]:
        """Return the result of each task; ``write_all`` writes inside the transaction."""
        try:
            results = self._attempt(self._store, lambda: write_all(tasks), PATIENCE)
        except Unavailable:
            raise
        except (CalendarError, ValueError) as error:
            self._numbers.give_back()
            if len(tasks) == 1:
                return [tasks[0].refusal(error)]
            middle = len(tasks) // 2
            halves = (tasks[:middle], tasks[middle:])
            return [result for half in halves for result in self.write(half, write_all)]
        self._numbers.use_up()
        return results
