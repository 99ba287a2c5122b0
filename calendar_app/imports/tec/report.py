"""What became of the records of a site."""

from collections import Counter
from collections.abc import Iterator

from calendar_app.catalogue.foreign import Outcome


class Report:
    """Counts outcomes by collection, and keeps a line on each record that was refused."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, Outcome]] = Counter()
        self._refused: list[str] = []

    def note(self, collection: str, outcome: Outcome) -> None:
        self._counts[collection, outcome] += 1

    def refuse(self, collection: str, record: str, reason: str) -> None:
        """Note that ``record``, named as a person finds it again, was not taken."""
        self.note(collection, Outcome.REFUSED)
        self._refused.append(f"Refused {record}: {' '.join(reason.split())}")

    def count(self, outcome: Outcome, collection: str | None = None) -> int:
        """Return how many records had this outcome, in one collection or in all."""
        return sum(
            number
            for (name, what), number in self._counts.items()
            if what is outcome and collection in (None, name)
        )

    def lines(self) -> Iterator[str]:
        """Yield what to print: who was refused, each collection, and all of them."""
        yield from self._refused
        for collection in dict.fromkeys(name for name, _ in self._counts):
            yield f"{collection}: {self._told(collection)}"
        yield f"all: {self._told(None)}"

    def _told(self, collection: str | None) -> str:
        counted = (f"{self.count(outcome, collection)} {outcome.value}" for outcome in Outcome)
        return ", ".join(counted)
