"""What was made of whole lists: right until one of their records is written, or another joins."""

from collections.abc import Callable, Collection, Hashable
from typing import TypeVar

from calendar_app.domain.kind import Kind
from calendar_app.storage.cache_memory import size_of
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import Clause

T = TypeVar("T")


class KeptLists:
    """Results by their list, each with the edition at which it was last right."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept = store.cache_memory.cache("lists")

    def of(
        self,
        kind: Kind,
        clause: Clause,
        described: Hashable,
        make: Callable[[], tuple[Collection[int] | None, T]],
    ) -> T:
        """Return what ``make`` makes of all records that match.

        It returns the ids of those too that change the result when they are gone; ``None`` where
        these are not all known, and nothing is kept.
        ``described`` is all else on which the result depends.
        """
        edition = self._store.edition()
        key = (kind.name, repr(clause), described)
        entry = self._kept.get(key)
        ids: Collection[int] | None
        if entry and edition and self._store.is_unwritten(kind, clause, entry[1], entry[0]):
            _, ids, result, size = entry
        else:
            ids, result = make()
            size = size_of((key, ids, result))
        if edition and ids is not None:
            self._kept.keep(key, (edition, ids, result, size), size)
        made: T = result
        return made
