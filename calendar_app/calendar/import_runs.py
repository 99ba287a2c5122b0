"""Runs of imports: one at a time, and the last one of each source.

A lease in the database lets one process at a time do some work. It ends by itself unless it is
renewed: a killed process gives it back within ``_SECONDS``.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from calendar_app.domain.kind import Index
from calendar_app.domain.moments import Now
from calendar_app.errors import CalendarError, DuplicateKey
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import after, all_of, at_most, equals

LEASES = "leases"
_SECONDS = 15.0
_PAUSE = 0.2  # seconds


@dataclass(slots=True)
class Hold:
    """A lease that is held, ``until`` a moment of the monotonic clock unless it is renewed."""

    until: float

    @property
    def lasts(self) -> bool:
        return time.monotonic() < self.until

    def give_up(self) -> None:
        """Begin nothing more under this lease."""
        self.until = 0.0


class Leases:
    """Leases by name; they last ``seconds`` without being renewed."""

    def __init__(self, store: Store, seconds: float = _SECONDS) -> None:
        self._leases = store[LEASES]
        self._seconds = seconds

    @contextmanager
    def held(self, name: str, on_wait: Callable[[], None]) -> Iterator[None]:
        """Hold a lease during the block, renewed; call ``on_wait`` once if it has to wait."""
        holder, end = uuid4().hex, threading.Event()
        if not self._take(name, holder):
            on_wait()
            while not self._take(name, holder):
                end.wait(_PAUSE)
        with self._renewed(name, holder, end):
            yield

    @contextmanager
    def held_if_free(self, name: str) -> Iterator[Hold | None]:
        """Hold a lease during the block, renewed; ``None`` where somebody else has it."""
        holder, end, begin = uuid4().hex, threading.Event(), time.monotonic()
        if not self._take(name, holder):
            yield None
            return
        hold = Hold(begin + self._seconds)
        with self._renewed(name, holder, end, hold):
            yield hold

    def is_held(self, name: str) -> bool:
        """Say whether a process holds a lease at the moment."""
        now = datetime.now(UTC).replace(tzinfo=None)
        return self._leases.first(all_of([equals("_id", name), after("until", now)])) is not None

    @contextmanager
    def _renewed(
        self, name: str, holder: str, end: threading.Event, hold: Hold | None = None
    ) -> Iterator[None]:
        renewing = threading.Thread(target=self._renew, args=(name, holder, end, hold), daemon=True)
        renewing.start()
        try:
            yield
        finally:
            end.set()
            renewing.join()
            self._leases.remove(_of(name, holder))

    def _take(self, name: str, holder: str) -> bool:
        """Take a lease that nobody has, or that has ended."""
        now = datetime.now(UTC).replace(tzinfo=None)
        terms = {"holder": holder, "until": self._until()}
        ended = all_of([equals("_id", name), at_most("until", now)])
        if self._leases.change(ended, {"$set": terms}):
            return True
        try:
            self._leases.insert({"_id": name, **terms})
        except DuplicateKey:
            return False
        return True

    def _renew(self, name: str, holder: str, end: threading.Event, hold: Hold | None) -> None:
        while not end.wait(self._seconds / 3):
            begin = time.monotonic()
            # An outage may be over in time.
            with suppress(CalendarError):
                update = {"$set": {"until": self._until()}}
                if self._leases.change(_of(name, holder), update) and hold and hold.lasts:
                    hold.until = begin + self._seconds

    def _until(self) -> datetime:
        return datetime.now(UTC).replace(tzinfo=None) + timedelta(seconds=self._seconds)


def _of(name: str, holder: str) -> dict[str, object]:
    return all_of([equals("_id", name), equals("holder", holder)])


# The last run of each import, so that editors learn of those that failed.

IMPORT_RUNS = "import_runs"
_YEAR = 366 * 24 * 60 * 60
IMPORT_RUN_INDEXES = (
    Index((("finished", 1),), serves="forgetting runs after a year", expire_after=_YEAR),
    Index((("failed", 1), ("finished", -1)), serves="runs that failed, the last one first"),
)
_MOST_PROBLEMS, _MOST_RUNS = 5, 10


@dataclass(frozen=True, slots=True)
class ImportRun:
    """A run of an import: the number of refused records, and the first problems in words."""

    source: str
    refused: int = 0
    problems: Sequence[str] = field(default_factory=tuple)
    finished: datetime | None = None


class ImportRuns:
    """Remembers the last run of each source."""

    def __init__(self, store: Store, now: Now) -> None:
        self._runs = store[IMPORT_RUNS]
        self._now = now

    def note(self, run: ImportRun) -> None:
        """Remember a run that has ended, in place of the one before from that source."""
        document = {
            "finished": self._now(),
            "failed": bool(run.problems),
            "refused": run.refused,
            "problems": list(run.problems[:_MOST_PROBLEMS]),
        }
        self._runs.upsert(equals("_id", run.source), {"$set": document})

    def failed(self) -> list[ImportRun]:
        """Return the runs that failed or refused records, the last one first."""
        runs = self._runs.find(equals("failed", True), order=(("finished", -1),), limit=_MOST_RUNS)
        return [
            ImportRun(run["_id"], run["refused"], run["problems"], run["finished"]) for run in runs
        ]
