"""Reads of categories and tags by their names, and of those below them."""

from collections.abc import Collection, Mapping, Sequence

from calendar_app.calendar.reading.spelling import NamedTerms, Spelling
from calendar_app.calendar.slugs import FormerSlugs
from calendar_app.domain.kind import Kind, Record
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import Clause, after, any_of, one_of
from calendar_app.query.stages import with_ids_below


class TermReader:
    """Finds the ids of terms, in all languages of the site."""

    def __init__(self, store: Store, languages: Sequence[str]) -> None:
        self._store = store
        self._languages = languages

    def named(
        self, kind: Kind, entries: Collection[int | str], *, as_filter: bool = False
    ) -> dict[int | str, int]:
        """Return the ids of the terms that have one of these ids, slugs or names, by entry.

        Slugs and names count in every language. In a filter of events (``as_filter``)
        the same query also reads the terms below, a text may become a slug, or be a former one,
        and a number is a slug before it is an id.
        """

        def ask(missing_keys: Collection[int | str]) -> dict[int | str, int | None]:
            return self._look_up(kind, missing_keys, as_filter=as_filter)

        term_ids = self._store.cached_lookup(
            f"{kind.name} {'filter' if as_filter else 'link'}", entries, ask
        )
        return {entry: term for entry, term in term_ids.items() if term is not None}

    def with_descendants(self, kind: Kind, ids: Collection[int]) -> list[int]:
        """Return the ids, and those of all terms below them."""
        below = self._store.cached_lookup(
            _below(kind), ids, lambda missing_keys: self._descendants(kind, missing_keys)
        )
        return sorted({term for terms in below.values() for term in terms})

    def used_or_above(self, kind: Kind) -> list[int]:
        """Return the ids of all terms that published events have, and of those above them."""

        def ask(_: Collection[str]) -> dict[str, list[int]]:
            used = self._store.of(kind).find(after("count", 0), fields=["ancestors"])
            ids = {above for term in used for above in (term["_id"], *term["ancestors"])}
            return {kind.name: sorted(ids)}

        return self._store.cached_lookup("used or above", [kind.name], ask)[kind.name]

    def _look_up(
        self, kind: Kind, entries: Collection[int | str], *, as_filter: bool
    ) -> dict[int | str, int | None]:
        below = as_filter and kind.is_hierarchical
        look_up = self._terms_and_below if below else self._terms
        spellings = {
            entry: Spelling(str(entry), self._languages, loosely=as_filter) for entry in entries
        }
        ids = [entry for entry in entries if isinstance(entry, int)]
        slugs = {key for spelling in spellings.values() for key in spelling.slugs}
        names = {key for spelling in spellings.values() for key in spelling.names}
        clause = any_of([one_of("_id", ids), one_of("slugs", slugs), one_of("names", names)])
        terms = look_up(kind, clause, ["slugs", "names"])
        there, index = {term["_id"] for term in terms}, NamedTerms(terms)
        matches = {entry: index.find(spelling) for entry, spelling in spellings.items()}
        slugged = {entry for entry in ids if as_filter and index.by_slug(spellings[entry])}
        term_ids = matches | {entry: entry for entry in ids if entry in there - slugged}
        lost = {entry: spellings[entry] for entry, term in term_ids.items() if term is None}
        return term_ids | self._formerly_named(kind, lost) if lost and as_filter else term_ids

    def _formerly_named(
        self, kind: Kind, spellings: Mapping[int | str, Spelling]
    ) -> dict[int | str, int | None]:
        """Return the ids of the terms that had these slugs, for who has subscribed by them."""
        keys = {key for spelling in spellings.values() for key in spelling.slugs}
        former = FormerSlugs(self._store).records(kind, keys)
        return {
            entry: next((former[key] for key in spelling.slugs if key in former), None)
            for entry, spelling in spellings.items()
        }

    def _terms(self, kind: Kind, clause: Clause, fields: Sequence[str]) -> list[Record]:
        return self._store.of(kind).find(clause, fields=fields)

    def _terms_and_below(self, kind: Kind, clause: Clause, fields: Sequence[str]) -> list[Record]:
        """Return some fields of terms, and learn the ids of those below each."""
        terms = self._store.of(kind).aggregate(with_ids_below(kind.name, clause, fields))
        below = {term["_id"]: [term["_id"], *term.pop("below")] for term in terms}
        self._store.prime_cache(_below(kind), below)
        return terms

    def _descendants(self, kind: Kind, ids: Collection[int]) -> dict[int, list[int]]:
        clause = any_of([one_of("_id", ids), one_of("ancestors", ids)])
        below: dict[int, list[int]] = {each: [] for each in ids}
        for term in self._store.of(kind).find(clause, fields=["ancestors"]):
            for above in {term["_id"], *term.get("ancestors", ())} & below.keys():
                below[above].append(term["_id"])
        return below


def _below(kind: Kind) -> str:
    return f"{kind.name} below"
