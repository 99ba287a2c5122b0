"""The report of an import."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from enum import Enum
from itertools import islice

from calendar_app.calendar.bulk.records import ImportOutcome
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import EVENT
from calendar_app.sources import results

_MAX_LISTED = 20
_MAX_LINE = 300
_MAX_VALUE = 200  # characters of an invalid address
# The outcomes of a reading for those of an import; others leave an event as it is.
OUTCOMES = {
    ImportOutcome.CREATED: results.Outcome.NEW,
    ImportOutcome.UPDATED: results.Outcome.CHANGED,
    ImportOutcome.UNCHANGED: results.Outcome.UNCHANGED,
    ImportOutcome.REFUSED: results.Outcome.REFUSED,
}


def of_reading(outcome: results.Outcome) -> ImportOutcome:
    """Return the outcome of an import for that of a reading."""
    return next(
        (own for own, other in OUTCOMES.items() if other is outcome), ImportOutcome.UNCHANGED
    )


# Called after each part with its collection, the records in the part, and those in all.
ReportProgress = Callable[[str, int, int], None]


class JoinMethod(Enum):
    """The evidence by which a translation joins a record."""

    LINKS = "by links"
    FILE = "by file"
    LIKENESS = "by likeness"


class Report:
    """Counts outcomes by collection, and describes records with problems.

    Joins are reported in a ``second`` language alone. Records are given by their labels.
    """

    def __init__(self, *, second: bool = False) -> None:
        self._second = second
        self._outcomes: Counter[tuple[str, ImportOutcome]] = Counter()
        self._joins: Counter[tuple[str, JoinMethod]] = Counter()
        self._unresolved: Counter[str] = Counter()
        self._skipped = 0
        self._own = 0
        self._details: list[str] = []
        self.refusals: list[str] = []
        self._warnings: list[str] = []

    def note(self, collection: str, outcome: ImportOutcome) -> None:
        self._outcomes[collection, outcome] += 1

    def refuse(self, collection: str, label: str, reason: str) -> None:
        """Report a record that was not imported."""
        self.note(collection, ImportOutcome.REFUSED)
        self._details.append(f"Refused {label}: {' '.join(reason.split())}")
        self.refusals.append(f"{label}: {' '.join(reason.split())}")

    def drop(self, label: str, addresses: Mapping[str, str]) -> None:
        """Report fields that were left out, since their values are no addresses."""
        for name, value in addresses.items():
            text = " ".join(value[:_MAX_VALUE].split())
            self._details.append(f"Dropped {name} of {label}: {text} is no address.")

    def shorten(self, label: str, dates_from: datetime) -> None:
        """Report a series of which earlier dates are not listed."""
        self._details.append(f"Not listed of {label}: dates before {dates_from:%Y-%m-%d}.")

    def omit(self, label: str, words: str) -> None:
        """Report a part of a record that was left out."""
        self._details.append(f"Left out of {label}: {' '.join(words.split())[:_MAX_LINE]}")

    def recognize(self, number: int) -> None:
        """Count records that come from this calendar itself."""
        self._own += number

    def join(self, collection: str, method: JoinMethod) -> None:
        """Count a text that has joined a record."""
        self._joins[collection, method] += 1

    def leave(self, collection: str, label: str, reason: str) -> None:
        """Report a record without a clear counterpart."""
        self._unresolved[collection] += 1
        self._details.append(f"Left {label}: {reason}")

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
            f"{sum(self._outcomes[name, outcome] for name in names)} {outcome.value}"
            for outcome in ImportOutcome
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


def report_of(events: Iterable[results.Result]) -> Report:
    """Return the report of an import that was a reading of a source."""
    report = Report()
    for event in events:
        if event.outcome is results.Outcome.REFUSED:
            report.refuse(EVENT.name, event.label, event.reason)
        elif event.outcome is results.Outcome.LEFT_OUT:
            report.omit(event.label, event.reason)
        else:
            report.note(EVENT.name, of_reading(event.outcome))
        report.recognize(event.outcome is results.Outcome.OWN)
        for label, reason in event.refused_dates:
            report.refuse(EVENT.name, label, reason)
        if event.dates_from:
            report.shorten(event.label, event.dates_from)
    return report
