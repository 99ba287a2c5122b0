"""Reads of records, limited to the caller's rights."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TypeVar

from calendar_app.accounts.callers import Caller, Right
from calendar_app.accounts.policy import (
    OWNERSHIP,
    may_edit,
    may_read,
    readable_by,
    unlocked_for,
    visible_to,
)
from calendar_app.calendar.auditing import note_password
from calendar_app.calendar.reading.facets import Facet, FacetCounts, Facets
from calendar_app.calendar.reading.kept_lists import KeptLists
from calendar_app.calendar.reading.links import (
    CachedRecords,
    Linked,
    Links,
    SeriesFacts,
    SeriesReader,
)
from calendar_app.calendar.reading.planner import ListPlan, ListPlanner, TextOrders, with_rights_on
from calendar_app.calendar.reading.provenance import HIDDEN_OF_NOTES, ProvenanceReader
from calendar_app.calendar.reading.terms import TermReader
from calendar_app.calendar.search.sources import ListSource, SearchPlanner
from calendar_app.calendar.slugs import FormerSlugs, slug_key
from calendar_app.calendar.unions import Unions
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.ledger import LEDGER
from calendar_app.domain.moments import Now
from calendar_app.domain.slugs import dated_slug
from calendar_app.domain.statuses import TRASH, opens
from calendar_app.errors import InvalidParameters, NoLongerAvailable, NotReadable, PasswordRequired
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    EVERYTHING,
    Clause,
    all_of,
    equals,
    identified,
    none_of,
    not_any,
    one_of,
)
from calendar_app.storage.query.distances import counted_within, with_distance
from calendar_app.storage.query.list_query import ByText, Listing, Order, Page
from calendar_app.storage.query.stages import Stages, counted, ids_together, referred_to
from calendar_app.storage.query.words import as_shown

# Which records events refer to, without a look at each of a great many events.

_EVENTS = "events"
# Nearly all venues of a calendar are those of some thousand events. For each of the others MongoDB
# is asked for one event, which takes as long as a look at sixty.
_MOST_LOOKED_AT = 5000
_BY_START: Order = (("start_local", 1), ("_id", 1))


def referred_to_by_events(store: Store, name: str, clause: Clause) -> set[int]:
    """Return the ids of all that events which match refer to by the field and kind ``name``."""
    looked_at = store[_EVENTS].aggregate(ids_together(name, clause, _MOST_LOOKED_AT + 1))
    ids = {each for together in looked_at for each in together["_id"]}
    if sum(together["number"] for together in looked_at) <= _MOST_LOOKED_AT:
        return ids
    unseen = store[name].find(none_of("_id", ids), fields=["_id"])
    stages = referred_to([record["_id"] for record in unseen], _EVENTS, name, clause)
    return ids | {record["_id"] for record in store[name].aggregate(stages)}


# Run the plan of a list: one page, and its total when somebody asks for it.


class Lists:
    """Answers lists."""

    def __init__(self, store: Store, planner: ListPlanner, orders: TextOrders) -> None:
        self._store = store
        self._planner = planner
        self._orders = orders

    def page(
        self,
        kind: Kind,
        listing: Listing,
        caller: Caller,
        fields: Sequence[str] = (),
        *,
        with_ledger: bool = False,
    ) -> Page:
        """Return one page, and the total."""
        as_listed = _as_listed(caller, with_ledger=with_ledger)
        window, records = listing.window, self._store.of(kind)
        ids = None
        if isinstance(listing.order, ByText):
            matches = self._planner.matches(kind, listing, caller)
            ids = self._orders.ids(kind, matches, listing.order)
        if ids is not None:
            part = ids[window.skip : window.skip + window.size]
            page = self._by_ids(kind, part, as_listed)
            return Page(page, window, lambda: len(ids))
        plan = self._planner.plan(kind, listing, caller)
        projection = {"$project": dict.fromkeys(fields, 1) if fields else as_listed}
        measured = with_distance(listing.measured) if listing.measured else []
        page = []
        for stages in plan.pages:
            page = records.aggregate([*stages, *measured, projection], **plan.options)
            if len(page) == window.size:
                break
        # A page that is not full tells the total.
        if 0 < len(page) < window.size or not (page or window.skip):
            total = window.skip + len(page)
            return Page(page, window, lambda: total)
        return Page(page, window, lambda: self._total(kind, listing, caller, plan))

    def by_groups(
        self, kind: Kind, listing: Listing, groups: Sequence[Clause], caller: Caller
    ) -> list[Record]:
        """Return the first page of a list; a record stands with the first group that it matches."""
        pipelines = []
        for place, group in enumerate(groups):
            others = [not_any(groups[:place])] if place else []
            own = replace(listing, clause=all_of([group, *others]))
            plan = self._planner.plan(kind, own, caller)
            pipelines.append((kind.name, [*plan.pages[-1], {"$project": _as_listed(caller)}]))
        return self._store.first_of_all(pipelines, listing.window.size)

    def total(self, kind: Kind, listing: Listing, caller: Caller) -> int:
        """Return how many records there are on all pages."""
        return self._total(kind, listing, caller, self._planner.plan(kind, listing, caller))

    def _total(self, kind: Kind, listing: Listing, caller: Caller, plan: ListPlan) -> int:
        matches = self._planner.matches(kind, listing, caller)
        circle = listing.circle
        among = partial(counted_within, circle=circle) if circle else partial(counted, values={})
        return self._store.total(kind, matches, plan.total, among)

    def _by_ids(self, kind: Kind, ids: Sequence[int], fields: Mapping[str, int]) -> list[Record]:
        """Return the records with these ids, in this order."""
        records = self._store.of(kind).find(one_of("_id", ids), fields=fields)
        return sorted(records, key=lambda record: ids.index(record["_id"]))


def _as_listed(caller: Caller, *, with_ledger: bool = False) -> dict[str, int]:
    """Return the projection of a list."""
    # Lists tell of the ledger by its marks.
    shown = as_shown() if with_ledger else {**as_shown(), LEDGER: 0}
    # What a source says of an event is for those who may edit it.
    return shown if caller.may(Right.EDIT) else shown | dict.fromkeys(HIDDEN_OF_NOTES, 0)


Result = TypeVar("Result")


class Reader:
    """Finds records."""

    def __init__(
        self,
        store: Store,
        collations: Mapping[str, str],
        searching: SearchPlanner,
        now: Now,
    ) -> None:
        """Read from ``store``; ``collations`` has the locale of each language of the site."""
        self._store = store
        # All that work reads is of one moment; of which edition, and what is cached for that.
        self.in_snapshot = store.in_snapshot
        self.edition = store.edition
        self.latest_edition = store.latest_edition
        self.cached_values = store.cached_values
        self._series = SeriesReader(store, now)
        self._links = Links(store)
        self._facets = Facets(store)
        self.provenance = ProvenanceReader(store)
        self.terms = TermReader(store, tuple(collations))
        self.text_orders = TextOrders(store, collations, searching)
        self._planner = ListPlanner(store, self.text_orders, searching, now)
        self._lists = Lists(store, self._planner, self.text_orders)
        self._languages = tuple(collations)
        self._kept_lists = KeptLists(store)
        # What pages make of facets, with all that it shows.
        self.kept_choices = store.cache_memory.cache("filters")

    def search(
        self,
        kind: Kind,
        listing: Listing,
        caller: Caller,
        fields: Sequence[str] = (),
        *,
        with_ledger: bool = False,
    ) -> Page:
        """Return one page of the visible records, and the total; with ``fields`` no others."""
        return self._lists.page(kind, listing, caller, fields, with_ledger=with_ledger)

    def search_by_groups(
        self, kind: Kind, listing: Listing, groups: Sequence[Clause], caller: Caller
    ) -> list[Record]:
        """Return the first page of the visible records, in one query, by the order of ``groups``.

        A record stands with the first group that it matches, and in each by the listing's order.
        """
        return self._lists.by_groups(kind, listing, groups, caller)

    def kept_list(
        self,
        kind: Kind,
        listing: Listing,
        caller: Caller,
        described: Hashable,
        make: Callable[[], tuple[Collection[int] | None, Result]],
    ) -> Result:
        """Return what ``make`` makes of all pages of a list, as ``KeptLists`` have it."""
        clause = self._planner.matches(kind, listing, caller)
        return self._kept_lists.of(kind, clause, described, make)

    def totals(self, lists: Sequence[tuple[Kind, Listing]], caller: Caller) -> list[int]:
        """Count several lists in one query, beside look-ups of words."""
        self._planner.look_words_up(lists, caller)
        counting = [(kind.name, self._counting(kind, each, caller)) for kind, each in lists]
        return self._store.totals(counting)

    def _counting(self, kind: Kind, listing: Listing, caller: Caller) -> Stages:
        try:
            return self._planner.plan(kind, replace(listing, order=_BY_START), caller).total
        except InvalidParameters:
            # As a list of its own it is refused; beside others its texts are read.
            return counted(self.clause(kind, listing, caller), {})

    def clause(self, kind: Kind, listing: Listing, caller: Caller) -> Clause:
        """Return the clause of a list, limited to visible records."""
        return self._planner.matches(kind, listing, caller)

    def source(self, kind: Kind, listing: Listing, caller: Caller) -> ListSource:
        """Return the source for ``clause`` at this cluster time."""
        return self._planner.source(kind, listing, caller)

    def total(self, kind: Kind, listing: Listing, caller: Caller) -> int:
        """Return how many records a list has on all pages."""
        return self._lists.total(kind, listing, caller)

    def count_facets(
        self, kind: Kind, listing: Listing, facets: Mapping[str, Facet], caller: Caller
    ) -> FacetCounts:
        """Count the events of a list, on all pages, by each facet."""
        listing = replace(listing, order=_BY_START)

        def find() -> tuple[Clause, int]:
            source = self._planner.source(kind, listing, caller)
            return source.anyhow, self._lists.total(kind, listing, caller)

        return self._facets.count(self.clause(kind, listing, caller), facets, find)

    def find(self, kind: Kind, record_id: int) -> Record | None:
        return self._store.of(kind).first(identified(record_id), as_shown())

    def find_occurrence(self, kind: Kind, series_id: int, date: datetime) -> Record | None:
        """Return the event of a series that starts then by the rule, on the wall clock."""
        clause = all_of([equals("series", series_id), equals("recurrence_id", date)])
        return self._store.of(kind).first(clause, as_shown())

    def find_by_slug(
        self, kind: Kind, slug: str, chain: Sequence[str], readable: Clause
    ) -> Record | None:
        """Return the ``readable`` record with this slug in any language, by the order of those.

        The slug of a series is that of its next event, else of its last one. An occurrence is found
        by the slug that it shows too, unless another record has it.
        """
        tags = tuple(dict.fromkeys((*chain, *self._languages)))
        keys = [slug_key(tag, each) for each in _spellings(slug) for tag in tags]
        clause = all_of([one_of("slugs", keys), readable])
        records = self._store.of(kind).find(clause, fields=as_shown())
        ranked = (
            (keys.index(k), n) for n, r in enumerate(records) for k in r["slugs"] if k in keys
        )
        best = min(ranked, default=None)
        if best is None and kind.has_links:
            return self._series.next_occurrence(keys, readable)
        return records[best[1]] if best else None

    def series_of(self, records: Sequence[Record], caller: Caller) -> Mapping[int, SeriesFacts]:
        """Return the facts about the series of events, by the id of the series."""
        return self._series.facts(records, caller)

    def moved_to(self, kind: Kind, slug: str, chain: Sequence[str], caller: Caller) -> str | None:
        """Return the slug of the record that had this one, if the caller may read it."""
        tags = tuple(dict.fromkeys((*chain, *self._languages)))
        kinds = (kind, replace(kind, name="series")) if kind.has_links else (kind,)
        slugs = FormerSlugs(self._store)
        former_slugs = (
            slugs.find(each, spelling, tags, readable(each, caller))
            for spelling in _spellings(slug)
            for each in kinds
        )
        return next((former[1] for former in former_slugs if former), None)

    def united_into(
        self, kind: Kind, record_ids: Collection[int], caller: Caller
    ) -> dict[int, int]:
        """Return the readable records with which others were united, by the ids of these."""
        if not kind.has_status:
            return {}
        targets = Unions(self._store).targets(kind, record_ids)
        hidden = self.missing(kind, set(targets.values()), caller) if targets else set()
        return {first: last for first, last in targets.items() if last not in hidden}

    def exists_elsewhere(self, kinds: Iterable[Kind], record_id: int) -> bool:
        """Return whether a record of one of these kinds has the id."""
        return any(self.find(kind, record_id) for kind in kinds)

    def require_readable(
        self, kind: Kind, record: Record, caller: Caller, password: str | None
    ) -> None:
        """Refuse a record that the caller may not read by its address."""
        if record.get("status") == TRASH and kind.singular == "event":
            raise NoLongerAvailable(kind.singular)
        if kind.has_status and not may_read(caller, record):
            raise NotReadable(kind.singular)
        if not unlocked(record, caller, password):
            raise PasswordRequired(kind.singular)

    def linked(
        self, events: Sequence[Record], caller: Caller, cached: CachedRecords | None = None
    ) -> Linked:
        """Return the linked records that the caller may read, with pictures.

        One query, and one for pictures, however many events there are; none for ``cached`` ones.
        """
        return self._links.visible(events, caller, cached)

    def records_of(self, ids_by_kind: Mapping[str, Collection[int]]) -> CachedRecords:
        """Return the records with these ids, by kind and id, in one query where all are there."""
        return self._links.records(ids_by_kind)

    def named_in_write(
        self,
        link_ids: Mapping[str, Collection[int]],
        entries: Mapping[str, Collection[int | str]],
    ) -> tuple[CachedRecords, dict[str, dict[int | str, int]]]:
        """Return the records with these ids, and the ids of the terms that entries mean.

        Both by kind, in one query where all are there.
        """
        naming = [(name, self.terms.naming(own)) for name, own in entries.items()]
        records, terms = self._links.records_beside(link_ids, naming)
        named = zip(entries.items(), terms, strict=True)
        return records, {name: self.terms.meant(own, found) for (name, own), found in named}

    def with_chosen(
        self, kind: Kind, listed: Sequence[Record], ids: Collection[int]
    ) -> list[Record]:
        """Return the listed records, and behind them those with these ids that the list lacks."""
        missing = set(ids) - {record["_id"] for record in listed}
        chosen = self.records_of({kind.name: missing}) if missing else {}
        return [*listed, *filter(None, chosen.values())]

    def pictures(self, records: Iterable[Record]) -> Linked:
        """Return the pictures of the records; those at other sites have no record."""
        return self._links.pictures(records)

    def links_of_event(
        self, event_id: int, name: str, caller: Caller, password: str | None
    ) -> list[int] | None:
        """Return the ids that one event refers to; of a locked one, none.

        ``None`` where there is no event of this id that the caller may read.
        """
        clause = all_of([identified(event_id), readable_by(caller)])
        fields = [name, "password", *OWNERSHIP]
        event = self._store["events"].first(clause, fields)
        if event is None:
            return None
        return list(event[name]) if unlocked(event, caller, password) else []

    def linked_from_events(self, name: str, caller: Caller, clause: Clause) -> set[int]:
        """Return the ids that matching, visible events refer to."""
        visible = all_of([visible_to(caller), unlocked_for(caller), clause])
        return referred_to_by_events(self._store, name, visible)

    def missing(self, kind: Kind, ids: Collection[int], caller: Caller) -> set[int]:
        """Return those of the ids that no record of the kind has that the caller may read."""

        def ask(missing_keys: Collection[int]) -> dict[int, Record | None]:
            records = self._store.of(kind).find(one_of("_id", missing_keys), fields=OWNERSHIP)
            return dict.fromkeys(missing_keys) | {record["_id"]: record for record in records}

        records = self._store.cached_lookup(f"{kind.name} there", ids, ask)
        return {each for each in ids if not _is_readable(kind, records[each], caller)}


def readable(kind: Kind, caller: Caller) -> Clause:
    """Match the records of a kind that the caller may read; terms and pictures have no status."""
    return readable_by(with_rights_on(kind, caller)) if kind.has_status else EVERYTHING


def _is_readable(kind: Kind, record: Record | None, caller: Caller) -> bool:
    return record is not None and (not kind.has_status or may_read(caller, record))


def _spellings(slug: str) -> tuple[str, ...]:
    """Return a slug, and that of the occurrence that shows it."""
    dated = dated_slug(slug)
    return (slug, dated) if dated else (slug,)


def unlocked(record: Record, caller: Caller, password: str | None) -> bool:
    """Return whether the caller sees all of a record that may have a password."""
    sealed = record.get("password")
    if not sealed or may_edit(caller, record):
        return True
    return password is not None and note_password(opened=opens(password, sealed))
