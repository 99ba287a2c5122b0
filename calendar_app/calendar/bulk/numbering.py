"""Ids of imported records: their own ones where these are free."""

from collections.abc import Mapping, Sequence

from calendar_app.calendar.bulk.records import ImportedRecord
from calendar_app.domain.kind import Kind
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import one_of

# The sequence continues behind every id, and JavaScript reads none above 2**53 exactly.
_LARGEST_ID = 2**48
# Pictures are not among the kinds, and share the sequence of records.
_MORE_IN_SEQUENCE: Mapping[str, tuple[str, ...]] = {"records": ("media",)}


class Numbering:
    """Gives new records their ids."""

    def __init__(self, store: Store, kinds: Mapping[str, Kind]) -> None:
        self._store = store
        self._collections = {kind.sequence: _sharing(kind, kinds) for kind in kinds.values()}

    def reserve(self, kind: Kind, highest: int) -> None:
        """Reserve the ids up to ``highest`` for records that keep theirs."""
        if 0 < highest <= _LARGEST_ID:
            self._store.advance_sequence(kind.sequence, highest)

    def ids(self, kind: Kind, batch: Sequence[ImportedRecord]) -> dict[str, int]:
        """Return an id for each record: its own if that is free, else a new one."""
        own = {record.id: record.source for record in batch if 0 < record.id <= _LARGEST_ID}
        if own:
            self.reserve(kind, max(own))
        for name in self._collections[kind.sequence] if own else ():
            for record in self._store[name].find(one_of("_id", list(own)), fields=["_id"]):
                own.pop(record["_id"], None)
        ids = {source: record_id for record_id, source in own.items()}
        without = [record.source for record in batch if record.source not in ids]
        new = self._store.next_ids(kind.sequence, len(without)) if without else ()
        return ids | dict(zip(without, new, strict=True))


def _sharing(kind: Kind, kinds: Mapping[str, Kind]) -> tuple[str, ...]:
    """Return the collections that share a sequence with a kind."""
    names = (each.name for each in kinds.values() if each.sequence == kind.sequence)
    return (*names, *_MORE_IN_SEQUENCE.get(kind.sequence, ()))
