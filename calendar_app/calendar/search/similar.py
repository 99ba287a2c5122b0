"""Words of the vocabulary that are spelled much like others: what a search perhaps means.

Of a word with up to two mistakes one third is right: the beginning, the middle or the end. So the
index of the vocabulary finds the words that share a part, and their spelling is compared. What is
shorter than nine letters, and not at its beginning, is found by its halves, so with one mistake.
"""

from collections.abc import Iterator

from calendar_app.domain.words import Part, PartPlace
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import Clause, any_of
from calendar_app.storage.query.words import VOCABULARY, having

# Shorter words are like too many others; longer ones may have two mistakes, and be part of a word.
_SHORTEST, _LONG = 4, 6
# A part that is shorter stands in too many words.
_SHORTEST_PART = 3
_MOST_COMPARED = 2000
# Words of hidden records are among them, and are to leave room for others.
_MOST_PROPOSED = 30


class SimilarWords:
    """Finds spelling suggestions for unknown words."""

    def __init__(self, store: Store) -> None:
        self._words = store[VOCABULARY]

    def of(self, word: str) -> list[str]:
        """Return words, or endings of words, that are spelled like a folded one, best first.

        Mistakes are letters that are missing, too many, others, or two in the wrong order.
        """
        # It is loaded with the first search that finds nothing.
        from rapidfuzz.distance import OSA  # noqa: PLC0415

        if len(word) < _SHORTEST:
            return []
        mistakes = 2 if len(word) >= _LONG else 1
        ranks: dict[str, tuple[int, bool]] = {}
        candidates = self._words.find(_sharing_a_part(word), limit=_MOST_COMPARED, fields=["_id"])
        for candidate in (document["_id"] for document in candidates):
            for ending in _comparable_endings(candidate, word, mistakes):
                distance = OSA.distance(word, ending, score_cutoff=mistakes)
                if distance <= mistakes:
                    rank = (distance, ending != candidate)
                    ranks[ending] = min(ranks.get(ending, rank), rank)
        return sorted(ranks, key=lambda each: (*ranks[each], each))[:_MOST_PROPOSED]


def _containing(word: str) -> Clause:
    return having(Part(word, PartPlace.ANYWHERE))


def _sharing_a_part(word: str) -> Clause:
    third, half = len(word) // 3, len(word) // 2
    size = third if third >= _SHORTEST_PART else half
    parts = [word[:size], word[size : 2 * size], word[-size:]]
    beginning = having(Part(word[: max(third, 2)], PartPlace.BEGINNING))
    return any_of([beginning, *(_containing(part) for part in parts if size >= _SHORTEST_PART)])


def _comparable_endings(candidate: str, word: str, mistakes: int) -> Iterator[str]:
    """Yield a candidate and, for long words, its endings, if they are of similar length."""
    starts = range(len(candidate)) if len(word) >= _LONG else (0,)
    for start in starts:
        if abs(len(candidate) - start - len(word)) <= mistakes:
            yield candidate[start:]
