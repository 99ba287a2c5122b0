"""Changes of several records, a bounded number in each transaction, and the way back from them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from secrets import token_urlsafe
from typing import TypeVar

from calendar_app.accounts.callers import Caller
from calendar_app.calendar.history import changed_paths, values_at, with_values
from calendar_app.calendar.restoring import Restorer
from calendar_app.calendar.writing.changes import WriteConflict
from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.errors import (
    CalendarError,
    DuplicateKey,
    EditConflict,
    Locked,
    NotFound,
    PreconditionFailed,
    Unavailable,
)
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, equals, one_of

UNDO = "undo"
UNDO_INDEXES = (Index((("date", 1),), serves="forgetting after a day", expire_after=24 * 60 * 60),)
_AT_ONCE = 50
MOST_AT_ONCE = 1000
_MOST_PARTS = MOST_AT_ONCE // _AT_ONCE
# They end the transaction in which they are raised.
_ENDING = (DuplicateKey, WriteConflict, Locked, EditConflict, Unavailable)
RecordWrite = Callable[[int], Record]
RefusedRecords = list[tuple[int, CalendarError]]
# How many records of a batch changed, and which were refused.
BatchResult = tuple[int, RefusedRecords]
# A record before its change, and after it.
ChangedPair = tuple[Record, Record]
Shown = TypeVar("Shown")
Show = Callable[[Sequence[ChangedPair]], list[Shown]]


@dataclass(slots=True)
class BulkEditOutcome:
    """How many records were changed, why others were not, and the key to take it back."""

    changed: int = 0
    refused: RefusedRecords = field(default_factory=list)
    key: str = ""

    def add(self, changed: int, refused: RefusedRecords) -> None:
        self.changed += changed
        self.refused += refused


@dataclass(frozen=True, slots=True)
class Several:
    """Changes several records of one store, and takes that back."""

    store: Store
    restorer: Restorer
    kinds: Mapping[str, Kind]
    now: Now

    def change(
        self, kind: Kind, ids: Sequence[int], write: RecordWrite, caller: Caller
    ) -> BulkEditOutcome:
        """Apply ``write`` to each record; it returns the record after it, or refuses.

        The way back is stored with each transaction, so that what is written can be undone.
        """
        outcome, key = BulkEditOutcome(), token_urlsafe(16)
        about = {"user": caller.id, "date": self.now(), "kind": kind.name}
        for part, batch in enumerate(_batches(ids)):
            head = {"_id": _part_id(key, part), **about}
            outcome.add(*self._attempt(batch, partial(self._change, kind, batch, write, head)))
        outcome.key = key if outcome.changed else ""
        return outcome

    def preview(
        self, kind: Kind, ids: Sequence[int], write: RecordWrite, show: Show[Shown]
    ) -> tuple[list[Shown], RefusedRecords]:
        """Return the records that ``write`` would change, rendered by ``show``, and the rest.

        Nothing stays written.
        """
        shown: list[Shown] = []
        outcome = BulkEditOutcome()
        for batch in _batches(ids):
            attempt = partial(self._rehearse, kind, batch, write, show)
            try:
                of_batch, refused = self.restorer.editor.rehearse(attempt)
            except CalendarError as error:
                of_batch, refused = [], [(record_id, error) for record_id in batch]
            shown += of_batch
            outcome.refused += refused
        return shown, outcome.refused

    def undo(self, key: str, caller: Caller, language: str) -> BulkEditOutcome | None:
        """Undo the changes under a key, except for records that changed again since.

        ``None`` where that was too long ago, or somebody else's.
        """
        keys = [_part_id(key, part) for part in range(_MOST_PARTS)]
        parts = self.store[UNDO].find(all_of([one_of("_id", keys), equals("user", caller.id)]))
        outcome = BulkEditOutcome()
        for part in parts:
            batch = [entry["id"] for entry in part["records"]]
            restore = partial(self._take_back, part, caller, language)
            outcome.add(*self._attempt(batch, restore))
        return outcome if parts else None

    def _take_back(self, part: Record, caller: Caller, language: str) -> BatchResult:
        """Restore the records of one transaction, and forget the way back."""
        kind = self.kinds[part["kind"]]
        entries = {entry["id"]: entry for entry in part["records"]}

        def restore(record_id: int) -> Record:
            return self._restore(kind, entries[record_id], caller, language)

        changed, refused = self._write(kind, list(entries), restore)
        self.store[UNDO].remove(equals("_id", part["_id"]))
        return len(changed), refused

    def _attempt(self, batch: Sequence[int], work: Callable[[], BatchResult]) -> BatchResult:
        """Return the outcome of a batch; refuse it as a whole if its transaction fails."""
        try:
            return self.restorer.editor.together(work)
        except CalendarError as error:
            return 0, [(record_id, error) for record_id in batch]

    def _change(
        self, kind: Kind, batch: Sequence[int], write: RecordWrite, head: Record
    ) -> BatchResult:
        changed, refused = self._write(kind, batch, write)
        if changed:
            entries = [_entry(kind, before, after) for before, after in changed]
            self.store[UNDO].insert({**head, "records": entries})
        return len(changed), refused

    def _rehearse(
        self, kind: Kind, batch: Sequence[int], write: RecordWrite, show: Show[Shown]
    ) -> tuple[list[Shown], RefusedRecords]:
        changed, refused = self._write(kind, batch, write)
        return show(changed), refused

    def _write(
        self, kind: Kind, batch: Sequence[int], write: RecordWrite
    ) -> tuple[list[ChangedPair], RefusedRecords]:
        """Return the changed records of a batch, before and after, and the refused ones."""
        before = self._stored(kind, batch)
        refused: RefusedRecords = []
        for record_id in batch:
            try:
                if record_id not in before:
                    raise NotFound(kind.singular, record_id)
                write(record_id)
            except _ENDING:
                raise
            except CalendarError as error:
                refused.append((record_id, error))
        # Events of one series may have followed each other.
        after = self._stored(kind, batch)
        return [
            (before[record_id], record)
            for record_id, record in after.items()
            if record["revision"] != before[record_id]["revision"]
        ], refused

    def _restore(self, kind: Kind, entry: Record, caller: Caller, language: str) -> Record:
        record = self.store.of(kind).first(equals("_id", entry["id"]))
        if record is None or record["revision"] != entry["revision"]:
            raise PreconditionFailed
        state = with_values(record, entry["paths"], entry["before"])
        return self.restorer.write_state(kind, record, state, caller, language)

    def _stored(self, kind: Kind, ids: Sequence[int]) -> dict[int, Record]:
        records = self.store.of(kind).find(one_of("_id", ids))
        return {record["_id"]: record for record in records}


def _entry(kind: Kind, before: Record, after: Record) -> Record:
    paths = changed_paths(kind, before, after)
    return {
        "id": before["_id"],
        "revision": after["revision"],
        "paths": paths,
        "before": values_at(before, paths),
    }


def _part_id(key: str, part: int) -> str:
    return f"{key}.{part}"


def _batches(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for begin in range(0, len(ids), _AT_ONCE):
        yield ids[begin : begin + _AT_ONCE]
