"""Imports the records that were read of a site, batch by batch."""

from collections.abc import Iterator, Mapping, Sequence

from calendar_app.accounts.caller import Caller
from calendar_app.calendar.bulk.editor import BulkEditor
from calendar_app.calendar.bulk.records import ImportedRecord, ImportResult, Outcome
from calendar_app.domain.kind import Kind
from calendar_app.imports.tec.hierarchy import by_level
from calendar_app.imports.tec.links import Links, embedded
from calendar_app.imports.tec.pages import records_on
from calendar_app.imports.tec.plan import Plan
from calendar_app.imports.tec.reading import Batch, ParsedRecord, RecordReader
from calendar_app.imports.tec.report import Report
from calendar_app.imports.tec.values import Raw
from calendar_app.resources.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE

# Who signs for what has no author: the operator, who may do everything.
OPERATOR = Caller(id=1, name="import", role="administrator")
# In this order no record points to a later one.
IMPORT_ORDER = (CATEGORY, TAG, VENUE, ORGANIZER, EVENT)
# Characters of text in one transaction, some hundred events: with all their words in an index,
# more would not fit into the small cache of a MongoDB.
_TRANSACTION_LENGTH = 150_000
# The characters that a record counts for beside its texts.
_BASE_LENGTH = 500


class BatchImporter:
    """Imports records as the ``plan`` has it; ``repeated`` says that some came before."""

    def __init__(  # noqa: PLR0913  # where records come from, where they go, and how
        self,
        editor: BulkEditor,
        reader: RecordReader,
        plan: Plan,
        report: Report,
        *,
        create_missing: bool,
        repeated: bool,
    ) -> None:
        self._editor = editor
        self._reader = reader
        self._plan = plan
        self._report = report
        self._create_missing = create_missing
        self._repeated = repeated
        # Sources not to be judged again where events name them: refused, left, passed over, or
        # joined; in a dry run also those that would be here by now.
        self._settled: set[str] = set()
        # Created though other records of the site were here: it may have been deleted here, or
        # have no name in the language that came before.
        self._recreated: set[str] = set()

    def take(self, kind: Kind, batch: Batch, lines: Sequence[bytes]) -> None:
        """Import the batch that was read from ``lines``."""
        self._report.pass_over(len(batch.passed_over))
        for name, reason in batch.nameless:
            self._report.refuse(kind.name, name, reason)
        if kind is EVENT:
            for records in _parts(batch.records):
                self._take_events(records, lines)
        else:
            self._take_in_order(kind, batch.records)

    def _take_events(self, events: Sequence[ParsedRecord], lines: Sequence[bytes]) -> None:
        links = _links(EVENT, events)
        sources = links.sources()
        unknown = {kind.name: self._unknown(kind, sources, links) for kind in IMPORT_ORDER[:-1]}
        if any(unknown.values()):
            self._take_embedded(unknown, self._embedded_on(lines))
        self._store(EVENT, events, links)

    def _unknown(self, kind: Kind, sources: Mapping[str, set[str]], links: Links) -> list[str]:
        """Return the sources that are not here; let the links know the ids of the others."""
        linked = sources[kind.name]
        ids = self._editor.ids_of(kind, sorted(linked))
        links.know(ids)
        return sorted(linked - ids.keys() - self._settled)

    def _embedded_on(self, lines: Sequence[bytes]) -> dict[str, dict[str, Raw]]:
        """Return by collection and source the records inside the events on some pages."""
        raws = (raw for line in lines for raw in records_on(line, EVENT.name))
        return embedded(raw for raw in raws if isinstance(raw, dict) and self._reader.reads(raw))

    def _take_embedded(
        self, unknown: Mapping[str, Sequence[str]], raws: Mapping[str, Mapping[str, Raw]]
    ) -> None:
        """Import records that only events name: the lists leave out what is not public."""
        for kind in IMPORT_ORDER[:-1]:
            linked = [raws[kind.name][source] for source in unknown[kind.name]]
            read = self._reader.read(kind, filter(self._reader.reads, linked))
            self._take_in_order(kind, read.records)

    def _take_in_order(self, kind: Kind, records: Sequence[ParsedRecord]) -> None:
        """Import parents before their children."""
        by_source = {record.source: record for record in records}
        levels = [list(by_source)]
        if kind is CATEGORY:
            parents = {record.source: "".join(record.points_to[kind.name]) for record in records}
            levels = list(by_level(parents))
        for level in levels:
            for part in _parts([by_source[source] for source in level]):
                self._store(kind, part, _links(kind, part))

    def _store(self, kind: Kind, records: Sequence[ParsedRecord], links: Links) -> None:
        links.find(self._ids_of)
        accepted = [record for record in records if self._accepts(kind, record)]
        if not accepted:
            return
        imported = [self._imported(record, links) for record in accepted]
        results = self._editor.take(kind, imported, OPERATOR, self._reader.language)
        for record, result in zip(accepted, results, strict=True):
            self._note(kind, record, result)

    def _note(self, kind: Kind, record: ParsedRecord, result: ImportResult) -> None:
        if result.outcome is Outcome.REFUSED:
            self._refuse(kind, record, result.reason)
            return
        self._report.note(kind.name, result.outcome)
        if result.slug and not self._editor.dry_run:
            slug = record.changes["variants"][self._reader.language]["slug"]
            self._report.rename(record.name, slug, result.slug)
        is_expected = self._repeated or (self._plan.second and record.has_all_languages)
        if result.outcome is Outcome.CREATED:
            if is_expected and kind is not EVENT:
                self._recreated.add(record.source)
            if self._editor.dry_run:
                self._settled.add(record.source)
        self._report.drop(record.name, record.unusable)
        if record.source in self._plan.how:
            self._settled.add(record.source)
            self._report.join(kind.name, self._plan.how[record.source])

    def _accepts(self, kind: Kind, record: ParsedRecord) -> bool:
        """Return whether to import a record; report the reason, or why a person is to decide."""
        if record.reason:
            self._refuse(kind, record, record.reason)
            return False
        if not record.named and record.source not in self._plan.ids:
            self._settled.add(record.source)
            self._report.pass_over(1)
            return False
        objection = self._plan.left.get(record.source)
        if objection is not None and not self._create_missing:
            self._settled.add(record.source)
            self._report.leave(kind.name, record.name, objection)
            return False
        return True

    def _imported(self, record: ParsedRecord, links: Links) -> ImportedRecord:
        return ImportedRecord(
            source=record.source,
            id=record.id,
            changes=record.changes | links.of(record.source),
            restored=links.to(self._recreated, record.source) if self._recreated else {},
            joins=self._plan.ids[record.source] if record.source in self._plan.how else 0,
            second=self._plan.second,
            group=record.group,
        )

    def _ids_of(self, kind: Kind, sources: Sequence[str]) -> dict[str, int]:
        """Return the ids of records that are here, and of those that sources are to join."""
        planned = {source: self._plan.ids[source] for source in sources if source in self._plan.ids}
        return self._editor.ids_of(kind, sources) | planned

    def _refuse(self, kind: Kind, record: ParsedRecord, reason: str) -> None:
        self._settled.add(record.source)
        self._report.refuse(kind.name, record.name, reason)


def _links(kind: Kind, records: Sequence[ParsedRecord]) -> Links:
    return Links(kind, {record.source: record.points_to for record in records})


def _parts(records: Sequence[ParsedRecord]) -> Iterator[list[ParsedRecord]]:
    """Yield records in their order, as many at a time as one transaction has room for."""
    part, length = list[ParsedRecord](), 0
    for record in records:
        part.append(record)
        length += _BASE_LENGTH + record.length
        if length >= _TRANSACTION_LENGTH:
            yield part
            part, length = [], 0
    if part:
        yield part
