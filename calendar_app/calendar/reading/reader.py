"""Answers questions about records: only what the caller may see."""

from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Mapping,
    Sequence,
)
from typing import TypeVar

from calendar_app.accounts.caller import Caller
from calendar_app.accounts.password_tries import note_try
from calendar_app.accounts.policy import (
    may_edit,
    may_read,
    readable_by,
    unlocked_for,
    visible_to,
)
from calendar_app.calendar.reading.facets import Facet, FacetCounts, Facets
from calendar_app.calendar.reading.links import Known, Linked, Links
from calendar_app.calendar.reading.listing import Lists
from calendar_app.calendar.reading.planner import ListPlanner
from calendar_app.calendar.reading.referred_to import referred_to_by_events
from calendar_app.calendar.reading.spelling import NamedTerms, Spelling
from calendar_app.calendar.reading.text_order import TextOrders
from calendar_app.calendar.slugs.former import FormerSlugs
from calendar_app.calendar.slugs.naming import slug_key
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.passwords import opens
from calendar_app.domain.statuses import TRASH
from calendar_app.errors import NoLongerAvailable, NotReadable, PasswordRequired
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import EVERYTHING, Clause, after, all_of, any_of, identified, one_of
from calendar_app.query.list_query import Listing, Page
from calendar_app.query.stages import with_ids_below
from calendar_app.query.words import as_shown
from calendar_app.search.sources import SearchPlanner, Source

Result = TypeVar("Result")


