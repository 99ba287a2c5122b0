"""Removes files of pictures that no record has: what ended uploads and lost commits left."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from calendar_app.calendar.shown_pictures import number_in
from calendar_app.domain.kind import Kind
from calendar_app.domain.moments import Now
from calendar_app.errors import DuplicateKey
from calendar_app.mongo.backup import require_restored
from calendar_app.mongo.files import FileBucket, Sizes
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import all_of, at_most, equals, one_of

JOB = "sweep-pictures"
# When each job that is not for every few seconds ran last.
JOBS = "jobs"
# A younger file may belong to an upload whose record is not stored yet.
_GRACE = timedelta(days=1)
_EVERY = timedelta(days=1)


@dataclass(slots=True)
class Orphans:
    """Files without a record, unfinished ones, and the bytes of both."""

    files: int = 0
    unfinished: int = 0
    size: int = 0


class PictureSweep:
    """Counts and removes the files without a record, records of ``kind``, of one store."""

    def __init__(self, store: Store, kind: Kind, now: Now) -> None:
        self._store = store
        self._kind = kind
        self._now = now
        self._files = FileBucket(store.database)

    def run_job(self) -> None:
        """Sweep once a day, and log what was removed."""
        orphans = self.sweep_daily()
        if orphans.files or orphans.unfinished:
            counts = {"files": orphans.files, "unfinished": orphans.unfinished}
            structlog.get_logger().info("files swept", job=JOB, **counts, bytes=orphans.size)

    def sweep_daily(self) -> Orphans:
        """Sweep if no process did so for a day; return how many were removed."""
        return self.sweep() if self._is_due() else Orphans()

    def count(self) -> Orphans:
        """Return how many there are."""
        return self._visit(sweeps=False)

    def sweep(self) -> Orphans:
        """Remove them; return how many there were. Two processes may do so at once."""
        return self._visit(sweeps=True)

    def _visit(self, *, sweeps: bool) -> Orphans:
        moment, orphans = self._now() - _GRACE, Orphans()
        for sizes in self._without_record(self._files.stored_before(moment)):
            orphans.files += len(sizes)
            self._note(orphans, sizes, moment, sweeps=sweeps)
        for sizes in self._without_record(self._files.unfinished_before(moment)):
            orphans.unfinished += len(sizes)
            self._note(orphans, sizes, moment, sweeps=sweeps)
        return orphans

    def _note(self, orphans: Orphans, sizes: Sizes, moment: datetime, *, sweeps: bool) -> None:
        orphans.size += sum(sizes.values())
        if sweeps and sizes:
            # While a backup takes its place, all records can be absent.
            require_restored(self._store.database)
            self._files.discard(sizes, moment)

    def _without_record(self, batches: Iterator[Sizes]) -> Iterator[Sizes]:
        """Leave out the files of records, whatever their state, and those of no picture."""
        for sizes in batches:
            numbers = {name: number_in(name) for name in sizes}
            ids = {number for number in numbers.values() if number is not None}
            records = self._store.of(self._kind).find(one_of("_id", ids), fields=["_id"])
            absent = ids - {record["_id"] for record in records}
            yield {name: size for name, size in sizes.items() if numbers[name] in absent}

    def _is_due(self) -> bool:
        """Return whether the last sweep is a day ago, and note that this one begins."""
        jobs, now = self._store[JOBS], self._now()
        own = equals("_id", JOB)
        last = jobs.first(own)
        if last is None:
            try:
                jobs.insert({"_id": JOB, "ran": now})
            except DuplicateKey:
                return False
            return True
        due = at_most("ran", now - _EVERY)
        return last["ran"] <= now - _EVERY and jobs.change(
            all_of([own, due]), {"$set": {"ran": now}}
        )
