"""Takes the records of a site into the calendar, each once however often this is repeated.

The first language makes records. What comes in a second one joins them, and makes records of its
own only where that is asked for.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from calendar_app.access.caller import Caller
from calendar_app.catalogue.bulk import Bulk
from calendar_app.catalogue.foreign import Foreign, Outcome
from calendar_app.domain.cost import Currency
from calendar_app.domain.kind import Kind
from calendar_app.imports.tec import values
from calendar_app.imports.tec.hierarchy import by_level
from calendar_app.imports.tec.links import Links
from calendar_app.imports.tec.matches import Matches
from calendar_app.imports.tec.pages import Pages
from calendar_app.imports.tec.pictures import PictureTaking
from calendar_app.imports.tec.plan import Plan
from calendar_app.imports.tec.planning import Planning
from calendar_app.imports.tec.records import changes_of, source_of
from calendar_app.imports.tec.report import Report
from calendar_app.imports.tec.telling import Telling
from calendar_app.imports.tec.told_pictures import told_pictures
from calendar_app.imports.tec.translations import group_told, is_in_another
from calendar_app.imports.tec.values import Raw
from calendar_app.resources.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE

# Who signs for what has no author: the operator, who may do everything.
OPERATOR = Caller(id=1, name="import", role="administrator")
_BATCH = 500
# In this order no record points to a later one.
_ORDER = (CATEGORY, TAG, VENUE, ORGANIZER, EVENT)

# Told of each batch: the collection, records done now, records in all.
Watch = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the operator asks for: the language of the texts, and how they join what is here.

    ``languages``, ``timezone`` and ``currency`` are those of this calendar. ``matches`` makes
    the language a second one in any case.
    """

    language: str
    languages: Sequence[str]
    timezone: str
    currency: Currency
    matches: Matches | None = None
    create_missing: bool = False


class Importer:
    """Writes texts in one language; what all languages share is written with the first one."""

    def __init__(self, bulk: Bulk, wanted: Wanted, pictures: PictureTaking) -> None:
        self._bulk = bulk
        self._pictures = pictures
        self._wanted = wanted
        self._language = wanted.language
        self._plan = Plan()
        self._report = Report()
        # What is not to be judged again where events tell of it: what was refused or left, or has
        # joined a record.
        self._settled: set[str] = set()

    def run(self, pages: Pages, watch: Watch) -> Report:
        """Take in all that is on the pages, and say what became of it.

        Raises ``SourceError`` before anything is written where the pages cannot be read.
        """
        extents = pages.extents()
        self._plan = self._planned(pages)
        self._report = Report(second=self._plan.second)
        for kind in _ORDER:
            self._bulk.reserve(kind, extents[kind.name].highest)
        told = told_pictures(pages, self._wants_picture)
        self._bulk.pictures = self._pictures.take(told, self._report, watch)
        for kind in _ORDER:
            for batch in _batches(pages.records(kind.name), _BATCH):
                self._take(kind, batch)
                watch(kind.name, len(batch), extents[kind.name].count)
        return self._report

    def _planned(self, pages: Pages) -> Plan:
        wanted = self._wanted
        if wanted.matches is None and not self._bulk.is_second(self._language):
            return Plan()
        told = Telling(self._language, wanted.languages, wanted.timezone).read(pages)
        matches = wanted.matches or Matches({})
        sources = self._pictures.sources()
        return Planning(self._bulk, self._language, matches, told, sources).run()

    def _wants_picture(self, source: str, raw: Raw) -> bool | None:
        """Say whether the picture of a record is to be brought; what joins one brings its text."""
        if not self._reads(raw):
            return None
        joins = source in self._plan.how or source in self._plan.ids
        return not self._plan.second or (self._wanted.create_missing and not joins)

    def _take(self, kind: Kind, batch: Iterable[Any]) -> None:
        records = self._by_source(kind, batch)
        if kind is EVENT:
            links = Links(kind, records)
            self._take_embedded(links)
            self._store(kind, records, links)
        else:
            self._store_in_order(kind, records)

    def _take_embedded(self, links: Links) -> None:
        """Take in what only events tell of: the lists leave out what is not public."""
        told = links.embedded()
        for kind in _ORDER[:-1]:
            records = told[kind.name]
            known = self._bulk.ids_of(kind, sorted(records)) if records else {}
            links.know(known)
            new = records.keys() - known.keys() - self._settled
            self._store_in_order(
                kind,
                {source: records[source] for source in sorted(new) if self._reads(records[source])},
            )

    def _by_source(self, kind: Kind, batch: Iterable[Any]) -> dict[str, Raw]:
        """Return the records by source, each once; refuse those that have none."""
        records: dict[str, Raw] = {}
        for raw in batch:
            try:
                source = source_of(kind.name, raw)
            except ValueError as error:
                self._refuse(kind, raw, str(error))
                continue
            if self._reads(raw):
                records[source] = raw
            else:
                self._report.pass_over()
        return records

    def _reads(self, raw: Raw) -> bool:
        return not is_in_another(raw, self._language, self._wanted.languages)

    def _store_in_order(self, kind: Kind, records: Mapping[str, Raw]) -> None:
        for level in by_level(kind.name, records) if kind is CATEGORY else [records]:
            self._store(kind, level, Links(kind, level))

    def _store(self, kind: Kind, records: Mapping[str, Raw], links: Links) -> None:
        links.find(self._ids_of)
        batch = [
            foreign
            for source, raw in records.items()
            if (foreign := self._read(kind, source, raw, links)) is not None
        ]
        if not batch:
            return
        outcomes = self._bulk.take(kind, batch, OPERATOR, self._language)
        for foreign, taken in zip(batch, outcomes, strict=True):
            if taken.outcome is Outcome.REFUSED:
                self._settled.add(foreign.source)
                self._refuse(kind, records[foreign.source], taken.reason)
                continue
            self._report.note(kind.name, taken.outcome)
            if foreign.source in self._plan.how:
                self._settled.add(foreign.source)
                self._report.join(kind.name, self._plan.how[foreign.source])

    def _read(self, kind: Kind, source: str, raw: Raw, links: Links) -> Foreign | None:
        """Return what to take in; report what cannot be, or is left for a person."""
        try:
            changes = changes_of(kind, raw, self._language, self._wanted.currency)
        except ValueError as error:
            self._settled.add(source)
            self._refuse(kind, raw, str(error))
            return None
        if source in self._plan.left and not self._wanted.create_missing:
            self._settled.add(source)
            self._report.leave(kind.name, _name(kind, raw), self._plan.left[source])
            return None
        return Foreign(
            source=source,
            id=values.number(raw, "id"),
            changes=changes | links.of(source),
            joins=self._plan.ids[source] if source in self._plan.how else 0,
            second=self._plan.second,
            group=group_told(raw),
        )

    def _ids_of(self, kind: Kind, sources: Sequence[str]) -> dict[str, int]:
        """Return the ids of what is here, and of what is about to join it."""
        planned = {source: self._plan.ids[source] for source in sources if source in self._plan.ids}
        return self._bulk.ids_of(kind, sources) | planned

    def _refuse(self, kind: Kind, raw: Any, reason: str) -> None:
        self._report.refuse(kind.name, _name(kind, raw), reason)


def _name(kind: Kind, raw: Any) -> str:
    """Return what a person finds a record again by."""
    told = raw if isinstance(raw, dict) else {}
    return f'{kind.singular} {told.get("id", "without id")} "{told.get(kind.label, "")}"'


def _batches(records: Iterator[Any], size: int) -> Iterator[list[Any]]:
    while batch := list(islice(records, size)):
        yield batch
