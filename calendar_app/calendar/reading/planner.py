"""Plan a list: the pipelines that give its page and its total, each served by an index."""

from array import array
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import visible_to, without_sources
from calendar_app.calendar.search.sources import ListSource, SearchPlanner
from calendar_app.domain.fields import LASTS_UNDER, display_title
from calendar_app.domain.kind import Kind
from calendar_app.domain.moments import Now
from calendar_app.errors import InvalidParameters, Message
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    EVERYTHING,
    NOTHING,
    Clause,
    all_of,
    any_of,
    earliest_end,
    ends_with_start,
    narrow_by_duration,
    not_after,
    not_any,
    not_marked,
    one_of,
    titled_in,
    written_in,
)
from calendar_app.storage.query.distances import (
    by_distance,
    counted_within,
    narrowed,
    shares,
)
from calendar_app.storage.query.geo import by_sphere
from calendar_app.storage.query.list_query import (
    AnyOrder,
    AsListed,
    ByDistance,
    ByRelevance,
    ByText,
    Listing,
    SearchQuery,
    Slice,
)
from calendar_app.storage.query.relevance import by_relevance, by_title_index
from calendar_app.storage.query.stages import (
    Hint,
    Stages,
    as_listed,
    by_own_name,
    by_text,
    collation,
    counted,
    first_in_series,
    page_in_order,
)
from calendar_app.storage.query.words import counted_in_all, sorted_in_all

# In which order records stand by a text: by an index, as it is remembered, or sorted anew.
#
# To sort by what a chain of languages shows takes MongoDB longer than to read a page. Of events
# an index has the titles that the site's own chains show, and those of each language. Terms are
# few and seldom change, so their ids are kept in their order until the next write.

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
            by_name = [(name, order.direction), ("_id", order.direction)]
            return page_in_order(kind.name, clause, by_name, part)
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


# Ids that one clause may name.
_MOST_IDS = 100_000

_FIRST_CHANGED = (("modified", 1), ("_id", 1))
# What ends later than so long ago is most of what is to come, and little of what there is.
_RECENT = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class ListPlan:
    """How MongoDB answers one list.

    ``pages`` are pipelines to try in turn until one gives a full page; the last one gives the whole
    answer. ``total`` makes a document with the ``total`` of all pages. ``options`` go with each
    pipeline of a page.
    """

    pages: Sequence[Stages]
    total: Stages
    options: Mapping[str, Any] = field(default_factory=dict)


