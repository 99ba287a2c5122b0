"""Imports the parsed records of a site in batches, in an order in which their links are there."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from calendar_app.accounts.callers import Caller
from calendar_app.domain.kind import Kind
from calendar_app.domain.kinds import BY_NAME, CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from calendar_app.sources.imports.tec.counterparts import Counterparts
from calendar_app.sources.imports.tec.events import SiteEvents
from calendar_app.sources.imports.tec.imported_records import ImportedRecord
from calendar_app.sources.imports.tec.joining import JoinPlan
from calendar_app.sources.imports.tec.linked import SiteRecords
from calendar_app.sources.imports.tec.reading import (
    Batch,
    LinkResolver,
    ParsedRecord,
    RecordReader,
    by_level,
    embedded_records,
)
from calendar_app.sources.imports.tec.series import SeriesImporter
from calendar_app.sources.imports.tec.values import Raw
from calendar_app.sources.results import Joining, Outcome, Result
from calendar_app.sources.transactions import transactions

# Takes the results of records, in their order.
ReportResults = Callable[[Iterable[Result]], object]
# The author of records without one: the operator, with all rights.
OPERATOR = Caller(id=1, name="import", role="administrator")
# In this order no record links to a later one.
IMPORT_ORDER = (CATEGORY, TAG, VENUE, ORGANIZER, EVENT)


class SiteWriters(NamedTuple):
    """The writers of single events, of series once all dates are read, and of other records."""

    events: SiteEvents
    series: SeriesImporter
    records: SiteRecords


class BatchImporter:
    """Imports records by ``plan``; those of recurring events wait for the others of the series."""

    def __init__(
        self,
        here: Counterparts,
        reader: RecordReader,
        plan: JoinPlan,
        report: ReportResults,
        writers: SiteWriters,
    ) -> None:
        self._here = here
        self._reader = reader
        self._plan = plan
        self._report = report
        self._events, self._series, self._records = writers
        self._links = LinkResolver(here.imported.ids, plan.ids)
        # Sources that are not imported again where events contain them.
        self._handled: set[str] = set()
        # Sources created in this import: their deletion here may have cut links.
        self._created: set[str] = set()

    def run(self, kind: Kind, raws: Sequence[Raw]) -> Batch:
        """Import some records of the site, and return them parsed."""
        batch = self._reader.read(kind, raws)
        self._report(
            Result(Outcome.REFUSED, label, kind=kind.name, reason=reason)
            for label, reason in batch.unidentified
        )
        if kind is EVENT:
            self._import_embedded(batch.records, raws)
            self._hold_dates(batch.records)
        self._import_levels(kind, [each for each in batch.records if not _is_date(each)])
        return batch

    def import_series(self, now: datetime) -> None:
        """Import the dates of series on all pages; those without a series here are events."""
        dates: list[ParsedRecord] = []
        for outcome in self._series.run(now):
            if isinstance(outcome, Result):
                self._report([outcome])
            else:
                dates.append(outcome)
        self._import_levels(EVENT, dates)

    def _hold_dates(self, records: Sequence[ParsedRecord]) -> None:
        dates = [record for record in records if _is_date(record)]
        self._links.load(date.links for date in dates)
        for date in dates:
            self._series.add(date, self._links.resolve(EVENT, date.links))

    def _import_embedded(self, events: Sequence[ParsedRecord], raws: Sequence[Raw]) -> None:
        """Import linked records that only events contain: lists have public ones alone."""
        unknown = self._links.load(event.links for event in events)
        sources = {source for each in unknown.values() for source in each}
        linked = {each for event in events for sources in event.links.values() for each in sources}
        sources = (sources | (linked & self._plan.methods.keys())) - self._handled
        for name, members in embedded_records(raws).items() if sources else ():
            missing = [raw for source, raw in members.items() if source in sources]
            self._import_levels(BY_NAME[name], self._reader.read(BY_NAME[name], missing).records)

    def _import_levels(self, kind: Kind, records: Sequence[ParsedRecord]) -> None:
        """Import parents before their children."""
        by_source = {record.source: record for record in records}
        levels = [list(by_source)]
        if kind is CATEGORY:
            parents = {record.source: "".join(record.links[kind.name]) for record in records}
            levels = list(by_level(parents))
        for level in levels:
            for part in transactions(
                [by_source[source] for source in level], lambda record: record.changes
            ):
                self._import(kind, part)

    def _import(self, kind: Kind, records: Sequence[ParsedRecord]) -> None:
        accepted = [record for record in records if self._accepts(kind, record)]
        if not accepted:
            return
        self._links.load(record.links for record in accepted)
        batch = [self._imported(kind, record) for record in accepted]
        results = self._events.write(batch) if kind is EVENT else self._records.write(kind, batch)
        for record, result in zip(accepted, results, strict=True):
            self._note_result(kind, record, result)
        self._report(results)

    def _accepts(self, kind: Kind, record: ParsedRecord) -> bool:
        """Return whether to import a record; report the reason otherwise."""
        if record.error:
            self._handled.add(record.source)
            self._report([self._result(kind, record, Outcome.REFUSED, record.error)])
            return False
        objection = self._plan.unresolved.get(record.source)
        if objection is None or self._plan.create_missing:
            return True
        self._handled.add(record.source)
        result = self._result(kind, record, Outcome.LEFT_OUT, objection)
        result.joins.append(Joining.OPEN)
        self._report([result])
        return False

    def _imported(self, kind: Kind, record: ParsedRecord) -> ImportedRecord:
        source = record.source
        is_joining = source in self._plan.methods
        linked = (each for sources in record.links.values() for each in sources)
        return ImportedRecord(
            source=source,
            id=record.id,
            label=record.label,
            changes=record.changes | self._links.resolve(kind, record.links),
            relinked=not self._created.isdisjoint(linked),
            joins=self._plan.ids[source] if is_joining else 0,
            second=self._plan.second,
            group=record.group,
        )

    @staticmethod
    def _result(kind: Kind, record: ParsedRecord, outcome: Outcome, reason: str) -> Result:
        return Result(outcome, record.label, record.source, kind=kind.name, reason=reason)

    def _note_result(self, kind: Kind, record: ParsedRecord, result: Result) -> None:
        """Add what is to be reported of a record to its result, and note what others depend on."""
        if result.outcome is Outcome.REFUSED:
            self._handled.add(record.source)
            return
        result.dropped += record.dropped
        if record.source in self._plan.methods:
            self._handled.add(record.source)
            result.joins.append(self._plan.methods[record.source])
        if result.outcome is Outcome.NEW and kind is not EVENT:
            if not self._plan.second:
                self._created.add(record.source)
            if self._here.dry_run:
                self._handled.add(record.source)


def _is_date(record: ParsedRecord) -> bool:
    """Return whether a record that can be read is a date of a series."""
    return record.occurrence is not None and not record.error
