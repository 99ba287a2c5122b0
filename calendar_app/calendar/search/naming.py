"""The ids of what a search of several words finds, where its rarest words leave few records.

The texts of those are read once for page, total and facets, and until the next write.
"""

from array import array
from collections.abc import Collection, Sequence

from xxhash import xxh3_128_digest

from calendar_app.domain.kind import Kind
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import Clause, all_of, one_of
from calendar_app.storage.query.words import ids_in_all

# Of more, an index gives a page sooner than their ids do.
_MOST_NAMED = 1000


def ids_with_words(
    store: Store, kind: Kind, rarest: Sequence[Clause], texts: Clause, most: int
) -> Sequence[int] | None:
    """Return the ids of records that match all ``rarest`` clauses and have the ``texts``.

    An index decides each of the clauses. ``None`` where these leave more than ``most`` records, or
    where the ids are too many to name.
    """

    def look_up(keys: Collection[bytes]) -> dict[bytes, Sequence[int] | None]:
        return dict.fromkeys(keys, _ids(store, kind, rarest, texts, most))

    # Clauses are made of names, numbers, texts and times alone, which tell themselves whole.
    key = xxh3_128_digest(repr((rarest, texts, most)).encode())
    return store.cached_lookup(f"{kind.name} with words", [key], look_up)[key]


def _ids(
    store: Store, kind: Kind, rarest: Sequence[Clause], texts: Clause, most: int
) -> Sequence[int] | None:
    records, chosen = store.of(kind), rarest[0]
    if len(rarest) > 1:
        common = records.aggregate(ids_in_all(kind.name, rarest, most + 1))
        if len(common) > most:
            return None
        chosen = one_of("_id", [record["_id"] for record in common])
    confirmed = records.find(all_of([chosen, texts]), limit=_MOST_NAMED + 1, fields=["_id"])
    if len(confirmed) > _MOST_NAMED:
        return None
    return array("q", sorted(record["_id"] for record in confirmed))