class Reader:
    """Finds records."""

    def __init__(
        self, store: Store, collations: Mapping[str, str], searching: SearchPlanner
    ) -> None:
        """Read from ``store``; ``collations`` has the locale of each language of the site."""
        self._store = store
        self._links = Links(store)
        self._facets = Facets(store)
        self.text_orders = TextOrders(store, collations, searching)
        self._planner = ListPlanner(store, self.text_orders, searching)
        self._lists = Lists(store, self._planner, self.text_orders)
        self._languages = tuple(collations)

    def search(self, kind: Kind, listing: Listing, caller: Caller) -> Page:
        """Return one page of what the caller may see, and the total."""
        return self._lists.page(kind, listing, caller)

    def clause(self, kind: Kind, listing: Listing, caller: Caller) -> Clause:
        """Return the clause of what was asked for, as far as the caller may see it."""
        return self._planner.matches(kind, listing, caller)

    def found(self, kind: Kind, listing: Listing, caller: Caller) -> Source:
        """Return how to find what ``clause`` matches, as of this moment."""
        return self._planner.source(kind, listing, caller)

    def count_facets(self, clause: Clause, facets: Mapping[str, Facet]) -> FacetCounts:
        """Count the events that match ``clause``, by each facet, in one query."""
        return self._facets.count(clause, facets)

    def in_snapshot(self, work: Callable[[], Result]) -> Result:
        """Run ``work``, which only reads: all it reads is of one moment. It may be repeated."""
        return self._store.in_snapshot(work)

    def cluster_time(self) -> Hashable:
        """Return the moment at which the current work has read; ``None`` where none is known."""
        return self._store.cluster_time()

    def latest_cluster_time(self) -> Hashable:
        """Ask at which moment one would read now; it is another one after every write."""
        return self._store.in_snapshot(self._store.fetch_cluster_time)

    def find(self, kind: Kind, record_id: int) -> Record | None:
        return self._store.of(kind).first(identified(record_id), as_shown())

    def find_by_slug(
        self, kind: Kind, slug: str, chain: Sequence[str], readable: Clause
    ) -> Record | None:
        """Return the ``readable`` record with this slug in any language, by the order of those."""
        tags = tuple(dict.fromkeys((*chain, *self._languages)))
        keys = [slug_key(tag, slug) for tag in tags]
        wanted = all_of([one_of("slugs", keys), readable])
        found = self._store.of(kind).find(wanted, fields=as_shown())
        ranked = ((keys.index(k), n) for n, r in enumerate(found) for k in r["slugs"] if k in keys)
        best = min(ranked, default=None)
        return found[best[1]] if best else None

    def moved_to(self, kind: Kind, slug: str, chain: Sequence[str], caller: Caller) -> str | None:
        """Return the slug of the record that had this one, if the caller may read it."""
        tags = tuple(dict.fromkeys((*chain, *self._languages)))
        found = FormerSlugs(self._store).find(kind, slug, tags, readable(kind, caller))
        return found[1] if found else None

    def exists_elsewhere(self, kinds: Iterable[Kind], record_id: int) -> bool:
        """Say whether a record of one of these kinds has the id."""
        return any(self.find(kind, record_id) for kind in kinds)

    def admit(self, kind: Kind, record: Record, caller: Caller, password: str | None) -> None:
        """Refuse what this caller may not read by itself."""
        if record.get("status") == TRASH and kind.singular == "event":
            raise NoLongerAvailable(kind.singular)
        if kind.has_status and not may_read(caller, record):
            raise NotReadable(kind.singular)
        if not unlocked(record, caller, password):
            raise PasswordRequired(kind.singular)

    def linked(
        self, events: Sequence[Record], caller: Caller, known: Known | None = None
    ) -> Linked:
        """Return what the events point to and the caller may read, pictures of those included.

        One query, and one for pictures, however many events there are; none for what is ``known``.
        """
        return self._links.shown(events, caller, known)

    def records_of(self, wanted: Mapping[str, Collection[int]]) -> Known:
        """Return the records with these ids, by kind and id, in one query where all are there."""
        return self._links.records(wanted)

    def made(self) -> Known:
        """Return what was made of linked records at this moment, to read and to add to."""
        return self._store.cached_values()

    def pictures(self, records: Iterable[Record]) -> Linked:
        """Return the pictures of the records; one that stands elsewhere is no record."""
        return self._links.pictures(records)

    def terms_named(
        self, kind: Kind, entries: Collection[int | str], *, sought: bool = False
    ) -> dict[int | str, int]:
        """Return the ids of the terms that have one of these ids, slugs or names, by entry.

        Slugs and names count in every language. Where events are ``sought`` by them, the terms
        below these are asked for in the same question, a text may become a slug, or have been the
        one of a term, and a number is a slug before it is an id.
        """

        def ask(some: Collection[int | str]) -> dict[int | str, int | None]:
            return self._terms_named(kind, some, sought=sought)

        told = self._store.cached_lookup(
            f"{kind.name} {'sought' if sought else 'named'}", entries, ask
        )
        return {entry: term for entry, term in told.items() if term is not None}

    def links_of_event(
        self, event_id: int, name: str, caller: Caller, password: str | None
    ) -> list[int] | None:
        """Return the ids that one event refers to; of a locked one, none.

        ``None`` where there is no event of this id that the caller may read.
        """
        wanted = all_of([identified(event_id), readable_by(caller)])
        fields = [name, "author", "password", "status", "status_before_trash"]
        event = self._store["events"].first(wanted, fields)
        if event is None:
            return None
        return list(event[name]) if unlocked(event, caller, password) else []

    def linked_from_events(self, name: str, caller: Caller, wanted: Clause) -> set[int]:
        """Return the ids that events refer to, of those that match and show them to the caller."""
        shown = all_of([visible_to(caller), unlocked_for(caller), wanted])
        return referred_to_by_events(self._store, name, shown)

    def with_descendants(self, kind: Kind, ids: Collection[int]) -> list[int]:
        """Return the ids, and those of all terms below them."""
        below = self._store.cached_lookup(
            _below(kind), ids, lambda some: self._descendants(kind, some)
        )
        return sorted({term for terms in below.values() for term in terms})

    def used_or_above(self, kind: Kind) -> list[int]:
        """Return the ids of all terms that published events have, and of those above them."""

        def ask(_: Collection[str]) -> dict[str, list[int]]:
            used = self._store.of(kind).find(after("count", 0), fields=["ancestors"])
            ids = {above for term in used for above in (term["_id"], *term["ancestors"])}
            return {kind.name: sorted(ids)}

        return self._store.cached_lookup("used or above", [kind.name], ask)[kind.name]

    def missing(self, kind: Kind, ids: Collection[int], caller: Caller) -> set[int]:
        """Return those of the ids that no record of the kind has that the caller may read."""

        def ask(some: Collection[int]) -> dict[int, Record | None]:
            fields = ["author", "status", "status_before_trash"]
            records = self._store.of(kind).find(one_of("_id", some), fields=fields)
            return dict.fromkeys(some) | {record["_id"]: record for record in records}

        records = self._store.cached_lookup(f"{kind.name} there", ids, ask)
        return {each for each in ids if not _is_readable(kind, records[each], caller)}

    def _terms_named(
        self, kind: Kind, entries: Collection[int | str], *, sought: bool
    ) -> dict[int | str, int | None]:
        below = sought and kind.is_hierarchical
        look_up = self._terms_and_below if below else self._terms
        spellings = {
            entry: Spelling(str(entry), self._languages, loosely=sought) for entry in entries
        }
        ids = [entry for entry in entries if isinstance(entry, int)]
        slugs = {key for spelling in spellings.values() for key in spelling.slugs}
        names = {key for spelling in spellings.values() for key in spelling.names}
        wanted = any_of([one_of("_id", ids), one_of("slugs", slugs), one_of("names", names)])
        terms = look_up(kind, wanted, ["slugs", "names"])
        there, known = {term["_id"] for term in terms}, NamedTerms(terms)
        meant = {entry: known.meant_by(spelling) for entry, spelling in spellings.items()}
        slugged = {entry for entry in ids if sought and known.by_slug(spellings[entry])}
        found = meant | {entry: entry for entry in ids if entry in there - slugged}
        lost = {entry: spellings[entry] for entry, term in found.items() if term is None}
        return found | self._formerly_named(kind, lost) if lost and sought else found

    def _formerly_named(
        self, kind: Kind, spellings: Mapping[int | str, Spelling]
    ) -> dict[int | str, int | None]:
        """Return the ids of the terms that had these slugs, for who has subscribed by them."""
        keys = {key for spelling in spellings.values() for key in spelling.slugs}
        had = FormerSlugs(self._store).records(kind, keys)
        return {
            entry: next((had[key] for key in spelling.slugs if key in had), None)
            for entry, spelling in spellings.items()
        }

    def _terms(self, kind: Kind, wanted: Clause, fields: Sequence[str]) -> list[Record]:
        return self._store.of(kind).find(wanted, fields=fields)

    def _terms_and_below(self, kind: Kind, wanted: Clause, fields: Sequence[str]) -> list[Record]:
        """Return some fields of terms, and learn the ids of those below each."""
        terms = self._store.of(kind).aggregate(with_ids_below(kind.name, wanted, fields))
        below = {term["_id"]: [term["_id"], *term.pop("below")] for term in terms}
        self._store.prime_cache(_below(kind), below)
        return terms

    def _descendants(self, kind: Kind, ids: Collection[int]) -> dict[int, list[int]]:
        wanted = any_of([one_of("_id", ids), one_of("ancestors", ids)])
        below: dict[int, list[int]] = {each: [] for each in ids}
        for term in self._store.of(kind).find(wanted, fields=["ancestors"]):
            for above in {term["_id"], *term.get("ancestors", ())} & below.keys():
                below[above].append(term["_id"])
        return below


def readable(kind: Kind, caller: Caller) -> Clause:
    """Match the records of a kind that the caller may read; terms and pictures have no status."""
    return readable_by(caller) if kind.has_status else EVERYTHING


def _is_readable(kind: Kind, record: Record | None, caller: Caller) -> bool:
    return record is not None and (not kind.has_status or may_read(caller, record))


def _below(kind: Kind) -> str:
    return f"{kind.name} below"


def unlocked(record: Record, caller: Caller, password: str | None) -> bool:
    """Say whether the caller sees all of a record that may have a password."""
    sealed = record.get("password")
    if not sealed or may_edit(caller, record):
        return True
    return password is not None and note_try(opened=opens(password, sealed))
