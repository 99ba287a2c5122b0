"""The glossary of the site: translations of terms for each pair of languages."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict

from calendar_app.calendar.translation import Misses
from calendar_app.domain.glossary import GlossaryTerm, GlossaryTerms, merged, missed, terms_in
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.translations import compared_fields, source_language
from calendar_app.errors import InvalidParameters, Message
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import equals, one_of

GLOSSARY = "glossary"
MOST_TERMS = 2_000


class Glossary:
    """Keeps one document for each pair of languages."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pairs = store[GLOSSARY]

    def terms(self, source: str, target: str) -> list[GlossaryTerm]:
        """Return how terms of a language are said in another one, by the alphabet."""
        return _terms(self._pairs.first(equals("_id", _pair(source, target))))

    def change(self, source: str, target: str, changes: Mapping[str, str]) -> list[GlossaryTerm]:
        """Add terms and change others, take away those said as nothing; return all.

        Raises ``InvalidParameters`` where there would be too many.
        """

        def work() -> list[GlossaryTerm]:
            terms = merged(self.terms(source, target), changes)
            if len(terms) > MOST_TERMS:
                reason = Message("A glossary has at most {most} terms.", most=MOST_TERMS)
                raise InvalidParameters({"terms": reason})
            stored = {"terms": [asdict(each) for each in terms]}
            self._pairs.upsert(equals("_id", _pair(source, target)), {"$set": stored})
            return terms

        return self._store.transact(work)

    def missed(self, kind: Kind, record: Record, languages: Collection[str]) -> Misses:
        """Return the terms that texts in some languages of a record say otherwise."""
        sources = {
            tag: source
            for tag in sorted(languages)
            if tag in record["variants"] and (source := source_language(record, tag))
        }
        misses: dict[tuple[str, str], GlossaryTerms] = {}
        for tag, terms in self._of_pairs(sources).items():
            source_texts = record["variants"].get(sources[tag], {})
            target_texts = record["variants"][tag]
            for name in compared_fields(kind):
                if lacking := _missed(terms, source_texts.get(name), target_texts.get(name)):
                    misses[tag, name] = lacking
        return misses

    def _of_pairs(self, sources: Mapping[str, str]) -> dict[str, GlossaryTerms]:
        """Return the terms of several pairs by their target."""
        pairs = {_pair(source, target): target for target, source in sources.items()}
        stored: Iterable[Record] = self._pairs.find(one_of("_id", sorted(pairs))) if pairs else ()
        return {pairs[each["_id"]]: _terms(each) for each in stored}


def _missed(terms: GlossaryTerms, source: object, translation: object) -> list[GlossaryTerm]:
    if not (isinstance(source, str) and isinstance(translation, str) and translation):
        return []  # Further details are no running text.
    return missed(terms_in(terms, source), translation)


def _pair(source: str, target: str) -> str:
    return f"{source}:{target}"


def _terms(document: Record | None) -> list[GlossaryTerm]:
    return [GlossaryTerm(**each) for each in document["terms"]] if document else []