class ListPlanner:
    """Chooses the pipelines of lists."""

    def __init__(
        self, store: Store, orders: TextOrders, searching: SearchPlanner, now: Now
    ) -> None:
        self._store = store
        self._orders = orders
        self._searching = searching
        self._now = now

    def plan(self, kind: Kind, listing: Listing, caller: Caller) -> ListPlan:
        """Return how to find the page of a list, and to count all of it.

        Raises ``InvalidParameters`` where more texts would have to be read, or sorted, than
        ``text_limit`` allows.
        """
        source = self.source(kind, listing, caller)
        part = Slice(listing.window.skip, listing.window.size)
        order = listing.order
        options = self._orders.sorting(order) if isinstance(order, ByText) else {}
        return ListPlan(
            self._pages(kind, source, listing, part),
            self._total(kind, source, listing),
            {**options, "hint": source.hint},
        )

    def matches(self, kind: Kind, listing: Listing, caller: Caller) -> Clause:
        """Return the clause of all pages, which says the same at any cluster time.

        With ``first_in_series`` it holds the ids of first events, which a write may change.
        """
        listing = self._with_first_events(kind, listing, caller)
        listed = _listed(kind, listing, caller, self._written_in)
        if listing.search_query is None:
            return listed
        return all_of([listed, self._searching.by_texts(kind, listing.search_query, caller)])

    def source(self, kind: Kind, listing: Listing, caller: Caller) -> ListSource:
        """Return clauses for indexes, equal to ``matches`` at this cluster time."""
        listing = self._with_first_events(kind, listing, caller)
        has_index_fields = (
            bool(listing.written) and kind.found_by_words and self._searching.has_index_fields(kind)
        )
        listed = _listed(kind, listing, caller, titled_in if has_index_fields else self._written_in)
        if listing.search_query is not None:
            return self._search(kind, listing, listing.search_query, listed, caller)
        matches_more_than = partial(self._searching.matches_more_than, kind, listed, listing.circle)
        self._orders.require_few(kind, listing, matches_more_than)
        if self._orders.tells_written(kind, listing):
            in_any_language = replace(listing, written=None)
            return ListSource(
                _listed(kind, in_any_language, caller, self._written_in), counted=listed
            )
        return _by_index(kind, listed, listing, self._now())

    def look_words_up(self, lists: Iterable[tuple[Kind, Listing]], caller: Caller) -> None:
        """Look the words of several lists up at once."""
        searches = [(kind, each.search_query) for kind, each in lists if each.search_query]
        self._searching.look_words_up(searches, caller)

    def _written_in(self, language: str, label: str) -> Clause:
        """Match records that show a name in a language."""
        withheld = self._searching.withheld
        unmarked = not_marked(language, label, withheld) if withheld else EVERYTHING
        return all_of([written_in(language, label), unmarked])

    def _with_first_events(self, kind: Kind, listing: Listing, caller: Caller) -> Listing:
        """Narrow a list to single events and the first one of each series, if it is asked for."""
        if not listing.first_in_series:
            return listing
        listing = replace(listing, first_in_series=False)
        clause = self.source(kind, listing, caller).clause

        def look_up(keys: Collection[str]) -> dict[str, list[int]]:
            firsts = self._store.of(kind).aggregate(first_in_series(clause))
            return dict.fromkeys(keys, sorted(group["first"] for group in firsts))

        key = repr(clause)
        ids = self._store.cached_lookup("first in series", [key], look_up)[key]
        first = any_of([not_after("series", 0), one_of("_id", ids)])
        return replace(listing, clause=all_of([listing.clause, first]))

    def _search(
        self, kind: Kind, listing: Listing, query: SearchQuery, listed: Clause, caller: Caller
    ) -> ListSource:
        source = self._searching.source(kind, query, listed, caller, listing.circle)
        if isinstance(listing.order, ByRelevance):
            return self._by_relevance(kind, query, listed, source, caller)
        if not isinstance(listing.order, ByText):
            return source
        # The index of words has no titles: the matches are named by their ids, and then sorted.
        ids = self._ids(kind, source.clause)
        self._orders.require_few(kind, listing, lambda most: ids is None or len(ids) > most)
        return ListSource(
            self.matches(kind, listing, caller) if ids is None else one_of("_id", ids)
        )

    def _by_relevance(
        self, kind: Kind, query: SearchQuery, listed: Clause, source: ListSource, caller: Caller
    ) -> ListSource:
        """Return a source with a clause for each group, where an order by start finds it soon."""
        if source.are_few:
            return source
        if not query.words:  # Nothing is more relevant than anything else.
            return replace(source, by_title=(source.clause,))
        titles = self._searching.by_title(kind, query, caller)
        if titles is None:
            return source
        if titles.has == NOTHING:
            return replace(source, by_title=(source.clause,))
        groups = (
            all_of([listed, titles.begins]),
            all_of([listed, titles.has, not_any([titles.begins])]),
            all_of([source.clause, not_any([titles.has])]),
        )
        return replace(source, by_title=groups)

    def _pages(self, kind: Kind, source: ListSource, listing: Listing, part: Slice) -> list[Stages]:
        clause = source.clause
        match listing.order:
            case ByText() as order:
                return [self._orders.stages(kind, clause, order, part, listing.written)]
            case AsListed() as order:
                return [as_listed(clause, order, part)]
            case ByDistance() as order:
                circles = (narrowed(clause, order, share) for share in shares(order))
                return [by_distance(kind.name, near, circle, part) for near, circle in circles]
            case ByRelevance() as order:
                return [
                    by_title_index(kind, source.by_title, order, part)
                    if source.by_title
                    else ranked(kind, source.anyhow, listing, order, part)
                ]
            case order if source.is_selective:
                residual = source.residual
                return [sorted_in_all(kind.name, source.indexed, residual, order, part)]
            case order:
                return [page_in_order(kind.name, clause, order, part)]

    def _total(self, kind: Kind, source: ListSource, listing: Listing) -> Stages:
        if listing.circle:
            return counted_within(source.counted or source.clause, listing.circle)
        if source.indexed:
            return counted_in_all(kind.name, source.indexed, source.residual)
        return counted(source.counted or source.clause, {})

    def _ids(self, kind: Kind, clause: Clause) -> list[int] | None:
        """Return the ids of all matches; ``None`` where they are too many to name."""
        records = self._store.of(kind).find(clause, limit=_MOST_IDS + 1, fields=["_id"])
        return [record["_id"] for record in records] if len(records) <= _MOST_IDS else None


