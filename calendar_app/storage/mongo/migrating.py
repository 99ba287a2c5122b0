"""Raises the data format of a database, and converts its documents in batches.

First the next format is announced, and no transaction of an older version ends any more. Then the
mark is raised, and all others write the new format. So one pass over each collection is enough.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from calendar_app.domain.kind import Record
from calendar_app.storage.mongo.formats import FIRST, FORMATS, MARK, MARKS, look_at_mark
from calendar_app.storage.mongo.leases import Leases
from calendar_app.storage.mongo.marks import change_mark, release_writers
from calendar_app.storage.mongo.presence import processes_before, processes_behind
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.transactions import current_session
from calendar_app.storage.query.clauses import EVERYTHING, Clause, after, all_of

_LEASE = "migration"
_BATCH = 200  # documents of a transaction
_PAUSE = 0.2  # seconds
_PATIENCE = 30.0  # seconds for a batch, on slow disks too
# Where the migration of the present format goes on; without it, that migration is done.
POSITION = "migration"


@dataclass(frozen=True, slots=True)
class Migration:
    """Converts the documents of a collection to a ``format``.

    ``update_of`` returns the update of one document, ``None`` where it needs none. It may meet
    documents that are in that format already. Only those that ``clause`` matches are looked at.
    """

    format: int
    collection: str
    update_of: Callable[[Record], Mapping[str, Any] | None]
    clause: Clause = field(default_factory=lambda: EVERYTHING)


class Migrator:
    """Raises the mark of a database and runs ``migrations``, each behind the one before."""

    def __init__(self, store: Store, migrations: Sequence[Migration]) -> None:
        self._store = store
        self._marks = store[MARKS]
        self._migrations = migrations
        self._leases = Leases(store.database)

    def older_processes(self) -> int:
        """Return how many processes would write no more if the mark was raised."""
        return processes_before(self._store.database, self._mark()["format"] + 1)

    def can_raise(self) -> bool:
        """Say whether this version writes a later format, and the last migration is done."""
        mark = self._mark()
        return mark["format"] < FORMATS.newest and POSITION not in mark

    def raise_mark(self) -> None:
        """Raise the mark by one; several processes may do so at once."""
        data_format = self._mark()["format"]
        self._change_mark(data_format, {"$set": {"format": data_format, "next": data_format + 1}})
        raised = {"format": data_format + 1, POSITION: {"step": 0}}
        self._change_mark(data_format, {"$set": raised, "$unset": {"next": ""}})
        look_at_mark(self._store.database)

    def _change_mark(self, data_format: int, update: Record) -> None:
        """Change the mark if it still has that format, and let all writers read it again."""

        def change() -> None:
            session = current_session()
            if session and self._mark()["format"] == data_format:
                change_mark(self._store.database, update, session)

        self._store.transact(change)
        release_writers(self._store.database)

    def convert(self, on_wait: Callable[[], None]) -> int:
        """Convert the documents of the former format; return the number of changed ones."""
        if self._position() is None:
            return 0
        with self._leases.held(_LEASE, on_wait):
            return self._convert()

    def convert_if_free(self) -> int:
        """Do as ``convert``, unless another process does."""
        if self._position() is None:
            return 0
        with self._leases.held_if_free(_LEASE) as is_mine:
            return self._convert() if is_mine else 0

    def _convert(self) -> int:
        while processes_behind(self._store.database, self._mark()["format"]):
            time.sleep(_PAUSE)
        changed = 0
        while self._position() is not None:
            changed += self._store.transact(self._batch, _PATIENCE)
        return changed

    def _mark(self) -> Record:
        return {"format": FIRST, **(self._marks.first(MARK) or {})}

    def _position(self) -> Record | None:
        return self._mark().get(POSITION)

    def _batch(self) -> int:
        """Convert some documents, and note where the next batch begins."""
        mark = self._mark()
        position, steps = mark.get(POSITION), self._steps(mark["format"])
        if position is None:
            return 0
        if position["step"] == len(steps):
            self._marks.change(MARK, {"$unset": {POSITION: ""}})
            return 0
        step = steps[position["step"]]
        rest = after("_id", position["after"]) if "after" in position else EVERYTHING
        collection = self._store[step.collection]
        documents = collection.find(all_of([rest, step.clause]), order=[("_id", 1)], limit=_BATCH)
        updates = [(each["_id"], update) for each in documents if (update := step.update_of(each))]
        if updates:
            collection.change_each([({"_id": each}, update) for each, update in updates])
        next_step = {"step": position["step"] + 1}
        following = {**position, "after": documents[-1]["_id"]} if documents else next_step
        self._marks.change(MARK, {"$set": {POSITION: following}})
        return len(updates)

    def _steps(self, data_format: int) -> Sequence[Migration]:
        return [each for each in self._migrations if each.format == data_format]
