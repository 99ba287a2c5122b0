"""Imports a site, each record once however often this is repeated.

The first language makes records. The texts of a second one join them, and make records of their
own only where that is asked for.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from calendar_app.calendar.bulk.editor import BulkEditor
from calendar_app.domain.currencies import Currency
from calendar_app.domain.kind import Kind
from calendar_app.domain.site import Site
from calendar_app.imports.tec.batches import IMPORT_ORDER, BatchImporter
from calendar_app.imports.tec.disappeared import DisappearedSources
from calendar_app.imports.tec.matches import Matches
from calendar_app.imports.tec.pages import Extent, Pages
from calendar_app.imports.tec.pictures import PictureTaking
from calendar_app.imports.tec.plan import Plan
from calendar_app.imports.tec.planning import Planning
from calendar_app.imports.tec.reading import RecordReader
from calendar_app.imports.tec.report import Report
from calendar_app.imports.tec.scanner import SourceScanner
from calendar_app.imports.tec.told_pictures import told_pictures
from calendar_app.imports.tec.translations import has_all_languages
from calendar_app.imports.tec.values import Raw
from calendar_app.resources.kinds import EVENT

# Called after each batch with the collection, the records done now, and the records in all.
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """The language of the texts, and how they join the records that are here.

    ``chains``, ``site`` and ``currency`` are those of this calendar; the first has the fallback
    chain of each language. ``matches`` makes the language a second one in any case.
    """

    language: str
    chains: Mapping[str, Sequence[str]]
    site: Site
    currency: Currency
    matches: Matches | None = None
    create_missing: bool = False


class Importer:
    """Writes texts in one language; what all languages share is written with the first one."""

    def __init__(self, editor: BulkEditor, options: ImportOptions, pictures: PictureTaking) -> None:
        self._editor = editor
        self._pictures = pictures
        self._options = options
        self._reader = RecordReader(
            language=options.language,
            languages=tuple(options.chains),
            currency=options.currency,
        )

    def run(self, pages: Pages, progress: Progress) -> Report:
        """Import all records on the pages, and return what became of them.

        Raises ``SourceError`` before anything is written where the pages cannot be read.
        """
        extents = pages.extents()
        plan = self._plan(pages)
        report = Report(second=plan.second)
        disappeared = self._earlier_sources()
        for kind in IMPORT_ORDER:
            self._editor.reserve(kind, extents[kind.name].highest)
        pictures = told_pictures(pages, lambda source, raw: self._needs_picture(plan, source, raw))
        self._editor.pictures = self._pictures.take(pictures, report, progress)
        importer = BatchImporter(
            self._editor,
            self._reader,
            plan,
            report,
            create_missing=self._options.create_missing,
            repeated=disappeared is not None,
        )
        for kind in IMPORT_ORDER:
            for lines in pages.parts(kind.name):
                batch = self._reader.read_lines(kind.name, lines)
                importer.take(kind, batch, lines)
                progress(kind.name, batch.total, extents[kind.name].count)
                if disappeared:
                    disappeared.add(kind, batch)
        for kind in IMPORT_ORDER:
            self._compare(kind, extents, report, disappeared)
        return report

    def _compare(
        self,
        kind: Kind,
        extents: Mapping[str, Extent],
        report: Report,
        disappeared: DisappearedSources | None,
    ) -> None:
        """Report records that the site no longer has; events name records that no list has."""
        own = extents[kind.name]
        if own.is_short:
            report.fall_short(kind, own)
        if disappeared is None:
            return
        if not (own.is_short or extents[EVENT.name].is_short):
            report.miss(kind, self._options.language, disappeared.disappeared(kind))
        report.expose(kind, self._options.language, disappeared.protected(kind))

    def _plan(self, pages: Pages) -> Plan:
        options = self._options
        if options.matches is None and not self._editor.is_second(options.language):
            return Plan()
        scanner = SourceScanner(options.language, tuple(options.chains), options.site.timezone)
        matches = options.matches or Matches({})
        sources = self._pictures.sources()
        site = scanner.read(pages)
        return Planning(self._editor, options.language, matches, site, sources).run()

    def _earlier_sources(self) -> DisappearedSources | None:
        """Return a memory of sources, unless no earlier import could miss any."""
        language = self._options.language
        if not self._editor.has_come_in(language):
            return None
        return DisappearedSources(self._editor, language)

    def _needs_picture(self, plan: Plan, source: str, raw: Raw) -> bool | None:
        """Return whether to bring the picture of a record; ``None`` where it is passed over.

        A text that joins a record brings no picture.
        """
        if not self._reader.reads(raw):
            return None
        joins = source in plan.how or source in plan.ids
        is_new = self._options.create_missing or has_all_languages(raw)
        return not plan.second or (is_new and not joins)
