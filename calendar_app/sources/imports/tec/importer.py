"""Imports a site, each record once however often the import is repeated.

The first language makes records. The texts of a second one join them, and make records of their
own only with ``create_missing``.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain

from calendar_app.calendar.pictures.uploads import Pictures
from calendar_app.calendar.series.members import StoredSeries
from calendar_app.domain.cost import Currency
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import BY_NAME, EVENT, MEDIA
from calendar_app.domain.zones import Site
from calendar_app.sources.importing import ImportOrigin, Imports
from calendar_app.sources.imports.downloading import Downloader
from calendar_app.sources.imports.tec.batches import (
    IMPORT_ORDER,
    OPERATOR,
    BatchImporter,
    ReportResults,
    SiteWriters,
)
from calendar_app.sources.imports.tec.counterparts import Counterparts
from calendar_app.sources.imports.tec.events import SiteEvents
from calendar_app.sources.imports.tec.joining import Joiner, JoinPlan, Matches
from calendar_app.sources.imports.tec.linked import SiteRecords
from calendar_app.sources.imports.tec.missing import DisappearedSources
from calendar_app.sources.imports.tec.pages import Progress, RecordedPages
from calendar_app.sources.imports.tec.pictures import PictureImporter, shown_pictures
from calendar_app.sources.imports.tec.reading import (
    RecordReader,
)
from calendar_app.sources.imports.tec.records import source_of
from calendar_app.sources.imports.tec.series import SeriesImporter
from calendar_app.sources.imports.tec.values import Raw
from calendar_app.sources.notes import KnownEvents
from calendar_app.sources.planning import EventKey
from calendar_app.sources.pushing import Pusher
from calendar_app.sources.reports import STOPPED
from calendar_app.sources.runs import ReadingParts, Request, RunReport
from calendar_app.sources.source import Source
from calendar_app.sources.summary import Summary
from calendar_app.sources.writer import SourceWriter
from calendar_app.storage.migrations import require_one_kind_of_notes


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
        imports: Imports,
        options: ImportOptions,
        downloader: Downloader | None = None,
        *,
        dry_run: bool = False,
    ) -> None:
        """Take a ``downloader`` to bring pictures too; a dry run writes nothing."""
        store, editor = imports.parts.editors(dry_run=dry_run)
        self._here = Counterparts.of(store, BY_NAME, dry_run=dry_run)
        uploads = Pictures(store, MEDIA, editor.writer, options.site)
        self._pictures = PictureImporter(self._here, editor, uploads, downloader, options.language)
        self._options = options
        self._imports = imports
        self._reader = RecordReader(
            language=options.language,
            languages=tuple(options.chains),
            currency=options.currency,
        )

    def run(
        self,
        pages: RecordedPages,
        origin: ImportOrigin,
        progress: Progress,
        on_wait: Callable[[], None],
    ) -> Summary:
        """Import all records on the pages; raise ``SourceError`` before any write."""
        require_one_kind_of_notes(self._imports.parts.store)
        plan = replace(self._plan(pages), create_missing=self._options.create_missing)
        summary = Summary(second=plan.second)
        owners = chain.from_iterable(self._imports.owners(_first_keys(pages)).values())
        source = self._imports.source(origin, owners, is_stored=not self._here.dry_run)
        work = _SiteReading(
            parts=self._imports.parts,
            source=source,
            pages=pages,
            here=self._here,
            make_importer=partial(self._batch_importer, source, plan),
            bring_pictures=partial(self._bring_pictures, pages, plan, progress),
            language=self._options.language,
            summary=summary,
            progress=progress,
        )
        request = Request(OPERATOR.id, self._here.dry_run, listen=summary.add)
        self._imports.carry_out(source, request, work.begin, on_wait)
        return summary

    def _batch_importer(self, source: Source, plan: JoinPlan, report: RunReport) -> BatchImporter:
        parts, dry_run = self._imports.parts, self._here.dry_run
        store, editor = parts.editors(source.id, dry_run=dry_run)
        made_of = (store, editor, parts.kinds, source)
        writer = SourceWriter(*made_of, dry_run=dry_run, operator=OPERATOR)
        events = SiteEvents(
            writer=writer,
            known=KnownEvents(store, parts.kinds),
            here=self._here,
            source=source,
            site=self._options.site,
            now=report.run.started,
        )
        series = SeriesImporter(
            Pusher(parts, source, dry_run=dry_run, operator=OPERATOR),
            self._here,
            StoredSeries(parts.store),
            plan,
            source,
            zone=self._options.site.timezone,
        )
        records = SiteRecords(
            writer=writer,
            here=self._here,
            language=self._options.language,
            address=self._options.site.url,
        )
        writers = SiteWriters(events, series, records)
        return BatchImporter(self._here, self._reader, plan, report.add, writers)

    def _plan(self, pages: RecordedPages) -> JoinPlan:
        options = self._options
        if options.matches is None and not self._here.imported.is_second(options.language):
            return JoinPlan()
        matches = options.matches or Matches({})
        pictures = self._pictures.addresses()
        timezone = options.site.timezone
        return Joiner(self._here.imported, self._reader, timezone, matches, pictures).plan(pages)

    def _bring_pictures(
        self, pages: RecordedPages, plan: JoinPlan, progress: Progress, report: ReportResults
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


def _first_keys(pages: RecordedPages) -> set[EventKey]:
    """Return the identities of the first events of a site, and of the series that they are of."""
    keys: set[EventKey] = set()
    for raw in next(pages.parts(EVENT.name), []):
        with suppress(ValueError):
            source = source_of(EVENT.name, raw)
            keys |= {EventKey(source), EventKey(source.rpartition("/")[0])}
    return keys


@dataclass(slots=True, kw_only=True)
class _SiteReading:
    """The reading of a site, kind after kind; it may be stopped between parts of its events."""

    parts: ReadingParts
    source: Source
    pages: RecordedPages
    here: Counterparts
    make_importer: Callable[[RunReport], BatchImporter]
    bring_pictures: Callable[[ReportResults], Mapping[str, int]]
    language: str
    summary: Summary
    progress: Progress
    # The next reading of the source by its address looks at all of it.
    fresh: Record = field(default_factory=lambda: {"etag": "", "modified": "", "digest": ""})
    _report: RunReport = field(init=False)

    def begin(self, report: RunReport) -> "_SiteReading":
        """Take the report of the run that this is."""
        self._report, run = report, report.run
        run.all, run.bytes = self.pages.extents()[EVENT.name].count, self.pages.size
        return self

    def run(self) -> str:
        """Return the state in which the reading ends."""
        extents = self.pages.extents()
        for kind in IMPORT_ORDER:
            self.here.reserve(kind, extents[kind.name].highest)
        self.here.pictures = self.bring_pictures(self._report.add)
        importer = self.make_importer(self._report)
        disappeared = DisappearedSources(self.here.imported, self.language)
        for kind in IMPORT_ORDER:
            for raws in self.pages.parts(kind.name):
                batch = importer.run(kind, raws)
                disappeared.add(kind, batch.records)
                self.summary.skip(batch.skipped)
                self.progress(kind.name, len(raws), extents[kind.name].count)
                if kind is EVENT and not self._report.go_on(len(raws)):
                    return STOPPED
        importer.import_series(self._report.run.started)
        if not self._report.go_on(0):
            return STOPPED
        for kind in IMPORT_ORDER:
            if extents[kind.name].is_short:
                self.summary.warn_short(kind, extents[kind.name].total, extents[kind.name].distinct)
            # Events name records that no list has.
            elif not extents[EVENT.name].is_short:
                self.summary.warn_missing(kind, self.language, disappeared.records(kind))
        return self._report.end()
