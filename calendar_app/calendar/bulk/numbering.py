"""Ids of records from elsewhere: their own ones, where nobody has those here."""

from collections.abc import Mapping, Sequence

from calendar_app.calendar.bulk.records import ImportedRecord
from calendar_app.domain.kind import Kind
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import one_of

# The sequence goes on behind every id, and programs read none above 2**53 exactly.
_LARGEST_ID = 2**48
# Pictures have no kind of their own here, and take their ids from the sequence of records.
_OTHERS_IN_SEQUENCE: Mapping[str, tuple[str, ...]] = {"records": ("media",)}


class Numbering:
    """Gives new records their ids."""

    def __init__(self, store: Store, kinds: Mapping[str, Kind]) -> None:
        self._store = store
        self._collections = {kind.sequence: _sharing(kind, kinds) for kind in kinds.values()}

    def reserve(self, kind: Kind, highest: int) -> None:
        """Leave the ids up to ``highest`` to records that are to keep theirs."""
        if 0 < highest <= _LARGEST_ID:
            self._store.advance_sequence(kind.sequence, highest)

    def ids(self, kind: Kind, batch: Sequence[ImportedRecord]) -> dict[str, int]:
        """Return an id for each: its own where nobody has it, else a new one."""
        own = {record.id: record.source for record in batch if 0 < record.id <= _LARGEST_ID}
        if own:
            self.reserve(kind, max(own))
        for name in self._collections[kind.sequence] if own else ():
            for record in self._store[name].find(one_of("_id", list(own)), fields=["_id"]):
                own.pop(record["_id"], None)
        kept = {source: record_id for record_id, source in own.items()}
        others = [record.source for record in batch if record.source not in kept]
        if not others:
            return kept
        new = self._store.next_ids(kind.sequence, len(others))
        return kept | dict(zip(others, new, strict=True))


def _sharing(kind: Kind, kinds: Mapping[str, Kind]) -> tuple[str, ...]:
    """Return the collections whose records take their ids from the same sequence."""
    alike = (other.name for other in kinds.values() if other.sequence == kind.sequence)
    return (*alike, *_OTHERS_IN_SEQUENCE.get(kind.sequence, ()))
