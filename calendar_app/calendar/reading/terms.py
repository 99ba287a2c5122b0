"""Reads of categories and tags by their names, and of those below them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from operator import itemgetter
from urllib.parse import unquote

from calendar_app.calendar.slugs import FormerSlugs, slug_key
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.slugs import slugify
from calendar_app.domain.texts.composing import name_key
from calendar_app.domain.texts.sanitizing import clean_term
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import Clause, after, any_of, one_of
from calendar_app.storage.query.stages import Stages, with_ids_below

# Which term somebody means who writes a name or a slug.
#
# Slugs leave out most signs, so that "C#" and "C++" have nearly the same one. So what is written
# as a slug is one first of all, and anything else is a name before it is made a slug.


class Spelling:
    """The keys of documents that a text may name, as a slug or a name.

    Who writes terms names one that is to be there, or to be made: so a text that is not written as
    a slug is none. Who seeks by them means whatever comes near (``loosely``).
    """

    def __init__(self, text: str, languages: Sequence[str], *, loosely: bool) -> None:
        slug = slugify(text)
        slug_forms = (slug, unquote(slug))
        self.is_slug = text.strip() in slug_forms
        may_be_one = loosely or text.strip().lower() in slug_forms
        self.slugs = [slug_key(tag, slug) for tag in languages] if may_be_one else []
        name = clean_term(text)
        self.names = [name_key(tag, name) for tag in languages]


# What a write or a filter names, by id or by a text, with the keys that each may mean.
Spellings = Mapping[int | str, Spelling]
_NAMES: Record = {"$project": {"slugs": 1, "names": 1}}
# Cleaning a text takes longer than a look-up.
_spelling_of = lru_cache(500)(Spelling)


class NamedTerms:
    """Terms, found by their names and slugs."""

    def __init__(self, terms: Iterable[Record]) -> None:
        self._named: dict[str, list[int]] = {}
        self._slugs: dict[str, int] = {}
        for term in sorted(terms, key=itemgetter("_id")):
            for name in term.get("names", ()):
                self._named.setdefault(name, []).append(term["_id"])
            self._slugs |= dict.fromkeys(term.get("slugs", ()), term["_id"])

    def by_slug(self, spelling: Spelling) -> list[int]:
        """Return the ids of the terms of that slug, by the order of the languages."""
        return [self._slugs[key] for key in spelling.slugs if key in self._slugs]

    def find(self, spelling: Spelling) -> int | None:
        """Return the id of the best match by slug or name.

        Of several with the name it is the one that has the slug, too; else that of the first
        language, and the one that was made first.
        """
        names = [term for key in spelling.names for term in self._named.get(key, ())]
        slugs = self.by_slug(spelling)
        both = [term for term in names if term in slugs]
        by_slug_first = [*slugs, *names] if spelling.is_slug else [*both, *names, *slugs]
        return next(iter(by_slug_first), None)


def _naming(spellings: Spellings) -> Clause:
    """Match the terms that entries may mean, by id, slug or name."""
    ids = [entry for entry in spellings if isinstance(entry, int)]
    slugs = {key for spelling in spellings.values() for key in spelling.slugs}
    names = {key for spelling in spellings.values() for key in spelling.names}
    return any_of([one_of("_id", ids), one_of("slugs", slugs), one_of("names", names)])


def _matching(
    spellings: Spellings, terms: Sequence[Record], *, slugs_first: bool = False
) -> dict[int | str, int | None]:
    """Return the id of the term that each entry means; with ``slugs_first`` a number is a slug."""
    index = NamedTerms(terms)
    there = {term["_id"] for term in terms} & spellings.keys()
    matches = {entry: index.find(spelling) for entry, spelling in spellings.items()}
    slugged = {entry for entry in there if slugs_first and index.by_slug(spellings[entry])}
    return matches | {entry: entry for entry in there - slugged}


def _without_missing(term_ids: Mapping[int | str, int | None]) -> dict[int | str, int]:
    return {entry: term for entry, term in term_ids.items() if term is not None}


class TermReader:
    """Finds the ids of terms, in all languages of the site."""

    def __init__(self, store: Store, languages: tuple[str, ...]) -> None:
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
        look_up = partial(self._look_up, kind, as_filter=as_filter)
        name = f"{kind.name} {'filter' if as_filter else 'link'}"
        return _without_missing(self._store.cached_lookup(name, entries, look_up))

    def naming(self, entries: Collection[int | str]) -> Stages:
        """Return stages that find the terms which a write may mean by these entries."""
        return [{"$match": _naming(self._spellings(entries))}, _NAMES]

    def meant(
        self, entries: Collection[int | str], terms: Sequence[Record]
    ) -> dict[int | str, int]:
        """Return as ``named`` does which of the terms found by ``naming`` each entry means."""
        return _without_missing(_matching(self._spellings(entries), terms))

    def _spellings(self, entries: Collection[int | str], *, loosely: bool = False) -> Spellings:
        return {
            entry: _spelling_of(str(entry), self._languages, loosely=loosely) for entry in entries
        }

    def clause(self, entries: Collection[str]) -> Clause:
        """Match the terms that have one of these slugs or names in any language."""
        spellings = [_spelling_of(entry, self._languages, loosely=True) for entry in entries]
        slugs = {key for spelling in spellings for key in spelling.slugs}
        names = {key for spelling in spellings for key in spelling.names}
        return any_of([one_of("slugs", slugs), one_of("names", names)])

    def with_descendants(self, kind: Kind, ids: Collection[int]) -> list[int]:
        """Return the ids, and those of all terms below them."""
        below = self._store.cached_lookup(_below(kind), ids, partial(self._descendants, kind))
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
        spellings = self._spellings(entries, loosely=as_filter)
        terms = look_up(kind, _naming(spellings), ["slugs", "names"])
        term_ids = _matching(spellings, terms, slugs_first=as_filter)
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
