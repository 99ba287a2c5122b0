"""What has come up lately, among more than can be remembered."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet


class Lately:
    """Remembers the last ``most`` texts at least, and hardly more than twice as many.

    What comes up again and again stays, however much else there is.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._new: set[str] = set()
        self._old: set[str] = set()

    def unknown(self, texts: AbstractSet[str]) -> set[str]:
        """Return those of the texts that are not remembered."""
        return {*texts} - self._new - self._old

    def add(self, texts: Iterable[str]) -> None:
        """Remember texts, those that are remembered already for longer."""
        self._new.update(texts)
        if len(self._new) > self._most:
            self._old, self._new = self._new, set()
