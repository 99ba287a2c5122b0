"""The words of a source for categories and tags, and our terms in their place."""

from collections.abc import Iterable, Mapping, Sequence

from calendar_app.domain.texts.composing import name_keys
from calendar_app.domain.texts.sanitizing import clean_term
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import one_of

TAXONOMIES = ("categories", "tags")
SourceTerms = Mapping[str, Mapping[str, int]]


class TermFinder:
    """Finds our terms for words: those that ``mapped`` says, else those of the same name."""

    def __init__(self, store: Store, languages: Sequence[str], mapped: SourceTerms) -> None:
        self._store = store
        self._languages = languages
        self._mapped = mapped

    def find(self, words: Mapping[str, Iterable[str]]) -> dict[str, dict[str, int]]:
        """Return ids by taxonomy and word; 0 leaves a word out, unknown ones are missing."""
        ids = {}
        for taxonomy in TAXONOMIES:
            mapped = dict(self._mapped.get(taxonomy, {}))
            ids[taxonomy] = mapped | self.named(taxonomy, set(words[taxonomy]) - mapped.keys())
        return ids

    def named(self, taxonomy: str, words: set[str]) -> dict[str, int]:
        """Return the ids of terms by the words that are their names."""
        keys = {word: name_keys(self._languages, clean_term(word)) for word in words}
        names = sorted({key for own in keys.values() for key in own})
        if not names:
            return {}
        terms = self._store[taxonomy].find(one_of("names", names), fields=["names"])
        ids = {name: term["_id"] for term in terms for name in term["names"]}
        return {word: ids[key] for word, own in keys.items() for key in reversed(own) if key in ids}


def words_in(events: Sequence[CalendarEvent]) -> dict[str, set[str]]:
    """Return the words by which events and their overridden dates name terms."""
    return {
        taxonomy: {
            word
            for event in events
            for changes in (event.changes, *(each.changes for each in event.overrides))
            for word in changes.get(taxonomy, ())
            if isinstance(word, str)
        }
        for taxonomy in TAXONOMIES
    }
