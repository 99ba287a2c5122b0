"""Clauses on the folded names of records, which an index holds by language: ``de:saal 1``.

All of them read keys of that index alone; only how a name begins bounds how many.
"""

from collections.abc import Sequence

from calendar_app.storage.query.clauses import Clause, any_of, literal

NAMES = "names"
# What may stand before a word that a name has in its midst.
_BEFORE = r"[\s\-/(.,:;&+'\"«»|]"


def begins_with(text: str, languages: Sequence[str]) -> Clause:
    """Match records of which a name in one of the languages begins with a folded text."""
    return _named(literal(text), languages)


def has_word_with(text: str, languages: Sequence[str]) -> Clause:
    """Match records of which a word of a name, but the first, begins with a folded text."""
    return _named(f".*{_BEFORE}{literal(text)}", languages)


def has_within(text: str, languages: Sequence[str]) -> Clause:
    """Match records of which a name has a folded text anywhere."""
    return _named(f".*{literal(text)}", languages)


def _named(expression: str, languages: Sequence[str]) -> Clause:
    return any_of([{NAMES: {"$regex": f"^{literal(tag)}:{expression}"}} for tag in languages])
