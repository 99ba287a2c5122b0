"""Texts with Zipf-distributed words: the n-th is 1/n as common as the first."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, product
from random import Random

_WORDS = 200_000
# The word of this rank stands in about 6 % of texts of 130 words.
COMMON, RARE = 164, 150_000
_ONSETS = ("b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z")
_RHYMES = ("a", "e", "i", "o", "u", "an", "er", "in", "ol", "ust", "au", "eit")


@lru_cache
def words(language: str) -> Sequence[str]:
    """Return the words of a language, the most common first; the same at each run."""
    syllables = ["".join(pair) for pair in product(_ONSETS, _RHYMES)]
    random = Random(language)  # noqa: S311 - nothing secret, and the same at each run
    numbers = random.sample(range(len(syllables) ** 3), _WORDS)
    return [_spelled(number, syllables) for number in numbers]


def text(random: Random, language: str, length: int) -> str:
    """Return so many words of a language."""
    return " ".join(random.choices(words(language), cum_weights=_weights(), k=length))


@lru_cache
def _weights() -> Sequence[float]:
    return list(accumulate(1 / rank for rank in range(1, _WORDS + 1)))


def _spelled(number: int, syllables: Sequence[str]) -> str:
    rest, last = divmod(number, len(syllables))
    first, middle = divmod(rest, len(syllables))
    return syllables[first] + syllables[middle] + syllables[last]
