"""The lines that a command prints of a run: the results of its records, by collection.

They are the same results as in the stored report of the run.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from types import MappingProxyType

from calendar_app.domain.kind import Kind, Record
from calendar_app.sources.results import Joining, Outcome, Result

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


class Summary:
    """Counts results by collection, and describes records with problems.

    Joins are counted in a ``second`` language alone. Records are given by their labels.
    """

    def __init__(self, *, second: bool = False) -> None:
        self._second = second
        self._outcomes: Counter[tuple[str, Outcome]] = Counter()
        self._joins: Counter[tuple[str, Joining]] = Counter()
        self._skipped = 0
        self._own = 0
        self._details: list[str] = []
        self.refusals: list[str] = []
        self._warnings: list[str] = []

    def add(self, result: Result) -> None:
        """Count a result, and describe refusals and omissions."""
        if result.outcome is Outcome.REFUSED:
            self._refuse(result.kind, result.label, result.reason)
        elif Joining.OPEN in result.joins:
            self._details.append(f"Left {result.label}: {result.reason}")
        elif result.outcome is Outcome.LEFT_OUT:
            words = " ".join(result.reason.split())[:_MAX_LINE]
            self._details.append(f"Left out of {result.label}: {words}")
        else:
            self._outcomes[result.kind, result.outcome] += result.records
        self._own += result.outcome is Outcome.OWN
        for label, reason in result.refused_dates:
            self._refuse(result.kind, label, reason)
        if result.dates_from:
            self._shorten(result.label, result.dates_from)
        for label, name, value in result.dropped:
            text = " ".join(value[:_MAX_VALUE].split())
            self._details.append(f"Dropped {name} of {label}: {text} is no address.")
        for joining in result.joins:
            self._joins[result.kind, joining] += 1

    def _refuse(self, collection: str, label: str, reason: str) -> None:
        self._outcomes[collection, Outcome.REFUSED] += 1
        refusal = f"{label}: {' '.join(reason.split())}"
        self._details.append(f"Refused {refusal}")
        self.refusals.append(refusal)

    def _shorten(self, label: str, dates_from: datetime) -> None:
        """Report a series of which earlier dates are not listed."""
        self._details.append(f"Not listed of {label}: dates before {dates_from:%Y-%m-%d}.")

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
        # Collections of which nothing has joined come last.
        ordered = sorted(self._joins, key=lambda each: each[1] is Joining.OPEN)
        collections = list(dict.fromkeys(name for name, _ in ordered))
        for label, names in [*((name, [name]) for name in collections), ("all", collections)]:
            counts = (
                f"{sum(self._joins[name, joining] for name in names)} {joining.value}"
                for joining in Joining
            )
            yield f"{label} joined: {', '.join(counts)}"
