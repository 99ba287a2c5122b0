"""What became of the records of a site."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from calendar_app.calendar.bulk.records import Outcome
from calendar_app.domain.kind import Kind, Record
from calendar_app.imports.tec.pages import Extent
from calendar_app.imports.tec.plan import How

_MOST_NAMED = 20
_LONGEST = 200  # characters of what is no address


class Report:
    """Counts outcomes by collection, and keeps a line on each record that was not taken.

    What joined a record is told apart only in a ``second`` language.
    """

    def __init__(self, *, second: bool = False) -> None:
        self._second = second
        self._joined: Counter[tuple[str, How]] = Counter()
        self._left: Counter[str] = Counter()
        self._passed_over = 0
        self._counts: Counter[tuple[str, Outcome]] = Counter()
        self._told_apart: list[str] = []
        self._missed: list[str] = []

    def note(self, collection: str, outcome: Outcome) -> None:
        self._counts[collection, outcome] += 1

    def refuse(self, collection: str, record: str, reason: str) -> None:
        """Note that ``record``, named as a person finds it again, was not taken."""
        self.note(collection, Outcome.REFUSED)
        self._told_apart.append(f"Refused {record}: {' '.join(reason.split())}")

    def drop(self, record: str, unusable: Mapping[str, str]) -> None:
        """Note which fields of ``record`` were left out, as what they say is no address."""
        for name, told in unusable.items():
            shown = " ".join(told[:_LONGEST].split())
            self._told_apart.append(f"Dropped {name} of {record}: {shown} is no address.")

    def rename(self, record: str, told: str, slug: str) -> None:
        """Note that ``record`` has another ``slug`` than its site tells."""
        self._told_apart.append(f"Renamed {record}: its slug is {slug}, as {told} is taken here.")

    def join(self, collection: str, how: How) -> None:
        """Note that a text has joined a record that was here."""
        self._joined[collection, how] += 1

    def leave(self, collection: str, record: str, reason: str) -> None:
        """Note that a person is to decide to what ``record`` belongs."""
        self._left[collection] += 1
        self._told_apart.append(f"Left {record}: {reason}")

    def pass_over(self, number: int) -> None:
        """Note so many records in a language that is not asked for."""
        self._passed_over += number

    def miss(self, kind: Kind, language: str, records: Iterable[Record]) -> None:
        """Note records that are here though the site no longer tells of them."""
        where = f" in {language}" if self._second else ""
        self._name(kind, language, records, f"the site no longer tells{where}")

    def expose(self, kind: Kind, language: str, records: Iterable[Record]) -> None:
        """Note records that everybody can read here, and that have a password at the site."""
        self._name(kind, language, records, "a password protects at the site")

    def fall_short(self, kind: Kind, extent: Extent) -> None:
        """Note that the site gave fewer records than it counts."""
        self._missed.append(
            f"{kind.name}: the site counts {extent.total}, and gave {extent.distinct} only"
        )

    def _name(self, kind: Kind, language: str, records: Iterable[Record], what: str) -> None:
        names = (
            f'{one["_id"]} "{one["variants"][language].get(kind.label, "")}"' for one in records
        )
        if shown := list(islice(names, _MOST_NAMED)):
            others = sum(1 for _ in names)
            named = [*shown, f"and {others} others"] if others else shown
            number = len(shown) + others
            self._missed.append(f"{kind.name}: {number} here that {what}: {', '.join(named)}")

    def count(self, outcome: Outcome, collection: str | None = None) -> int:
        """Return how many records had this outcome, in one collection or in all."""
        return sum(
            number
            for (name, what), number in self._counts.items()
            if what is outcome and collection in (None, name)
        )

    def lines(self) -> Iterator[str]:
        """Yield what to print: what was not taken, each collection, and all of them."""
        yield from self._told_apart
        if self._passed_over:
            yield f"Passed over, as they are in other languages: {self._passed_over}"
        if self._second:
            yield from self._joined_lines()
        yield from self._missed
        for collection in dict.fromkeys(name for name, _ in self._counts):
            yield f"{collection}: {self._told(collection)}"
        yield f"all: {self._told(None)}"

    def _joined_lines(self) -> Iterator[str]:
        for collection in dict.fromkeys([*(name for name, _ in self._joined), *self._left]):
            counted = [f"{self._joined[collection, how]} {how.value}" for how in How]
            yield _joined_line(collection, counted, self._left[collection])
        totals = {how: sum(n for (_, by), n in self._joined.items() if by is how) for how in How}
        counted = [f"{number} {how.value}" for how, number in totals.items()]
        yield _joined_line("all", counted, self._left.total())

    def _told(self, collection: str | None) -> str:
        counted = (f"{self.count(outcome, collection)} {outcome.value}" for outcome in Outcome)
        return ", ".join(counted)


def _joined_line(collection: str, counted: Iterable[str], left: int) -> str:
    return f"{collection} joined: {', '.join(counted)}, {left} left for a person"
