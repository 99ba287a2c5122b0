"""Takes the records of a site into the calendar, each once however often this is repeated.

The first language makes records. What comes in a second one joins them, and makes records of its
own only where that is asked for.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial

from calendar_app.catalogue.bulk.batches import Bulk
from calendar_app.domain.cost import Currency
from calendar_app.domain.kind import Kind
from calendar_app.domain.site import Site
from calendar_app.imports.ahead import in_order
from calendar_app.imports.interpreter import tuned_for_records
from calendar_app.imports.tec.matches import Matches
from calendar_app.imports.tec.pages import Extent, Pages
from calendar_app.imports.tec.pictures import PictureTaking
from calendar_app.imports.tec.plan import Plan
from calendar_app.imports.tec.planning import Planning
from calendar_app.imports.tec.reading import Batch, RecordReader
from calendar_app.imports.tec.report import Report
from calendar_app.imports.tec.taking import AT_ONCE, MOST_AT_ONCE, ORDER, Taking
from calendar_app.imports.tec.telling import Telling
from calendar_app.imports.tec.told_pictures import told_pictures
from calendar_app.imports.tec.translations import has_all_languages
from calendar_app.imports.tec.untold import Untold
from calendar_app.imports.tec.values import Raw
from calendar_app.resources.kinds import EVENT

# Told of each batch: the collection, records done now, records in all.
Watch = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the operator asks for: the language of the texts, and how they join what is here.

    ``chains``, ``site`` and ``currency`` are those of this calendar; the first has for each
    language those that its readers are shown. ``matches`` makes the language a second one in any
    case. ``processes`` read events while they are written, beside this one. ``unindexed`` says
    that the words of events come into no index on the way.
    """

    language: str
    chains: Mapping[str, Sequence[str]]
    site: Site
    currency: Currency
    matches: Matches | None = None
    create_missing: bool = False
    processes: int = 0
    unindexed: bool = False


class Importer:
    """Writes texts in one language; what all languages share is written with the first one."""

    def __init__(self, bulk: Bulk, wanted: Wanted, pictures: PictureTaking) -> None:
        self._bulk = bulk
        self._pictures = pictures
        self._wanted = wanted
        self._language = wanted.language
        self._plan = Plan()
        self._report = Report()
        self._untold: Untold | None = None
        self._reader = RecordReader(
            language=wanted.language,
            chains=wanted.chains,
            currency=wanted.currency,
            site=wanted.site.url,
        )

    def run(self, pages: Pages, watch: Watch) -> Report:
        """Take in all that is on the pages, and say what became of it.

        Raises ``SourceError`` before anything is written where the pages cannot be read.
        """
        extents = pages.extents()
        self._plan = self._planned(pages)
        self._report = Report(second=self._plan.second)
        self._untold = self._noting()
        for kind in ORDER:
            self._bulk.reserve(kind, extents[kind.name].highest)
        told = told_pictures(pages, self._wants_picture)
        self._bulk.pictures = self._pictures.take(told, self._report, watch)
        taking = self._taking()
        ahead = taking.ahead() if self._wanted.processes else nullcontext()
        with tuned_for_records(), ahead:
            for kind in ORDER:
                self._take(taking, kind, pages, partial(watch, kind.name))
        taking.settle()
        for kind in ORDER:
            self._compare(kind, extents)
        return self._report

    def _taking(self) -> Taking:
        return Taking(
            self._bulk,
            self._reader,
            self._plan,
            self._report,
            create_missing=self._wanted.create_missing,
            again=self._untold is not None,
            at_once=MOST_AT_ONCE if self._wanted.unindexed else AT_ONCE,
        )

    def _compare(self, kind: Kind, extents: Mapping[str, Extent]) -> None:
        """Report what is here and not at the site; events tell of what is in no list."""
        own = extents[kind.name]
        if own.is_short:
            self._report.fall_short(kind, own)
        if self._untold and not (own.is_short or extents[EVENT.name].is_short):
            self._report.miss(kind, self._language, self._untold.of(kind))
        if self._untold:
            self._report.expose(kind, self._language, self._untold.protected(kind))

    def _take(
        self, taking: Taking, kind: Kind, pages: Pages, watch: Callable[[int, int], None]
    ) -> None:
        work = partial(_read, self._reader, kind.name)
        # Of other kinds there are few.
        processes = self._wanted.processes if kind is EVENT else 0
        parts = ((lines, bool(processes) and taking.makes) for lines in pages.parts(kind.name))
        for (lines, _), batch in in_order(work, parts, processes):
            taking.take(kind, batch, lines)
            watch(batch.total, pages.extents()[kind.name].count)
            if self._untold:
                self._untold.note(kind, batch)

    def _planned(self, pages: Pages) -> Plan:
        wanted = self._wanted
        if wanted.matches is None and not self._bulk.is_second(self._language):
            return Plan()
        told = Telling(self._language, tuple(wanted.chains), wanted.site.timezone).read(pages)
        matches = wanted.matches or Matches({})
        sources = self._pictures.sources()
        return Planning(self._bulk, self._language, matches, told, sources).run()

    def _noting(self) -> Untold | None:
        """Return what notes what is told, unless nothing has come before that could be missed."""
        return (
            Untold(self._bulk, self._language) if self._bulk.has_come_in(self._language) else None
        )

    def _wants_picture(self, source: str, raw: Raw) -> bool | None:
        """Say whether the picture of a record is to be brought; what joins one brings its text."""
        if not self._reader.reads(raw):
            return None
        joins = source in self._plan.how or source in self._plan.ids
        made = self._wanted.create_missing or has_all_languages(raw)
        return not self._plan.second or (made and not joins)


def _read(reader: RecordReader, collection: str, part: tuple[list[bytes], bool]) -> Batch:
    lines, ahead = part
    return reader.read_lines(collection, lines, ahead=ahead)
