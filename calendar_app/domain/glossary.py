"""How terms are to be said in another language, and which translations say them otherwise.

A term counts wherever its words stand one after the other, whatever their letter case, accents and
endings: "Gemeindehaus" stands in "beim Gemeindehause" too. A longer term hides the shorter ones in
it. See ``docs/explanation/memory.md``.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from calendar_app.domain.translations import words_of
from calendar_app.domain.words import fold

# By how many letters the words of a term may be longer in the source, and in its translation.
_ENDING, _LOOSE_ENDING = 2, 3
_SHORT = 3
_VOWELS = "aeiou"
_WORD = re.compile(r"\w+")
_PATTERNS = 4096


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """A term of one language, and how it is to be said in another one."""

    term: str
    translation: str

    @property
    def key(self) -> str:
        """Return the key of a term within its pair of languages."""
        return fold(self.term)


# In one pair of languages.
GlossaryTerms = Sequence[GlossaryTerm]


def merged(terms: GlossaryTerms, changes: Mapping[str, str]) -> list[GlossaryTerm]:
    """Return terms with others in their place, without emptied ones."""
    changed = [GlossaryTerm(term, translation) for term, translation in changes.items()]
    by_key = {each.key: each for each in (*terms, *changed)}
    return sorted((each for each in by_key.values() if each.translation), key=lambda it: it.key)


def terms_in(terms: GlossaryTerms, text: str) -> list[GlossaryTerm]:
    """Return the terms in a text, longer ones before their parts."""
    rest, terms_in_text = fold(words_of(text)), []
    for term in sorted(terms, key=lambda each: -len(each.key)):
        pattern = _pattern(term.term, is_loose=False)
        if pattern.search(rest):
            rest = pattern.sub("\n", rest)
            terms_in_text.append(term)
    return terms_in_text


def missed(terms: Iterable[GlossaryTerm], translation: str) -> list[GlossaryTerm]:
    """Return those terms which a translation says otherwise."""
    words = fold(words_of(translation))
    return [term for term in terms if not _pattern(term.translation, is_loose=True).search(words)]


@lru_cache(_PATTERNS)
def _pattern(term: str, *, is_loose: bool) -> re.Pattern[str]:
    """Return the pattern of a term in folded words; a loose one lets endings change too."""
    return re.compile(r"\W+".join(_word(each, is_loose=is_loose) for each in _words(term)))


def _words(term: str) -> list[str]:
    folded = fold(term)
    return _WORD.findall(folded) or [folded]


def _word(word: str, *, is_loose: bool) -> str:
    if word.lower() == word.upper():  # Many scripts without capitals have no spaces either.
        return re.escape(word)
    has_ending = is_loose and len(word) > _SHORT and word[-1] in _VOWELS
    stem = word[:-1] if has_ending else word
    return rf"\b{re.escape(stem)}\w{{0,{_LOOSE_ENDING if is_loose else _ENDING}}}\b"
