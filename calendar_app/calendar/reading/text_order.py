"""In which order records stand by a text: by an index, as it is remembered, or sorted anew.

To sort by what a chain of languages shows takes MongoDB longer than to read a page. Of events an
index has the titles that the site's own chains show, and those of each language. Terms are few and
seldom change, so their ids are kept in their order until the next write.
"""

from array import array
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any

from calendar_app.domain.kind import Kind
from calendar_app.errors import InvalidParameters, Message
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import Clause, display_title
from calendar_app.query.list_query import AnyOrder, ByText, Listing, Slice
from calendar_app.query.stages import Stages, by_own_name, by_text, collation, in_order
from calendar_app.search.sources import SearchPlanner

# Of so many the order is kept: eight kilobytes a list.
_MOST = 1000
# Letters of a clause. Longer ones name many records, and are seldom asked for again.
_LONGEST = 2000


class TextOrders:
    """Knows how to sort; ``collations`` has the locale of each language of the site."""

    def __init__(
        self, store: Store, collations: Mapping[str, str], searching: SearchPlanner
    ) -> None:
        self._store = store
        self._collations = collations
        self._searching = searching
        # Once there were many, there will be: to find out again each time would be in vain.
        self._large: set[str] = set()

    def sorting(self, order: ByText) -> dict[str, Any]:
        """Return the options of a question that make MongoDB compare as readers do."""
        return {"collation": collation(self._collations[order.chain[0]])}

    def require_few(self, kind: Kind, listing: Listing, are_many: Callable[[int], bool]) -> None:
        """Refuse to sort so many texts that no index has sorted that others would have to wait.

        ``are_many`` says whether more are listed than a number.
        """
        chain = listing.order.chain if isinstance(listing.order, ByText) else ()
        if not chain or not kind.found_by_words or listing.written or self._searching.covers(chain):
            return
        most = self._searching.max_texts
        if are_many(most):
            narrow = Message(
                "With this fallback, orderby=title sorts at most {most} records.", most=most
            )
            raise InvalidParameters({"fallback": narrow})

    def tells_written(self, kind: Kind, listing: Listing) -> bool:
        """Return whether the title index already excludes records untitled in the language."""
        order = listing.order
        return isinstance(order, ByText) and self._finds_written(kind, order, listing.written)

    def stages(
        self, kind: Kind, clause: Clause, order: ByText, part: Slice, written: str | None
    ) -> Stages:
        """Return the stages of a slice of a list; ``written`` as in the listing."""
        if self._finds_written(kind, order, written):
            return by_own_name(kind.name, clause, order, part)
        if self._searching.covers(order.chain) and self._is_noted(kind, order):
            name = display_title(order.chain[0])
            return in_order(clause, [(name, order.direction), ("_id", order.direction)], part)
        return by_text(clause, order, part)

    def _finds_written(self, kind: Kind, order: ByText, written: str | None) -> bool:
        alone = written is not None and not self._searching.covers(order.chain)
        return alone and self._is_noted(kind, order)

    def _is_noted(self, kind: Kind, order: ByText) -> bool:
        return order.field == kind.label and self._searching.has_index_fields(kind)

    def ids(self, kind: Kind, clause: Clause, order: AnyOrder) -> Sequence[int] | None:
        """Return the ids of all that match, in their order; ``None`` where it is not kept."""
        if not isinstance(order, ByText):
            return None

        def ask(keys: Collection[Hashable]) -> dict[Hashable, Sequence[int] | None]:
            stages = [*by_text(clause, order, Slice(0, _MOST + 1)), {"$project": {"_id": 1}}]
            records = self._store.of(kind).aggregate(stages, **self.sorting(order))
            if len(records) > _MOST:
                self._large.add(kind.name)
                return dict.fromkeys(keys)
            return dict.fromkeys(keys, array("q", (record["_id"] for record in records)))

        # Clauses are made of names, numbers, texts and times alone, which tell themselves whole.
        clause_text = repr(clause)
        if kind.has_status or kind.name in self._large or len(clause_text) > _LONGEST:
            return None
        key: Hashable = (clause_text, order)
        return self._store.cached_lookup(f"{kind.name} in order", [key], ask)[key]
