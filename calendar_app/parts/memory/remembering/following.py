"""Updates the memory with each write, and rebuilds it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.domain.memory import may_differ, memory_id, remembered
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import Clause, all_of, at_least, at_most, equals, one_of

MEMORY = "memory"
# Of the setting of this part, under which writes that it has missed are noted.
NAME = "translation_memory"
MEMORY_INDEXES = (
    Index((("units.keys", 1), ("record", -1)), serves="texts that are equal, or like a text"),
)
_BATCH = 200
_LAST = 10**16 - 1


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """How many records are remembered, in how many units, and how many were remembered wrong."""

    records: int = 0
    units: int = 0
    mended: int = 0


class Following:
    """Writes the memory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._memory = store[MEMORY]

    def note(self, changes: Iterable[tuple[Kind, Record, Record]]) -> None:
        """Note records before and after a write, in its transaction; either may be empty.

        Where no pair of texts has changed, nothing is written.
        """
        stored, removed_ids = [], []
        for kind, earlier, later in changes:
            if not may_differ(earlier, later):
                continue
            was, now = remembered(kind, earlier), remembered(kind, later)
            if now and now != was:
                stored.append(now)
            elif was and not now:
                removed_ids.append(was["_id"])
        store_documents(self._store, stored, removed_ids)

    def rebuild(self, kinds: Iterable[Kind]) -> Rebuilt:
        """Rebuild the memory of all records of these kinds; the service may run meanwhile."""
        records = units = mended = 0
        for kind in kinds:
            first = 0
            while first <= _LAST:
                ids = self._store.of(kind).find(
                    at_least("_id", first), order=[("_id", 1)], limit=_BATCH, fields=["_id"]
                )
                last = ids[-1]["_id"] if len(ids) == _BATCH else _LAST
                part = self._rebuild_part(kind, first, last)
                first = last + 1
                records, units = records + part.records, units + part.units
                mended += part.mended
        return Rebuilt(records, units, mended)

    def _rebuild_part(self, kind: Kind, first: int, last: int) -> Rebuilt:
        """Rebuild the memory of the records with these ids."""

        def work() -> Rebuilt:
            in_part = all_of([at_least("_id", first), at_most("_id", last)])
            documents = [remembered(kind, each) for each in self._store.of(kind).find(in_part)]
            right = {each["_id"]: each for each in documents if each}
            bounds = memory_id(kind, first), memory_id(kind, last)
            ids = all_of([at_least("_id", bounds[0]), at_most("_id", bounds[1])])
            present = {each["_id"]: each for each in self._memory.find(ids)}
            wrong = [each for name, each in right.items() if present.get(name) != each]
            removed_ids = sorted(present.keys() - right.keys())
            store_documents(self._store, wrong, removed_ids)
            number = sum(len(each["units"]) for each in right.values())
            return Rebuilt(len(right), number, len(wrong) + len(removed_ids))

        return self._store.transact(work)


def store_documents(
    store: Store, documents: Sequence[Record], removed_ids: Sequence[str] = ()
) -> None:
    """Store some documents of the memory and remove others; one command each."""
    if documents:
        store[MEMORY].change_each([_update(each) for each in documents], upsert=True)
    if removed_ids:
        store[MEMORY].remove(one_of("_id", removed_ids))


def _update(document: Record) -> tuple[Clause, Record]:
    content = {name: value for name, value in document.items() if name != "_id"}
    return equals("_id", document["_id"]), {"$set": content}
