"""Publishes scheduled records that are due."""

from collections.abc import Iterable
from functools import partial

from calendar_app.accounts.callers import ANYONE
from calendar_app.calendar.auditing import Door, through, written_by
from calendar_app.calendar.writing.attempts import retry_conflicts
from calendar_app.calendar.writing.changes import Change
from calendar_app.calendar.writing.writer import SERIES, Writer
from calendar_app.domain.kind import Kind
from calendar_app.domain.statuses import FUTURE, PUBLISH
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import Clause, all_of, at_most, equals

_BATCH = 500  # records of a transaction


class Scheduler:
    """Turns ``future`` into ``publish`` in records of all ``kinds``, in this order."""

    def __init__(self, store: Store, kinds: Iterable[Kind], writer: Writer) -> None:
        self._store = store
        self._kinds = [kind for kind in kinds if kind.has_status]
        self._writer = writer

    def publish_due(self) -> int:
        """Publish all records that are due, and return their number, without the series.

        Safe in several processes at once: each record is published by one of them.
        """
        with through(Door.SERVICE), written_by(ANYONE):
            numbers = {kind.name: self._publish_all(kind) for kind in self._kinds}
        return sum(number for name, number in numbers.items() if name != SERIES)

    def _publish_all(self, kind: Kind) -> int:
        due = all_of([equals("status", FUTURE), at_most("published", self._writer.now())])
        total = 0
        while self._store.of(kind).first(due, ["_id"]):
            total += retry_conflicts(self._store, partial(self._publish_batch, kind, due))
        return total

    def _publish_batch(self, kind: Kind, due: Clause) -> int:
        """Publish some due records; none where another process was faster."""
        records = self._store.of(kind).find(due, limit=_BATCH)
        self._writer.apply(
            [Change(kind, record, {**record, "status": PUBLISH}, "publish") for record in records]
        )
        return len(records)
