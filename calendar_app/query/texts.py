"""Clauses over texts: a word occurs in the text that a reader sees.

``folded`` holds each language's texts without accents and letter case, so that a plain
regular expression finds them: ``{"folded": {"de": {"title": "…"}}}``.
"""

import re
from collections.abc import Iterable, Sequence

from calendar_app.query.clauses import Clause, all_of, any_of, differs, literal, missing, not_any

FOLDED = "folded"
SHARED = "shared"
# The folding rules of a record without an index of words.
FOLDED_BY = "rules"
# Fields for indexes of records with an index of words, by language of the site: the title that its
# readers see, and whether it is in their language; all languages with a title, in one value.
DISPLAY_TITLE = "display_title"
TITLE_LANGUAGES = "title_languages"
HAS_TITLE = "has_title"
_BESIDE = "|"


def occurs(word: str, texts: Iterable[str], shared: Iterable[str], chain: Sequence[str]) -> Clause:
    """Match where the folded ``word`` is part of a text shown by ``chain``, or of a shared one."""
    part = {"$regex": literal(word)}
    translated = [_shows(field, part, chain) for field in texts]
    return any_of([*translated, *({f"{FOLDED}.{SHARED}.{field}": part} for field in shared)])


def matching(
    words: Iterable[str],
    unwanted: Iterable[str],
    *,
    texts: Sequence[str],
    shared: Sequence[str],
    chain: Sequence[str],
) -> Clause:
    """Match where every wanted word occurs and no unwanted one."""
    clauses = [occurs(word, texts, shared, chain) for word in words]
    excluded = [occurs(word, texts, shared, chain) for word in unwanted]
    return all_of([*clauses, *([not_any(excluded)] if excluded else [])])


def folded_otherwise(rules: int) -> Clause:
    """Match records with texts folded by other rules."""
    return differs(f"{FOLDED}.{FOLDED_BY}", rules)


def written_in(language: str, label: str) -> Clause:
    """Match records that have a name, in the text ``label``, in ``language``."""
    return {f"variants.{language}.{label}": {"$exists": True}}


def overridden_in(language: str) -> Clause:
    """Match dates of a series with texts of their own, in a language or for all of them."""
    texts = rf"^variants\.({re.escape(language)}$|[^.]+\.(?!slug$))"
    return {"overrides": {"$regex": texts}}


def language_set(languages: Iterable[str]) -> str:
    """Return languages as one value of an index."""
    return _BESIDE.join(("", *sorted(languages), ""))


def titled_in(language: str, _label: str) -> Clause:
    """Match like ``written_in``, by an index alone."""
    return {TITLE_LANGUAGES: {"$regex": re.escape(language_set([language]))}}


def has_title(language: str) -> str:
    """Return the field for whether a record has a title in a language of the site."""
    return f"{HAS_TITLE}.{language}"


def display_title(language: str) -> str:
    """Return the field with the title that readers of a language see."""
    return f"{DISPLAY_TITLE}.{language}"


def _shows(field: str, part: Clause, chain: Sequence[str]) -> Clause:
    """Match the field's first text by the chain, and only that one."""
    places = [f"{FOLDED}.{language}.{field}" for language in chain]
    return any_of(
        all_of([*(missing(earlier) for earlier in places[:at]), {place: part}])
        for at, place in enumerate(places)
    )