def ranked(kind: Kind, clause: Clause, listing: Listing, order: ByRelevance, part: Slice) -> Stages:
    """Return the stages of a slice of a search by relevance."""
    query = listing.search_query or SearchQuery((), (), ())
    return by_relevance(kind, clause, query, order, part)


def _by_index(kind: Kind, listed: Clause, listing: Listing, now: datetime) -> ListSource:
    """Return a source by the index of what was changed, or of durations, or of the circle alone."""
    order = tuple(listing.order) if isinstance(listing.order, Sequence) else ()
    if order == _FIRST_CHANGED and (end := earliest_end(listed)):
        return ListSource(listed, counted=listed, hint=_by_change(kind, end, now))
    by_duration = kind.index_by(LASTS_UNDER)
    if by_duration and listing.circle and order:
        near = by_sphere(listed, "location", listing.circle)
        if near is not listed:
            return ListSource(near, counted=listed)
    lasting = narrow_by_duration(listed, listing.order) if by_duration else listed
    if by_duration is None or lasting is listed:
        return ListSource(listed, counted=listed)
    # Up to a day the lengths leave little to count; without one, as much as the list by start does.
    counted = None if ends_with_start(listed) else listed
    # To compare all indexes for each duration would take MongoDB longer than to read the page.
    return ListSource(lasting, counted=counted, hint=dict(by_duration.fields))


def _by_change(kind: Kind, end: datetime, now: datetime) -> Hint:
    """Return the fields of the index that finds what was changed first, of what ends after ``end``.

    Of what is still on, all is sorted: by change, everything that is over comes before it. To
    compare both ways by itself takes MongoDB half a minute where there are a million events.
    """
    is_still_on = end > now - _RECENT
    index = kind.index_by("status", "hidden", "end_local" if is_still_on else "modified")
    return dict(index.fields) if index else None


def _listed(
    kind: Kind, listing: Listing, caller: Caller, in_language: Callable[[str, str], Clause]
) -> Clause:
    only = in_language(listing.written, kind.label) if listing.written else EVERYTHING
    return all_of([_visible(kind, caller, listing.statuses), listing.clause, only])


def _visible(kind: Kind, caller: Caller, statuses: Collection[str]) -> Clause:
    if not kind.has_status:
        return EVERYTHING
    visible = visible_to(with_rights_on(kind, caller), tuple(statuses))
    return all_of([one_of("status", statuses), visible]) if statuses else visible


def with_rights_on(kind: Kind, caller: Caller) -> Caller:
    """Return a caller with the rights that count for a kind: only events come from sources."""
    return caller if kind.has_links else without_sources(caller)
