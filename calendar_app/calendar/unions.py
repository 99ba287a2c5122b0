"""Unions: which venue or organizer another one was united with, and what that has changed."""

from collections.abc import Collection, Iterator, Sequence
from secrets import token_urlsafe

from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, any_of, equals, one_of

UNIONS, UNION_LINKS = "unions", "union_links"
# What an undo needs, with texts of both records.
_UNDO = ("pairs", "stood", "filled", "notes", "dates")
UNION_INDEXES = (Index((("kind", 1), ("kept", 1)), "what was united with a record"),)
UNION_LINK_INDEXES = (Index((("union", 1),), "which events a union has changed"),)


class Unions:
    """The unions of one store: a document for each record that went."""

    def __init__(self, store: Store) -> None:
        self._unions = store[UNIONS]
        self._links = store[UNION_LINKS]

    def note(self, kind: Kind, removed: int, union: Record) -> None:
        """Note a union, with the data of its undo."""
        stored_union = {"kind": kind.name, "record": removed} | union
        self._unions.upsert(equals("_id", _key(kind, removed)), {"$set": stored_union})

    def note_links(
        self, kind: Kind, removed: int, linking: Kind, records: Sequence[Record]
    ) -> None:
        """Note the former links of records."""
        links = [{"id": each["_id"], "links": each[kind.name]} for each in records]
        union = {"_id": token_urlsafe(16), "union": _key(kind, removed)}
        self._links.insert(union | {"kind": linking.name, "records": links})

    def find(self, kind: Kind, removed: int) -> Record | None:
        return self._unions.first(equals("_id", _key(kind, removed)))

    def links(self, kind: Kind, removed: int) -> Iterator[Record]:
        """Yield the batches of records with changed links."""
        yield from self._links.each([{"$match": equals("union", _key(kind, removed))}])

    def forget_links(self, batch: Record) -> None:
        """Forget records that have their earlier links again."""
        self._links.remove(equals("_id", batch["_id"]))

    def forget(self, kind: Kind, removed: int) -> None:
        """Forget a union that was undone."""
        self._unions.remove(equals("_id", _key(kind, removed)))
        self._links.remove(equals("union", _key(kind, removed)))

    def forget_texts(self, kind: Kind, record_ids: Collection[int]) -> None:
        """Let go of the texts of records that are deleted for good; no union is undone then."""
        gone = one_of("_id", [_key(kind, each) for each in record_ids])
        by_kept_record = all_of([equals("kind", kind.name), one_of("kept", record_ids)])
        self._unions.change_all(
            any_of([gone, by_kept_record]), {"$unset": dict.fromkeys(_UNDO, "")}
        )

    def targets(self, kind: Kind, record_ids: Collection[int]) -> dict[int, int]:
        """Return the records that others were united with, across several unions, by these."""
        targets = {each: each for each in record_ids}
        waiting, passed = set(record_ids), set(record_ids)
        while waiting:
            unions = self._unions.find(one_of("_id", [_key(kind, each) for each in waiting]))
            steps = {union["record"]: union["kept"] for union in unions}
            targets = {first: steps.get(last, last) for first, last in targets.items()}
            waiting = set(steps.values()) - passed
            passed |= waiting
        return {first: last for first, last in targets.items() if first != last}


def _key(kind: Kind, record_id: int) -> str:
    return f"{kind.name}/{record_id}"
