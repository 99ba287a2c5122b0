"""Imports a site, each record once however often the import is repeated.

The first language makes records. The texts of a second one join them, and make records of their
own only with ``create_missing``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from calendar_app.calendar.bulk.calendar_editor import CalendarEditor
from calendar_app.calendar.bulk.editor import BulkEditor
from calendar_app.domain.cost import Currency
from calendar_app.domain.kind import Kind
from calendar_app.domain.zones import Site
from calendar_app.imports.tec.batches import IMPORT_ORDER, OPERATOR, BatchImporter
from calendar_app.imports.tec.disappeared import DisappearedSources
from calendar_app.imports.tec.joining import Joiner, JoinPlan
from calendar_app.imports.tec.matches import Matches
from calendar_app.imports.tec.pages import Pages
from calendar_app.imports.tec.pictures import PictureImporter, shown_pictures
from calendar_app.imports.tec.reading import RecordReader
from calendar_app.imports.tec.report import Report
from calendar_app.imports.tec.series import SeriesImporter
from calendar_app.imports.tec.values import Raw
from calendar_app.kinds import EVENT

# Called after each batch with the collection, the records in the batch, and the records in all.
Progress = Callable[[str, int, int], None]


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
    """Imports texts in one language."""

    def __init__(
        self,
        editor: BulkEditor,
        options: ImportOptions,
        pictures: PictureImporter,
        series_editor: CalendarEditor,
    ) -> None:
        self._editor = editor
        self._series_editor = series_editor
        self._pictures = pictures
        self._options = options
        self._reader = RecordReader(
            language=options.language,
            languages=tuple(options.chains),
            currency=options.currency,
        )

    def run(self, pages: Pages, progress: Progress) -> Report:
        """Import all records on the pages; raise ``SourceError`` before any write."""
        extents = pages.extents()
        plan = replace(self._plan(pages), create_missing=self._options.create_missing)
        report = Report(second=plan.second)
        for kind in IMPORT_ORDER:
            self._editor.reserve(kind, extents[kind.name].highest)
        pictures = shown_pictures(pages, lambda *record: self._brings_picture(plan, *record))
        self._editor.pictures = self._pictures.run(pictures, report, progress)
        disappeared = DisappearedSources(self._editor, self._options.language)
        importer = self._batch_importer(plan, report)
        for kind in IMPORT_ORDER:
            for raws in pages.parts(kind.name):
                disappeared.add(kind, importer.run(kind, raws).records)
                progress(kind.name, len(raws), extents[kind.name].count)
        importer.import_series()
        for kind in IMPORT_ORDER:
            if extents[kind.name].is_short:
                report.warn_short(kind, extents[kind.name])
            # Events name records that no list has.
            elif not extents[EVENT.name].is_short:
                report.warn_missing(kind, self._options.language, disappeared.records(kind))
        return report

    def _batch_importer(self, plan: JoinPlan, report: Report) -> BatchImporter:
        series = SeriesImporter(
            self._series_editor,
            self._editor,
            report,
            plan,
            OPERATOR,
            language=self._options.language,
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

    def _brings_picture(self, plan: JoinPlan, kind: Kind, source: str, raw: Raw) -> bool | None:
        """Return whether to bring the picture of a record; ``None`` skips its texts too."""
        if not self._reader.accepts(kind, raw):
            return None
        joins = source in plan.ids
        return not plan.second or (self._options.create_missing and not joins)
