"""Changes of several records, a bounded number in each transaction, and the way back from them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from secrets import token_urlsafe

from calendar_app.accounts.policy import Caller
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
# They end the transaction in which they are raised.
_ENDING = (DuplicateKey, WriteConflict, Locked, EditConflict, Unavailable)
RecordWrite = Callable[[int], Record]
RefusedRecords = list[tuple[int, CalendarError]]


@dataclass(slots=True)
class BulkEditOutcome:
    """How many records were changed, why others were not, and the key to take it back."""

    changed: int = 0
    refused: RefusedRecords = field(default_factory=list)
    key: str = ""


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
        """Apply ``write`` to each record; it returns the record after it, or refuses."""
        outcome = BulkEditOutcome()
        entries: list[Record] = []
        for batch in _batches(ids):
            changed, refused = self._attempt(kind, batch, write)
            entries += changed
            outcome.refused += refused
        outcome.changed = len(entries)
        if entries:
            outcome.key = token_urlsafe(16)
            entry = {"_id": outcome.key, "user": caller.id, "date": self.now()}
            self.store[UNDO].insert(entry | {"kind": kind.name, "records": entries})
        return outcome

    def undo(self, key: str, caller: Caller, language: str) -> BulkEditOutcome | None:
        """Undo the changes under a key, except for records that changed again since.

        ``None`` where that was too long ago, or somebody else's.
        """
        own = all_of([equals("_id", key), equals("user", caller.id)])
        change = self.store[UNDO].first(own)
        if change is None:
            return None
        kind, outcome = self.kinds[change["kind"]], BulkEditOutcome()
        entries = {entry["id"]: entry for entry in change["records"]}

        def restore(record_id: int) -> Record:
            return self._restore(kind, entries[record_id], caller, language)

        for batch in _batches(list(entries)):
            changed, refused = self._attempt(kind, batch, restore)
            outcome.changed += len(changed)
            outcome.refused += refused
        self.store[UNDO].remove(own)
        return outcome

    def _attempt(
        self, kind: Kind, batch: Sequence[int], write: RecordWrite
    ) -> tuple[list[Record], RefusedRecords]:
        """Return the changed records of a batch; refuse it as a whole if its transaction fails."""
        try:
            return self.restorer.editor.together(lambda: self._write(kind, batch, write))
        except CalendarError as error:
            return [], [(record_id, error) for record_id in batch]

    def _write(
        self, kind: Kind, batch: Sequence[int], write: RecordWrite
    ) -> tuple[list[Record], RefusedRecords]:
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
            _entry(kind, before[record_id], record)
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


def _batches(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for begin in range(0, len(ids), _AT_ONCE):
        yield ids[begin : begin + _AT_ONCE]
