"""The words of a folded text, as searches find them: whole, by a part, or by how they begin or end.

A word is a run of letters and digits. A part without any other sign stands in a text where it
stands in one of the text's words. What else is searched for has parts of words in it at least.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

_RUN = re.compile(r"[^\W_]+")
_SEPARATORS = {code: " " for code in range(128) if not chr(code).isalnum()}
# What is longer, and scripts without spaces write so, counts as words that overlap; so whatever
# is no longer than half of one still stands within one of them.
_LONGEST, _STEP = 64, 32


class Place(Enum):
    """Where in a word a part of it stands."""

    ANYWHERE = auto()
    BEGINNING = auto()
    END = auto()
    ALL = auto()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a word."""

    text: str
    place: Place


def words_of(text: str) -> list[str]:
    """Return the words of a folded text, some of them perhaps more than once."""
    words: list[str] = (
        # What a regular expression finds too, in a third of the time.
        text.translate(_SEPARATORS).split() if text.isascii() else _RUN.findall(text)
    )
    if max(map(len, words), default=0) <= _LONGEST:
        return words
    return [part for word in words for part in _overlapping(word)]


def _overlapping(word: str) -> Iterator[str]:
    if len(word) <= _LONGEST:
        yield word
    else:
        yield from (word[at : at + _LONGEST] for at in range(0, len(word) - _STEP, _STEP))


def shown_texts(
    folded: Mapping[str, Mapping[str, str]], fields: Iterable[str], chain: Sequence[str]
) -> tuple[str, ...]:
    """Return the texts that ``chain`` shows: each field in the first language that has it.

    ``folded`` has each language's texts by field.
    """
    there = [folded[language] for language in chain if language in folded]
    return tuple(
        next((texts[field] for texts in there if texts.get(field) is not None), "")
        for field in fields
    )


def endings(word: str) -> list[str]:
    """Return all that the word ends with: a part of it is what one of these begins with."""
    return [word[start:] for start in range(len(word))]


def parts_of(word: str) -> list[Part]:
    """Return parts that words of a text have, each of them, where ``word`` stands in the text."""
    return [_part(word, run) for run in _RUN.finditer(word)]


def is_plain_part(word: str) -> bool:
    """Say whether ``word`` stands in a text where, and only where, it stands in a word of it."""
    return len(word) <= _STEP and _RUN.fullmatch(word) is not None


def _part(word: str, run: re.Match[str]) -> Part:
    text = run.group()
    if len(text) > _STEP:
        return Part(text[:_STEP], Place.ANYWHERE)
    match run.start() > 0, run.end() < len(word):
        case False, False:
            return Part(text, Place.ANYWHERE)
        case True, False:
            return Part(text, Place.BEGINNING)
        case False, True:
            return Part(text, Place.END)
        case _:
            return Part(text, Place.ALL)
