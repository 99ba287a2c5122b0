"""How sources stand: when they were read well, what they bring, and which need a person."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from calendar_app.domain.kind import Record
from calendar_app.sources.reports import RESULTS, WAITING
from calendar_app.sources.runs import ReadingParts
from calendar_app.sources.source import SOURCES, Source
from calendar_app.storage.query.clauses import EVERYTHING, equals

_WEEK = timedelta(days=7)
# Each source makes a dozen time series.
_MOST_MEASURED, _LONGEST_LABEL = 1000, 100


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source, and how it stands: what the last reading was, and when the next one is due."""

    source: Source
    state: Record = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SourceStatistics:
    """A source in figures: ``age`` in seconds, and the number of readings by result.

    ``failures`` are those since the last good reading, after which it had so many ``events`` here,
    a series as one. ``held_back`` is how many events a reading that waits would change or remove.
    """

    id: int
    name: str
    age: float | None
    readings: Mapping[str, int]
    failures: int
    events: int | None
    held_back: int


@dataclass(slots=True)
class SourceOverview:
    """The sources of a calendar, each with its state."""

    parts: ReadingParts

    def failing(self) -> Iterable[SourceStatus]:
        """Yield the sources that have failed for a week and of which nobody was told, once."""
        for source_id in self.parts.reports.failing(self.parts.now() - _WEEK):
            document = self.parts.store[SOURCES].first(equals("_id", source_id))
            if document is not None and self.parts.reports.claim_telling(source_id):
                yield SourceStatus(Source.of(document), self.parts.reports.state(source_id))

    def troubled(self, listed: Iterable[SourceStatus]) -> Sequence[SourceStatus]:
        """Return the sources that wait for a person, or have failed for a week."""
        week_ago = self.parts.now() - _WEEK
        return [
            each
            for each in listed
            if each.state.get("result") == WAITING
            or (each.state.get("failing_since") or self.parts.now()) <= week_ago
        ]

    def figures(self) -> Sequence[SourceStatistics]:
        """Return the figures of the first sources; without a schedule they have no age.

        The age of a source that was never read well is counted from the day when it was added.
        """
        documents = self.parts.store[SOURCES].find(
            EVERYTHING, order=[("_id", 1)], limit=_MOST_MEASURED
        )
        states = self.parts.reports.states(each["_id"] for each in documents)
        now = self.parts.now()
        figures = []
        for source in map(Source.of, documents):
            state = states.get(source.id, {})
            since = state.get("read") or state.get("added")
            age = (now - since).total_seconds() if since and source.is_scheduled else None
            readings = dict.fromkeys(RESULTS, 0) | state.get("readings", {})
            held_back = state.get("alarming", 0) if state.get("result") == WAITING else 0
            own = (state.get("failures", 0), state.get("events"), held_back)
            name = source.name[:_LONGEST_LABEL]
            figures.append(SourceStatistics(source.id, name, age, readings, *own))
        return figures
