"""The difference of two texts, word by word.

Of an HTML text the words and lines count, not its markup.
"""

import html
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from enum import Enum
from itertools import groupby
from re import compile as pattern
from typing import NamedTuple

from calendar_app.domain.richtext import plain_lines

# A word with the white space behind it; a line end stands alone.
_WORD = pattern(r"\n+|[^\S\n]+|[^\s]+[^\S\n]*")
# Comparing two stretches takes time in proportion to the product of their lengths.
_MOST_COMPARISONS = 2_000_000


class WordChange(Enum):
    """How a stretch of words differs; its value is the HTML element that marks it."""

    UNCHANGED = ""
    DELETED = "del"
    INSERTED = "ins"


class Stretch(NamedTuple):
    """Words that one change is about."""

    change: WordChange
    text: str


def html_difference(before: str, after: str) -> list[Stretch]:
    """Return how the words of an HTML text became those of another."""
    return difference(plain_lines(before), plain_lines(after))


def difference(before: str, after: str) -> list[Stretch]:
    """Return how a plain text became another; deleted words stand before inserted ones."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    old_end, new_end = len(old) - end, len(new) - end
    changes = [
        (WordChange.UNCHANGED, old[:start]),
        *_compared(old[start:old_end], new[start:new_end]),
        (WordChange.UNCHANGED, new[new_end:]),
    ]
    return list(_joined((change, "".join(words)) for change, words in changes if words))


def marked(stretches: Iterable[Stretch]) -> str:
    """Return HTML with ``<ins>`` and ``<del>``, safe to show; line ends stay line ends."""
    return "".join(_marked(stretch) for stretch in stretches)


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """Return how many words two texts begin with in common."""
    pairs = enumerate(zip(old, new, strict=False))
    return next(
        (at for at, (old_word, new_word) in pairs if old_word != new_word), min(len(old), len(new))
    )


def _compared(old: list[str], new: list[str]) -> Iterator[tuple[WordChange, list[str]]]:
    """Yield the changes between two stretches; too long ones are replaced as a whole."""
    if len(old) * len(new) > _MOST_COMPARISONS:
        yield from ((WordChange.DELETED, old), (WordChange.INSERTED, new))
        return
    # White space behind a word makes it no other word.
    earlier, later = ([_bare(word) for word in words] for words in (old, new))
    matcher = SequenceMatcher(None, earlier, later, autojunk=False)
    for operation, i, j, k, m in matcher.get_opcodes():
        if operation == "equal":
            yield (
                WordChange.UNCHANGED,
                [max(pair, key=len) for pair in zip(old[i:j], new[k:m], strict=True)],
            )
        else:
            yield WordChange.DELETED, old[i:j]
            yield WordChange.INSERTED, new[k:m]


def _bare(word: str) -> str:
    return word.strip() or word


def _joined(changes: Iterable[tuple[WordChange, str]]) -> Iterator[Stretch]:
    for change, group in groupby(changes, key=lambda each: each[0]):
        yield Stretch(change, "".join(text for _, text in group))


def _marked(stretch: Stretch) -> str:
    text, element = html.escape(stretch.text), stretch.change.value
    return f"<{element}>{text}</{element}>" if element else text
