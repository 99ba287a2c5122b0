"""Imports a site, each record once however often the import is repeated.

The first language makes records. The texts of a second one join them, and make records of their
own only with ``create_missing``.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from calendar_app.accounts.policy import Caller
from calendar_app.calendar.bulk.editor import BulkEditor
from calendar_app.calendar.bulk.records import ImportedRecord, ImportResult, Outcome, at_host
from calendar_app.calendar.series.members import StoredSeries
from calendar_app.domain.cost import Currency
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.zones import Site
from calendar_app.imports.report import OUTCOMES, Progress, Report
from calendar_app.imports.tec.joining import Joiner, JoinPlan, Matches
from calendar_app.imports.tec.pages import Pages
from calendar_app.imports.tec.pictures import PictureImporter, shown_pictures
from calendar_app.imports.tec.reading import (
    Batch,
    LinkResolver,
    ParsedRecord,
    RecordReader,
    by_level,
    embedded_records,
)
from calendar_app.imports.tec.records import site_of, source_of
from calendar_app.imports.tec.series import SeriesImporter
from calendar_app.imports.tec.values import Raw
from calendar_app.kinds import BY_NAME, CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from calendar_app.sources.importing import Imports, Origin
from calendar_app.sources.notes import KnownEvents
from calendar_app.sources.noting import NoteWriter
from calendar_app.sources.planning import Key
from calendar_app.sources.pushing import Pusher
from calendar_app.sources.reading import Parts, Request, report_doubles
from calendar_app.sources.reports import DONE, PREVIEW, STOPPED, Reading
from calendar_app.sources.results import Outcome as Event
from calendar_app.sources.results import Result
from calendar_app.sources.site_notes import SiteNotes
from calendar_app.sources.source import Source


class DisappearedSources:
    """Collects the sources of an import, to find records of earlier ones that it lacks.

    Only sites with records of a kind in this import can have lost others of that kind.
    """

    def __init__(self, editor: BulkEditor, language: str) -> None:
        self._editor = editor
        self._language = language
        # Hashes take less memory: a site may have a million sources.
        self._hashes: set[int] = set()
        self._sites: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, kind: Kind, records: Iterable[ParsedRecord]) -> None:
        """Collect the sources of records, refused ones too, and of those they link to."""
        for record in records:
            for name, sources in ((kind.name, [record.source]), *record.links.items()):
                for source in sources:
                    self._hashes |= {hash(source), hash(at_host(source))}
                self._sites[name].update(map(site_of, sources))

    def records(self, kind: Kind) -> Iterator[Record]:
        """Yield the missing records, with little more than their names."""
        sites = self._sites[kind.name]
        for record in self._editor.imported.in_language(kind, self._language) if sites else ():
            notes = [note for note in record["imported"] if note["language"] == self._language]
            sources = [note["source"] for note in notes if site_of(note["source"]) in sites]
            if sources and self._hashes.isdisjoint(map(hash, sources)):
                yield record
        if kind is EVENT:
            yield from self._dates(sites)

    def _dates(self, sites: Iterable[str]) -> Iterator[Record]:
        """Yield the dates of series that are missing: no address or name of theirs has the day."""
        for site in sites:
            for source, date in self._editor.imported.dates(site, self._language):
                start = date["recurrence_id"]
                names = (f"{source}/{name}" for name in (start.date().isoformat(), str(start)))
                if self._hashes.isdisjoint(map(hash, names)):
                    yield date


# Imports the parsed records of a site, batch by batch.

# The author of records without one: the operator, with all rights.
OPERATOR = Caller(id=1, name="import", role="administrator")
# In this order no record links to a later one.
IMPORT_ORDER = (CATEGORY, TAG, VENUE, ORGANIZER, EVENT)
# Characters of text in one transaction, some hundred events: with all their words in an index,
# more would not fit into the small cache of a MongoDB.
_TRANSACTION_LENGTH = 150_000
# The characters that a record counts for beside its texts.
_BASE_LENGTH = 500


class BatchImporter:
    """Imports records by ``plan``; those of recurring events wait for the others of the series."""

    def __init__(
        self,
        editor: BulkEditor,
        reader: RecordReader,
        plan: JoinPlan,
        report: Report,
        series: SeriesImporter,
    ) -> None:
        self._editor = editor
        self._reader = reader
        self._plan = plan
        self._report = report
        self._series = series
        # Of events, since the last time that they were taken.
        self._results: list[Result] = []
        self._links = LinkResolver(editor.imported.ids, plan.ids)
        # Sources that are not imported again where events contain them.
        self._handled: set[str] = set()
        # Sources created in this import: their deletion here may have cut links.
        self._created: set[str] = set()

    def run(self, kind: Kind, raws: Sequence[Raw]) -> Batch:
        """Import some records of the site, and return them parsed."""
        batch = self._reader.read(kind, raws)
        self._report.skip(batch.skipped)
        for label, reason in batch.unidentified:
            self._report.refuse(kind.name, label, reason)
        if kind is EVENT:
            self._import_embedded(batch.records, raws)
            self._hold_dates(batch.records)
        self._import_levels(kind, [each for each in batch.records if not _is_date(each)])
        return batch

    def taken_results(self) -> list[Result]:
        """Return the results of the events since the last time, for the report of a reading."""
        results, self._results = self._results, []
        return results

    def import_series(self, now: datetime) -> None:
        """Import the dates of series on all pages; those without a series here are events."""
        dates: list[ParsedRecord] = []
        for outcome in self._series.run(now):
            if isinstance(outcome, Result):
                self._results.append(outcome)
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
            for part in _transactions([by_source[source] for source in level]):
                self._import(kind, part)

    def _import(self, kind: Kind, records: Sequence[ParsedRecord]) -> None:
        accepted = [record for record in records if self._accepts(kind, record)]
        if not accepted:
            return
        self._links.load(record.links for record in accepted)
        batch = [self._imported(kind, record) for record in accepted]
        results = self._editor.take(kind, batch, OPERATOR, self._reader.language)
        for record, result in zip(accepted, results, strict=True):
            self._note(kind, record, result)

    def _accepts(self, kind: Kind, record: ParsedRecord) -> bool:
        """Return whether to import a record; report the reason otherwise."""
        if record.error:
            self._refuse(kind, record, record.error)
            return False
        objection = self._plan.unresolved.get(record.source)
        if objection is None or self._plan.create_missing:
            return True
        self._handled.add(record.source)
        self._report.leave(kind.name, record.label, objection)
        self._tell(kind, record, Event.LEFT_OUT, objection)
        return False

    def _imported(self, kind: Kind, record: ParsedRecord) -> ImportedRecord:
        source = record.source
        is_joining = source in self._plan.methods
        linked = (each for sources in record.links.values() for each in sources)
        return ImportedRecord(
            source=source,
            id=record.id,
            changes=record.changes | self._links.resolve(kind, record.links),
            relinked=not self._created.isdisjoint(linked),
            joins=self._plan.ids[source] if is_joining else 0,
            second=self._plan.second,
            group=record.group,
        )

    def _note(self, kind: Kind, record: ParsedRecord, result: ImportResult) -> None:
        if result.outcome is Outcome.REFUSED:
            self._refuse(kind, record, result.reason)
            return
        self._report.note(kind.name, result.outcome)
        self._report.drop(record.label, record.invalid_addresses)
        self._tell(kind, record, OUTCOMES[result.outcome], result=result)
        if record.source in self._plan.methods:
            self._handled.add(record.source)
            self._report.join(kind.name, self._plan.methods[record.source])
        if result.outcome is Outcome.CREATED and kind is not EVENT:
            if not self._plan.second:
                self._created.add(record.source)
            if self._editor.dry_run:
                self._handled.add(record.source)

    def _refuse(self, kind: Kind, record: ParsedRecord, reason: str) -> None:
        self._handled.add(record.source)
        self._report.refuse(kind.name, record.label, reason)
        self._tell(kind, record, Event.REFUSED, reason)

    def _tell(
        self,
        kind: Kind,
        record: ParsedRecord,
        outcome: Event,
        reason: str = "",
        result: ImportResult | None = None,
    ) -> None:
        """Add the result of an event to those for the report of the reading."""
        if kind is EVENT:
            own = Result(outcome, record.label, record.source, reason=reason)
            if result is not None:
                own.event, own.fields = result.record_id, list(result.fields)
                own.keep(result.kept)
            self._results.append(own)


def _is_date(record: ParsedRecord) -> bool:
    """Return whether a record that can be read is a date of a series."""
    return record.occurrence is not None and not record.error


def _transactions(records: Sequence[ParsedRecord]) -> Iterator[list[ParsedRecord]]:
    """Yield records in their order, as many at a time as one transaction has room for."""
    part, length = list[ParsedRecord](), 0
    for record in records:
        part.append(record)
        length += _BASE_LENGTH + record.text_length
        if length >= _TRANSACTION_LENGTH:
            yield part
            part, length = [], 0
    if part:
        yield part


# All of a site.


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """The language of the texts, the settings of this calendar, and how translations join.

    ``chains`` has the fallback chain of each language. ``matches`` makes the language a second one.
    """

    language: str
    chains: Mapping[str, Sequence[str]]
    site: Site
    currency: Currency
    matches: Matches | None = None
    create_missing: bool = False


class Importer:
    """Imports texts in one language, as a reading of the source that the site is."""

    def __init__(
        self,
        editor: BulkEditor,
        options: ImportOptions,
        pictures: PictureImporter,
        imports: Imports,
    ) -> None:
        self._editor = editor
        self._pictures = pictures
        self._options = options
        self._imports = imports
        self._reader = RecordReader(
            language=options.language,
            languages=tuple(options.chains),
            currency=options.currency,
        )

    def run(
        self, pages: Pages, origin: Origin, progress: Progress, on_wait: Callable[[], None]
    ) -> Report:
        """Import all records on the pages; raise ``SourceError`` before any write."""
        dry_run = self._editor.dry_run
        plan = replace(self._plan(pages), create_missing=self._options.create_missing)
        report = Report(second=plan.second)
        owners = self._imports.owners(_first_keys(pages)).values()
        source = self._imports.source(origin, owners, is_stored=not dry_run)
        work = _SiteReading(
            parts=self._imports.parts,
            source=source,
            pages=pages,
            editor=self._editor,
            importer=self._batch_importer(source, plan, report),
            bring_pictures=partial(self._bring_pictures, pages, plan, report, progress),
            language=self._options.language,
            report=report,
            progress=progress,
        )
        request = Request(OPERATOR.id, dry_run)
        self._imports.carry_out(source, request, work.begin, on_wait)
        return report

    def _batch_importer(self, source: Source, plan: JoinPlan, report: Report) -> BatchImporter:
        parts, dry_run = self._imports.parts, self._editor.dry_run
        series = SeriesImporter(
            Pusher(parts, source, dry_run=dry_run, operator=OPERATOR),
            StoredSeries(parts.store),
            report,
            plan,
            source,
            zone=self._options.site.timezone,
        )
        return BatchImporter(self._editor, self._reader, plan, report, series)

    def _plan(self, pages: Pages) -> JoinPlan:
        options = self._options
        if options.matches is None and not self._editor.imported.is_second(options.language):
            return JoinPlan()
        matches = options.matches or Matches({})
        pictures = self._pictures.addresses()
        timezone = options.site.timezone
        return Joiner(self._editor, self._reader, timezone, matches, pictures).plan(pages)

    def _bring_pictures(
        self, pages: Pages, plan: JoinPlan, report: Report, progress: Progress
    ) -> Mapping[str, int]:
        """Import the pictures of the records, and return their ids by address."""
        pictures = shown_pictures(pages, lambda *record: self._brings_picture(plan, *record))
        return self._pictures.run(pictures, report, progress)

    def _brings_picture(self, plan: JoinPlan, kind: Kind, source: str, raw: Raw) -> bool | None:
        """Return whether to bring the picture of a record; ``None`` skips its texts too."""
        if not self._reader.accepts(kind, raw):
            return None
        joins = source in plan.ids
        return not plan.second or (self._options.create_missing and not joins)


def _first_keys(pages: Pages) -> set[Key]:
    """Return the identities of the first events of a site, and of the series that they are of."""
    keys: set[Key] = set()
    for raw in next(pages.parts(EVENT.name), []):
        with suppress(ValueError):
            source = source_of(EVENT.name, raw)
            keys |= {Key(source), Key(source.rpartition("/")[0])}
    return keys


@dataclass(slots=True, kw_only=True)
class _SiteReading:
    """The reading of a site, kind after kind; it may be stopped between parts of its events."""

    parts: Parts
    source: Source
    pages: Pages
    editor: BulkEditor
    importer: BatchImporter
    bring_pictures: Callable[[], Mapping[str, int]]
    language: str
    report: Report
    progress: Progress
    # The next reading of the source by its address looks at all of it.
    fresh: Record = field(default_factory=lambda: {"etag": "", "modified": "", "digest": ""})
    _reading: Reading = field(init=False)
    _created: list[int] = field(default_factory=list)

    def begin(self, reading: Reading) -> "_SiteReading":
        """Take the reading that this is."""
        self._reading = reading
        reading.all, reading.bytes = self.pages.extents()[EVENT.name].count, self.pages.size
        return self

    def run(self) -> str:
        """Return the state in which the reading ends."""
        extents = self.pages.extents()
        for kind in IMPORT_ORDER:
            self.editor.reserve(kind, extents[kind.name].highest)
        self.editor.pictures = self.bring_pictures()
        self.editor.merging = self._site_notes()
        disappeared = DisappearedSources(self.editor, self.language)
        for kind in IMPORT_ORDER:
            for raws in self.pages.parts(kind.name):
                disappeared.add(kind, self.importer.run(kind, raws).records)
                self.progress(kind.name, len(raws), extents[kind.name].count)
                if kind is EVENT and not self._goes_on(len(raws)):
                    return STOPPED
        self.importer.import_series(self._reading.started)
        if not self._goes_on(0):
            return STOPPED
        for kind in IMPORT_ORDER:
            if extents[kind.name].is_short:
                self.report.warn_short(kind, extents[kind.name].total, extents[kind.name].distinct)
            # Events name records that no list has.
            elif not extents[EVENT.name].is_short:
                self.report.warn_missing(kind, self.language, disappeared.records(kind))
        if self.editor.dry_run:
            return PREVIEW
        report_doubles(self.parts, self._reading, self._created)
        return DONE

    def _site_notes(self) -> SiteNotes:
        """Return the notes of the source, of which the next reading by its address knows."""
        store, kinds = self.parts.store, self.parts.kinds
        return SiteNotes(
            EVENT,
            self.source,
            KnownEvents(store, kinds),
            NoteWriter(store, kinds, self.source, digest=lambda _: ""),
            self._reading.started,
            self.editor.pictures,
        )

    def _goes_on(self, number: int) -> bool:
        """Report what became of so many events; say whether the reading goes on."""
        results = self.importer.taken_results()
        self.parts.reports.add(self._reading, results)
        self._created += [each.event for each in results if each.outcome is Event.NEW]
        self._reading.done += number
        return self.editor.dry_run or self.parts.reports.note_progress(self._reading)
