"""Clauses over texts: a word occurs in the text that the reader would be shown.

``folded`` holds each language's texts without accents and letter case, so that a plain
regular expression finds them: ``{"folded": {"de": {"title": "…"}}}``.
"""

import re
from collections.abc import Iterable, Sequence

from calendar_app.query.clauses import Clause, all_of, any_of, differs, missing, not_any

FOLDED = "folded"
SHARED = "shared"
# By which rules texts were folded, of records that are not found by words. It stands beside the
# folded texts, so that an earlier version, which writes these anew, takes it away.
FOLDED_BY = "rules"
# What indexes need to know of texts, of records that are found by words: what they are called for
# readers of each language of the site, and whether that is a name in this language; the languages
# of their names, in one value.
CALLED = "called"
WRITTEN = "written"
NAMED = "named"
_BESIDE = "|"


def occurs(word: str, texts: Iterable[str], shared: Iterable[str], chain: Sequence[str]) -> Clause:
    """Match where the folded ``word`` is part of a text shown by ``chain``, or of a shared one."""
    part = {"$regex": re.escape(word)}
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


def noted_languages(languages: Iterable[str]) -> str:
    """Return the one value that stands for all of these languages."""
    return _BESIDE.join(("", *sorted(languages), ""))


def noted_in(language: str, _label: str) -> Clause:
    """Match like ``written_in``, by an index alone."""
    return {WRITTEN: {"$regex": re.escape(noted_languages([language]))}}


def named(language: str) -> str:
    """Return the field that says whether a record has a name in a language of the site."""
    return f"{NAMED}.{language}"


def called(language: str) -> str:
    """Return the field with the name that readers of a language of the site are shown."""
    return f"{CALLED}.{language}"


def _shows(field: str, part: Clause, chain: Sequence[str]) -> Clause:
    """Match the field's first text by the chain, and only that one."""
    places = [f"{FOLDED}.{language}.{field}" for language in chain]
    return any_of(
        all_of([*(missing(earlier) for earlier in places[:at]), {place: part}])
        for at, place in enumerate(places)
    )
