"""Takes the records of a site into the calendar, each once however often this is repeated."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from calendar_app.access.caller import Caller
from calendar_app.catalogue.bulk import Bulk
from calendar_app.catalogue.foreign import Foreign, Outcome
from calendar_app.domain.cost import Currency
from calendar_app.domain.kind import Kind
from calendar_app.imports.tec import values
from calendar_app.imports.tec.hierarchy import by_level
from calendar_app.imports.tec.links import Links, embedded
from calendar_app.imports.tec.pages import Pages
from calendar_app.imports.tec.records import changes_of, source_of
from calendar_app.imports.tec.report import Report
from calendar_app.imports.tec.values import Raw
from calendar_app.resources.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE

# Who signs for what has no author: the operator, who may do everything.
_OPERATOR = Caller(id=1, name="import", role="administrator")
_BATCH = 500
# In this order no record points to a later one.
_ORDER = (CATEGORY, TAG, VENUE, ORGANIZER, EVENT)

# Told of each batch: the collection, records done now, records in all.
Watch = Callable[[str, int, int], None]


class Importer:
    """Writes texts in one language; what all languages share is written with them."""

    def __init__(self, bulk: Bulk, language: str, currency: Currency) -> None:
        self._bulk = bulk
        self._language = language
        self._currency = currency
        self._report = Report()
        self._refused: set[str] = set()

    def run(self, pages: Pages, watch: Watch) -> Report:
        """Take in all that is on the pages, and say what became of it.

        Raises ``SourceError`` before anything is written where the pages cannot be read.
        """
        extents = pages.extents()
        for kind in _ORDER:
            self._bulk.reserve(kind, extents[kind.name].highest)
        for kind in _ORDER:
            for batch in _batches(pages.records(kind.name), _BATCH):
                self._take(kind, batch)
                watch(kind.name, len(batch), extents[kind.name].count)
        return self._report

    def _take(self, kind: Kind, batch: Iterable[Any]) -> None:
        records = self._by_source(kind, batch)
        if kind is EVENT:
            self._take_embedded(records.values())
        self._store_in_order(kind, records)

    def _take_embedded(self, events: Iterable[Raw]) -> None:
        """Take in what only events tell of: the lists leave out what is not public."""
        told = embedded(events)
        for kind in _ORDER[:-1]:
            records = told[kind.name]
            known = self._bulk.ids_of(kind, sorted(records)) if records else {}
            new = records.keys() - known.keys() - self._refused
            self._store_in_order(kind, {source: records[source] for source in sorted(new)})

    def _by_source(self, kind: Kind, batch: Iterable[Any]) -> dict[str, Raw]:
        """Return the records by source, each once; refuse those that have none."""
        records: dict[str, Raw] = {}
        for raw in batch:
            try:
                records[source_of(kind.name, raw)] = raw
            except ValueError as error:
                self._refuse(kind, "", raw, str(error))
        return records

    def _store_in_order(self, kind: Kind, records: Mapping[str, Raw]) -> None:
        for level in by_level(kind.name, records) if kind is CATEGORY else [records]:
            self._store(kind, level)

    def _store(self, kind: Kind, records: Mapping[str, Raw]) -> None:
        links = Links(kind, records.values(), self._bulk.ids_of)
        batch = []
        for source, raw in records.items():
            try:
                changes = changes_of(kind, raw, self._language, self._currency) | links.of(raw)
            except ValueError as error:
                self._refuse(kind, source, raw, str(error))
                continue
            record_id = values.number(raw, "id")
            batch.append(Foreign(source=source, id=record_id, changes=changes))
        if not batch:
            return
        outcomes = self._bulk.take(kind, batch, _OPERATOR, self._language)
        for foreign, taken in zip(batch, outcomes, strict=True):
            if taken.outcome is Outcome.REFUSED:
                self._refuse(kind, foreign.source, records[foreign.source], taken.reason)
            else:
                self._report.note(kind.name, taken.outcome)

    def _refuse(self, kind: Kind, source: str, raw: Any, reason: str) -> None:
        self._refused.add(source)
        told = raw if isinstance(raw, Mapping) else {}
        name = f'{kind.singular} {told.get("id", "without id")} "{told.get(kind.label, "")}"'
        self._report.refuse(kind.name, name, reason)


def _batches(records: Iterator[Any], size: int) -> Iterator[list[Any]]:
    while batch := list(islice(records, size)):
        yield batch
