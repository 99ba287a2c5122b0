"""The ids of what a search of several words finds, where its rarest words leave few records.

The texts of those are read once for page, total and facets. After a write only the texts of records
that were written are read again.
"""

from array import array
from collections.abc import Callable, Collection, Iterable, Sequence

from xxhash import xxh3_128_digest

from calendar_app.domain.kind import Kind
from calendar_app.storage.mongo.editions import Edition
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import Clause, all_of, one_of
from calendar_app.storage.query.words import ids_in_all

# Of more, an index gives a page sooner than their ids do.
_MOST_NAMED = 1000

Ids = Sequence[int]
# An answer, and the edition at which it was last right.
_Entry = tuple[Ids | None, Edition]


class NamedIds:
    """Finds the ids of searches, and keeps them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._entries = store.cache_memory.cache("look-ups")

    def of(self, kind: Kind, texts: Clause, find: Callable[[], Ids | None]) -> Ids | None:
        """Return the ids of records that have the ``texts``; ``find`` finds them.

        ``None`` where they are too many to name, or were so within the minute.
        """

        def look_up(keys: Collection[bytes]) -> dict[bytes, Ids | None]:
            return {key: self._answer(kind, key, texts, find) for key in keys}

        # Clauses are made of names, numbers, texts and times alone, which tell themselves whole.
        key = xxh3_128_digest(repr((kind.name, texts)).encode())
        return self._store.cached_lookup(f"{kind.name} with words", [key], look_up)[key]

    def _answer(
        self, kind: Kind, key: bytes, texts: Clause, find: Callable[[], Ids | None]
    ) -> Ids | None:
        edition = self._store.edition()
        entry: _Entry | None = self._entries.get(key) if edition else None
        ids_since = _ids_since(kind, entry[1], edition) if entry and edition else None
        if entry is None or ids_since is None:
            ids = find()
        else:
            ids = self._after(kind, entry[0], ids_since, texts) if ids_since else entry[0]
        if edition:
            self._entries.keep(key, (ids, edition))
        return ids

    def _after(
        self, kind: Kind, ids: Ids | None, changed_ids: Collection[int], texts: Clause
    ) -> Ids | None:
        """Return the ids after records were written."""
        if ids is None:
            return None
        clause = all_of([one_of("_id", changed_ids), texts])
        matching = self._store.of(kind).find(clause, fields=["_id"])
        return _few({*ids}.difference(changed_ids).union(record["_id"] for record in matching))


def _ids_since(kind: Kind, former: Edition, edition: Edition) -> Collection[int] | None:
    """Return the ids of the records written since an edition; ``None`` if unknown."""
    ids_by_name = edition.written_since(former)
    return None if ids_by_name is None else ids_by_name.get(kind.name, ())


def ids_with_words(
    store: Store, kind: Kind, rarest: Sequence[Clause], texts: Clause, most: int
) -> Ids | None:
    """Return the ids of records that match all ``rarest`` clauses and have the ``texts``.

    An index decides each of the clauses. ``None`` where these leave more than ``most`` records, or
    where the ids are too many to name.
    """
    records, chosen = store.of(kind), rarest[0]
    if len(rarest) > 1:
        common = records.aggregate(ids_in_all(kind.name, rarest, most + 1))
        if len(common) > most:
            return None
        chosen = one_of("_id", [record["_id"] for record in common])
    confirmed = records.find(all_of([chosen, texts]), limit=_MOST_NAMED + 1, fields=["_id"])
    return _few(record["_id"] for record in confirmed)


def _few(ids: Iterable[int]) -> Ids | None:
    """Return the ids in order; ``None`` of too many to name."""
    ordered = array("q", sorted(ids))
    return ordered if len(ordered) <= _MOST_NAMED else None
