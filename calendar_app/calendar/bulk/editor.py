"""Import batches of records: plan the write of each, then apply them in one transaction."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from calendar_app.accounts.policy import Caller
from calendar_app.calendar.bulk.imported import ImportedRecords
from calendar_app.calendar.bulk.numbering import Numbering
from calendar_app.calendar.bulk.records import (
    ImportedRecord,
    ImportResult,
    Outcome,
    is_unchanged,
    slug_of,
    to_update,
)
from calendar_app.calendar.bulk.untranslated import has_no_texts, without_untranslated
from calendar_app.calendar.places import PlacesOfMany
from calendar_app.calendar.slugs import NamingOfMany, slug_key
from calendar_app.calendar.writing.counting import count_new
from calendar_app.calendar.writing.editor import Editor
from calendar_app.calendar.writing.record_builder import RecordBuilder
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.slugs import slugify
from calendar_app.domain.statuses import TRASH
from calendar_app.domain.zones import Site
from calendar_app.errors import InvalidParameters, TermExists
from calendar_app.mongo.store import Store
from calendar_app.search.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class _PlannedWrite:
    """A ``new`` record to insert, or ``changes`` of the record ``record_id``, or neither."""

    result: ImportResult
    new: Record | None = None
    record_id: int = 0
    changes: Record | None = None


@dataclass(frozen=True, slots=True)
class _Batch:
    """Records of one kind, their counterparts here, and the ids of new ones, by source."""

    kind: Kind
    records: Sequence[ImportedRecord]
    caller: Caller
    language: str
    existing: Mapping[str, Record]
    ids: Mapping[str, int]


class BulkEditor(Editor):
    """Writes batches of records of one kind; a dry run plans them and writes nothing."""

    # MongoDB itself aborts transactions that are older than a minute.
    _patience = 60.0

    def __init__(  # noqa: PLR0913  # the parts of an editor
        self,
        store: Store,
        kinds: Mapping[str, Kind],
        now: Now,
        site: Site,
        vocabulary: Vocabulary,
        *,
        dry_run: bool = False,
    ) -> None:
        self._slugs = NamingOfMany(store)
        self._points = PlacesOfMany(store)
        builder = RecordBuilder(store, now, site, naming=self._slugs, places=self._points)
        super().__init__(store, kinds, builder, vocabulary)
        self.dry_run = dry_run
        # The ids of imported pictures, by their address at the other site.
        self.pictures: Mapping[str, int] = {}
        self.imported = ImportedRecords(store, kinds)
        self._site_url = site.url
        self._numbering = Numbering(store, kinds)

    def reserve(self, kind: Kind, highest: int) -> None:
        """Reserve the ids up to ``highest`` for records that keep those of their site."""
        if not self.dry_run:
            self._numbering.reserve(kind, highest)

    def id_for(self, kind: Kind, source: str, own: int) -> int:
        """Return the id of a new record: its ``own`` if that is free, else the next one."""
        record = ImportedRecord(source=source, id=own, changes={})
        return self._numbering.ids(kind, [record])[source]

    def take(
        self, kind: Kind, records: Sequence[ImportedRecord], caller: Caller, language: str
    ) -> list[ImportResult]:
        """Write the batch, all of it or nothing, and return the results in the same order.

        A dry run makes the same plan in a transaction and aborts it.
        """

        def work() -> list[ImportResult]:
            writes = self._plan(self._batch(kind, records, caller, language))
            if not self.dry_run:
                self._apply(kind, writes, caller, language)
            return [write.result for write in writes]

        return self._attempt(caller, work)

    def _batch(
        self, kind: Kind, records: Sequence[ImportedRecord], caller: Caller, language: str
    ) -> _Batch:
        existing = self.imported.counterparts(kind, records, language)
        new = [record for record in records if record.source not in existing]
        if self.dry_run:
            ids = {record.source: -number for number, record in enumerate(new, 1)}
        else:
            ids = self._numbering.ids(kind, new)
        return _Batch(kind, records, caller, language, existing, ids)

    def _plan(self, batch: _Batch) -> list[_PlannedWrite]:
        language = batch.language
        slugs = [slug_key(language, slug_of(record, language)) for record in batch.records]
        self._slugs.expect(batch.kind, slugs)
        writes: dict[str, _PlannedWrite] = {}
        updates: list[tuple[ImportedRecord, Record, Record]] = []
        new: list[ImportedRecord] = []
        for record in batch.records:
            before = batch.existing.get(record.source)
            if before is None:
                new.append(record)
            else:
                with _refusals(writes, record.source):
                    updates.append((record, before, self._update(batch, record, before)))
        self._points.expect(changes for _, _, changes in updates)
        # Updates first: a new record may ask for the slug that another one gives up.
        for record, before, changes in updates:
            with _refusals(writes, record.source):
                writes[record.source] = self._plan_update(batch, before, changes)
        for record in new:
            with _refusals(writes, record.source):
                writes[record.source] = self._plan_new(batch, record)
        return [writes[record.source] for record in batch.records]

    def _plan_new(self, batch: _Batch, record: ImportedRecord) -> _PlannedWrite:
        kind, language = batch.kind, batch.language
        if record.joins:
            raise ValueError(f"The record that it belongs to, {record.joins}, has gone.")
        changes = self._with_picture(to_update(record, {}, language))
        if kind.label not in changes["variants"][language]:
            raise ValueError(f"It has no {kind.label} in {language}.")
        blank = self._builder.blank(kind, batch.caller, batch.ids[record.source])
        resolved = self._resolved(changes, batch.caller, language)
        new = self._builder.build(kind, blank, resolved, batch.caller, language)
        new |= {"imported": changes["imported"], "revision": 1}
        return _PlannedWrite(ImportResult(Outcome.CREATED), new=new)

    def _update(self, batch: _Batch, record: ImportedRecord, before: Record) -> Record:
        """Return the changes of a record, none if it is unchanged at its site or trashed here.

        An unchanged record still gets the picture that was imported since.
        """
        kind, language = batch.kind, batch.language
        if before.get("status") == TRASH:
            return {}
        record = without_untranslated(kind, record, before, language, self._site_url)
        if is_unchanged(record, before, language) or has_no_texts(record, before, language):
            image = before.get("image", "")
            return {"image": self.pictures[image]} if image in self.pictures else {}
        return self._with_picture(to_update(record, before, language))

    def _plan_update(self, batch: _Batch, before: Record, changes: Record) -> _PlannedWrite:
        if not changes:
            return _PlannedWrite(ImportResult(Outcome.UNCHANGED))
        kind, language = batch.kind, batch.language
        self._keep_slug(kind, before, changes, language)
        # Raises what the update would raise.
        self._build(kind, before, changes, batch.caller, language)
        result = ImportResult(Outcome.UPDATED)
        return _PlannedWrite(result, record_id=before["_id"], changes=changes)

    def _apply(
        self, kind: Kind, writes: Sequence[_PlannedWrite], caller: Caller, language: str
    ) -> None:
        for write in writes:
            if write.changes is not None:
                self._change_once(kind, write.record_id, write.changes, caller, language)
        new = [write.new for write in writes if write.new is not None]
        self._points.place(new)
        if new:
            self._vocabulary.index_many(kind, new)
            self._store.of(kind).insert_many(new)
            self._recorder.note_all(kind, [({}, record) for record in new])
        if kind.has_links:
            count_new(self._store, new)

    def _keep_slug(self, kind: Kind, before: Record, changes: Record, language: str) -> None:
        """Drop the new slug if another record has it; a term then gets none."""
        texts = changes.get("variants", {}).get(language, {})
        slug = slugify(texts.get("slug") or "")
        has_slug = "slug" in before["variants"].get(language, {})
        is_taken = slug and self._slugs.is_taken(before, slug_key(language, slug))
        if is_taken and (has_slug or not kind.has_status):
            del texts["slug"]

    def _with_picture(self, changes: Record) -> Record:
        """Replace the address of an imported picture by its id."""
        if changes.get("image") not in self.pictures:
            return changes
        return {**changes, "image": self.pictures[changes["image"]]}


@contextmanager
def _refusals(writes: dict[str, _PlannedWrite], source: str) -> Iterator[None]:
    """Note a record that the rules of the editor refuse."""
    try:
        yield
    except TermExists as error:
        reason = f"There is a {error.kind} of this name at this place, {error.term_id}."
        writes[source] = _PlannedWrite(ImportResult(Outcome.REFUSED, reason))
    except (InvalidParameters, ValueError) as error:
        reasons = error.reasons.values() if isinstance(error, InvalidParameters) else [str(error)]
        writes[source] = _PlannedWrite(ImportResult(Outcome.REFUSED, " ".join(reasons)))
