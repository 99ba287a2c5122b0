"""A set of bounded size that forgets its oldest members."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet


class TwoGenerationSet:
    """Keeps at least the last ``size`` texts, and hardly more than twice as many.

    Each addition makes a text young again, so that frequent ones stay.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._young: set[str] = set()
        self._old: set[str] = set()

    def missing(self, texts: AbstractSet[str]) -> set[str]:
        """Return the texts that are not in the set."""
        return {*texts} - self._young - self._old

    def add(self, texts: Iterable[str]) -> None:
        """Add texts, or renew them."""
        self._young.update(texts)
        if len(self._young) > self._size:
            self._old, self._young = self._young, set()
