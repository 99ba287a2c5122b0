"""The lines that an import prints: the results of its records, by collection."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime
from enum import Enum
from itertools import islice
from types import MappingProxyType

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import EVENT
from calendar_app.sources.results import Outcome, Result

_MAX_LISTED = 20
_MAX_LINE = 300
_MAX_VALUE = 200  # characters of an invalid address
_COLUMNS: Mapping[str, Collection[Outcome]] = MappingProxyType(
    {
        "created": (Outcome.NEW,),
        "updated": (Outcome.CHANGED,),
        "unchanged": (Outcome.UNCHANGED, Outcome.KEPT, Outcome.OWN, Outcome.FILTERED),
        "refused": (Outcome.REFUSED,),
    }
)

# Called after each part with its collection, the records in the part, and those in all.
ReportProgress = Callable[[str, int, int], None]


class JoinMethod(Enum):
    """The evidence by which a translation joins a record."""

    LINKS = "by links"
    FILE = "by file"
    LIKENESS = "by likeness"


class Report:
    """Counts results by collection, and describes records with problems.

    Joins are reported in a ``second`` language alone. Records are given by their labels.
    """

    def __init__(self, *, second: bool = False) -> None:
        self._second = second
        self._outcomes: Counter[tuple[str, Outcome]] = Counter()
        self._joins: Counter[tuple[str, JoinMethod]] = Counter()
        self._unresolved: Counter[str] = Counter()
        self._skipped = 0
        self._own = 0
        self._details: list[str] = []
        self.refusals: list[str] = []
        self._warnings: list[str] = []

    def add(self, collection: str, result: Result, *, records: int = 1) -> None:
        """Count the result of an event or record; a series may stand for several ``records``."""
        if result.outcome is Outcome.REFUSED:
            self._refuse(collection, result.label, result.reason)
        elif result.outcome is Outcome.LEFT_OUT:
            words = " ".join(result.reason.split())[:_MAX_LINE]
            self._details.append(f"Left out of {result.label}: {words}")
        else:
            self._outcomes[collection, result.outcome] += records
        self._own += result.outcome is Outcome.OWN
        for label, reason in result.refused_dates:
            self._refuse(collection, label, reason)
        if result.dates_from:
            self._shorten(result.label, result.dates_from)

    def _refuse(self, collection: str, label: str, reason: str) -> None:
        self._outcomes[collection, Outcome.REFUSED] += 1
        refusal = f"{label}: {' '.join(reason.split())}"
        self._details.append(f"Refused {refusal}")
        self.refusals.append(refusal)

    def _shorten(self, label: str, dates_from: datetime) -> None:
        """Report a series of which earlier dates are not listed."""
        self._details.append(f"Not listed of {label}: dates before {dates_from:%Y-%m-%d}.")

    def drop(self, label: str, addresses: Mapping[str, str]) -> None:
        """Report fields that were left out, since their values are no addresses."""
        for name, value in addresses.items():
            text = " ".join(value[:_MAX_VALUE].split())
            self._details.append(f"Dropped {name} of {label}: {text} is no address.")

    def join(self, collection: str, method: JoinMethod) -> None:
        """Count a text that has joined a record."""
        self._joins[collection, method] += 1

    def leave(self, collection: str, result: Result) -> None:
        """Report a record without a clear counterpart."""
        self._unresolved[collection] += 1
        self._details.append(f"Left {result.label}: {result.reason}")

    def skip(self, number: int) -> None:
        """Count records in other languages."""
        self._skipped += number

    def warn_missing(self, kind: Kind, language: str, records: Iterator[Record]) -> None:
        """Report records that the site no longer has."""
        names = (
            f'{record["_id"]} "{record["variants"][language].get(kind.label, "")}"'
            for record in records
        )
        listed = list(islice(names, _MAX_LISTED))
        rest = sum(1 for _ in names)
        if listed:
            number = len(listed) + rest
            where = f" in {language}" if self._second else ""
            listed += [f"and {rest} others"] if rest else []
            self._warnings.append(
                f"{kind.name}: {number} here that the site no longer has{where}: "
                f"{', '.join(listed)}"
            )

    def warn_short(self, kind: Kind, total: int, distinct: int) -> None:
        """Report that the site gave fewer records than it counts."""
        self._warnings.append(f"{kind.name}: the site counts {total}, and gave {distinct} only")

    def lines(self) -> Iterator[str]:
        """Yield the lines to print; the last one has the totals."""
        yield from self._details
        if self._skipped:
            yield f"Passed over, as they are in other languages: {self._skipped}"
        if self._own:
            yield f"Left as they are, since they come from this calendar: {self._own}"
        if self._second:
            yield from self._join_lines()
        yield from self._warnings
        for collection in dict.fromkeys(name for name, _ in self._outcomes):
            yield self._outcome_line(collection, [collection])
        yield self._outcome_line("all", {name for name, _ in self._outcomes})

    def _outcome_line(self, label: str, collections: Iterable[str]) -> str:
        names = list(collections)
        counts = (
            f"{sum(self._outcomes[name, each] for name in names for each in outcomes)} {column}"
            for column, outcomes in _COLUMNS.items()
        )
        return f"{label}: {', '.join(counts)}"

    def _join_lines(self) -> Iterator[str]:
        collections = dict.fromkeys([*(name for name, _ in self._joins), *self._unresolved])
        for label, names in [*((name, [name]) for name in collections), ("all", [*collections])]:
            counts = (
                f"{sum(self._joins[name, method] for name in names)} {method.value}"
                for method in JoinMethod
            )
            unresolved = sum(self._unresolved[name] for name in names)
            yield f"{label} joined: {', '.join(counts)}, {unresolved} left for a person"


def report_of(results: Iterable[Result]) -> Report:
    """Return the report of an import that was a reading of a source."""
    report = Report()
    for result in results:
        report.add(EVENT.name, result)
    return report
