"""The last run of each import, so that editors learn of failures."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from calendar_app.domain.kind import Index
from calendar_app.domain.moments import Now
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import equals

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
