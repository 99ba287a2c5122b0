"""Writes that a part of ours should have followed, on a site that did without it for a while.

A follower keeps something in step with the records, in the transaction of each write. While its
part is off, each write leaves a mark in its place. Where there is a mark, what the follower keeps
is behind the records, and nobody may rely on it until it is made anew.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from uuid import uuid4

from calendar_app.domain.kind import Kind, Record
from calendar_app.storage.mongo.marks import release_writers
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import Clause, all_of, equals

MISSED_WRITES = "missed_writes"


class MissedWrites:
    """The mark of one follower, by the ``name`` of its part."""

    def __init__(self, store: Store, name: str) -> None:
        self._store = store
        self._marks = store[MISSED_WRITES]
        self.clause: Clause = equals("_id", name)

    def note(self, changes: Iterable[tuple[Kind, Record, Record]]) -> None:
        """Leave the mark, in place of the follower.

        Where it is there already, nothing is stored, so that writes do not meet there.
        """
        if any(True for _ in changes):
            self._marks.upsert(self.clause, {"$set": {"missed": True}, "$unset": {"rebuild": ""}})

    def are_there(self) -> bool:
        return self._marks.first(self.clause, ["_id"]) is not None

    @contextmanager
    def making_up(self) -> Iterator[None]:
        """Take the mark away behind a block that makes anew what the follower keeps.

        It stays where another process missed a write meanwhile, or began to do the same.
        """
        token = uuid4().hex
        if self._marks.change(self.clause, {"$set": {"rebuild": token}}):
            # Transactions that saw the mark as it was end now, or are repeated and see this one.
            release_writers(self._store.database)
        yield
        self._marks.remove(all_of([self.clause, equals("rebuild", token)]))
