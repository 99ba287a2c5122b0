"""In which order a few records stand by a text, remembered until the next write.

To sort by what a chain of languages shows takes MongoDB longer than to read a page. Terms are few
and seldom change, so their ids are kept in their order.
"""

from array import array
from collections.abc import Collection, Hashable, Sequence
from typing import Any

from calendar_app.domain.kind import Kind
from calendar_app.query.clauses import Clause
from calendar_app.query.stages import by_text
from calendar_app.query.window import ByText, Slice
from calendar_app.storage.store import Store

# Of so many the order is kept: eight kilobytes a list.
_MOST = 1000
# Letters of a clause. Longer ones name many records, and are seldom asked for again.
_LONGEST = 2000


class TextOrders:
    """Knows the orders of kinds that are few."""

    def __init__(self, store: Store) -> None:
        self._store = store
        # Once there were many, there will be: to find out again each time would be in vain.
        self._large: set[str] = set()

    def ids(
        self, kind: Kind, clause: Clause, order: ByText, sorting: dict[str, Any]
    ) -> Sequence[int] | None:
        """Return the ids of all that match, in their order; ``None`` where it is not kept."""

        def ask(keys: Collection[Hashable]) -> dict[Hashable, Sequence[int] | None]:
            stages = by_text(clause, order, Slice(0, _MOST + 1))
            found = self._store.of(kind).aggregate([*stages, {"$project": {"_id": 1}}], **sorting)
            if len(found) > _MOST:
                self._large.add(kind.name)
                return dict.fromkeys(keys)
            return dict.fromkeys(keys, array("q", (record["_id"] for record in found)))

        # Clauses are made of names, numbers, texts and times alone, which tell themselves whole.
        said = repr(clause)
        if kind.has_status or kind.name in self._large or len(said) > _LONGEST:
            return None
        key: Hashable = (said, order)
        return self._store.recalled(f"{kind.name} in order", [key], ask)[key]
