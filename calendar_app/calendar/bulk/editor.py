"""Import batches of records: plan what becomes of each, then write it in one transaction."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from calendar_app.accounts.caller import Caller
from calendar_app.calendar.bulk.numbering import Numbering
from calendar_app.calendar.bulk.origins import find_imported, imported_ids
from calendar_app.calendar.bulk.records import (
    ImportedRecord,
    ImportResult,
    Outcome,
    came_first_in,
    came_in,
    came_in_others,
    is_unchanged,
    lost_links,
    slug_instead,
    slug_of,
    to_update,
)
from calendar_app.calendar.bulk.untranslated import is_silent, without_untranslated
from calendar_app.calendar.places.points_of_many import PlacesOfMany
from calendar_app.calendar.slugs.naming import slug_key
from calendar_app.calendar.slugs.naming_many import NamingOfMany
from calendar_app.calendar.writing.composer import Composer
from calendar_app.calendar.writing.counting import count_new
from calendar_app.calendar.writing.editor import Editor
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.site import Site
from calendar_app.domain.slugs import slugify
from calendar_app.domain.statuses import TRASH
from calendar_app.errors import InvalidParameters, TermExists
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import EVERYTHING
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
    """Records of one kind, by whom they come, and their counterparts here by source."""

    kind: Kind
    records: Sequence[ImportedRecord]
    caller: Caller
    language: str
    existing: Mapping[str, Record]
    ids: Mapping[str, int]


class _RolledBack(Exception):
    """Ends the transaction of a dry run."""


class BulkEditor(Editor):
    """Writes batches of records of one kind; a dry run plans them and writes nothing."""

    # Nobody waits for a batch; MongoDB itself ends transactions that are older than a minute.
    _patience = 60.0

    def __init__(  # noqa: PLR0913  # the parts of an editor, and how this one is run
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
        composer = Composer(store, now, site, naming=self._slugs, places=self._points)
        super().__init__(store, kinds, composer, vocabulary)
        self.dry_run = dry_run
        # The ids of pictures that were brought here, by their address at the other site.
        self.pictures: Mapping[str, int] = {}
        self._kinds = kinds
        self._site_url = site.url
        self._numbering = Numbering(store, kinds)

    def reserve(self, kind: Kind, highest: int) -> None:
        """Leave the ids up to ``highest`` to records that keep those of their site."""
        if not self.dry_run:
            self._numbering.reserve(kind, highest)

    def ids_of(self, kind: Kind, sources: Sequence[str]) -> dict[str, int]:
        """Return the ids of the records that came from ``sources``, where there are any."""
        return imported_ids(self._store, kind, sources)

    def id_for(self, kind: Kind, source: str, own: int) -> int:
        """Return the id of a new record: its ``own`` if that is free, else the next one."""
        record = ImportedRecord(source=source, id=own, changes={})
        return self._numbering.ids(kind, [record])[source]

    def is_second(self, language: str) -> bool:
        """Return whether other languages were imported before, and this one never first."""
        collections = [self._store.of(kind) for kind in self._kinds.values()]
        if any(records.first(came_first_in(language), fields=["_id"]) for records in collections):
            return False
        return any(records.first(came_in_others(language), ["_id"]) for records in collections)

    def stored(self, kind: Kind) -> Iterator[Record]:
        """Yield every record of a kind."""
        return self._store.of(kind).stream(EVERYTHING, order=[("_id", 1)])

    def has_come_in(self, language: str) -> bool:
        """Return whether anything was imported in a language before."""
        return any(
            self._store.of(kind).first(came_in(language), fields=["_id"])
            for kind in self._kinds.values()
        )

    def came_in(self, kind: Kind, language: str) -> Iterator[Record]:
        """Yield name and notes of each record imported in a language, the trash excepted."""
        fields = ["imported", "status", "password", f"variants.{language}.{kind.label}"]
        records = self._store.of(kind)
        for record in records.stream(came_in(language), order=[("_id", 1)], fields=fields):
            if record.get("status") != TRASH:
                yield record

    def take(
        self, kind: Kind, records: Sequence[ImportedRecord], caller: Caller, language: str
    ) -> list[ImportResult]:
        """Write the batch, all of it or nothing, and return what became of each record.

        A dry run locks and reads what the import would, and rolls that back.
        """
        results: list[ImportResult] = []

        def work() -> list[ImportResult]:
            writes = self._plan(self._batch(kind, records, caller, language))
            if self.dry_run:
                results.extend(write.result for write in writes)
                raise _RolledBack
            return self._apply(kind, writes, caller, language)

        try:
            return self._attempt(work)
        except _RolledBack:
            return results[-len(records) :]

    def _batch(
        self, kind: Kind, records: Sequence[ImportedRecord], caller: Caller, language: str
    ) -> _Batch:
        existing = find_imported(self._store, kind, records, language)
        new = [record for record in records if record.source not in existing]
        if self.dry_run:
            ids = {record.source: -number for number, record in enumerate(new, 1)}
        else:
            ids = self._numbering.ids(kind, new)
        return _Batch(kind, records, caller, language, existing, ids)

    def _plan(self, batch: _Batch) -> list[_PlannedWrite]:
        existing, language = batch.existing, batch.language
        self._points.expect(one.changes for one in batch.records if one.source in existing)
        slugs = [slug_key(language, slug_of(record, language)) for record in batch.records]
        self._slugs.expect(batch.kind, slugs)
        # Updates first: a new record may ask for the slug that another one gives up.
        updates_first = sorted(batch.records, key=lambda record: record.source not in existing)
        writes = {record.source: self._plan_record(batch, record) for record in updates_first}
        return [writes[record.source] for record in batch.records]

    def _plan_record(self, batch: _Batch, record: ImportedRecord) -> _PlannedWrite:
        before = batch.existing.get(record.source)
        try:
            if before is None:
                return self._plan_new(batch, record)
            return self._plan_update(batch, record, before)
        except (InvalidParameters, TermExists, ValueError) as error:
            return _PlannedWrite(ImportResult(Outcome.REFUSED, _reason(error)))

    def _plan_new(self, batch: _Batch, record: ImportedRecord) -> _PlannedWrite:
        kind, language = batch.kind, batch.language
        if record.joins:
            raise ValueError(f"The record that it belongs to, {record.joins}, has gone.")
        changes = self._with_picture(to_update(record, {}, language))
        if kind.label not in changes["variants"][language]:
            raise ValueError(f"It has no {kind.label} in {language}.")
        blank = self._composer.blank(kind, batch.caller, batch.ids[record.source])
        resolved = self._resolved(changes, batch.caller, language)
        new = self._composer.composed(kind, blank, resolved, batch.caller, language)
        new |= {"imported": changes["imported"], "revision": 1}
        result = ImportResult(Outcome.CREATED, slug=slug_instead(record, new, language))
        return _PlannedWrite(result, new=new)

    def _plan_update(self, batch: _Batch, record: ImportedRecord, before: Record) -> _PlannedWrite:
        """Plan the changes of a record, unless its site says what it said last time.

        What lies in the trash here stays there, and what the site has not translated is no text.
        The picture is shown from here once it is here, and what was deleted and is made anew is
        linked again.
        """
        kind, language = batch.kind, batch.language
        unchanged = _PlannedWrite(ImportResult(Outcome.UNCHANGED))
        if before.get("status") == TRASH:
            return unchanged
        record = without_untranslated(kind, record, before, language, self._site_url)
        if is_unchanged(record, before, language) or is_silent(record, before, language):
            changes = lost_links(record, before)
            if before.get("image") in self.pictures:
                changes |= self._with_picture({"image": before["image"]})
        else:
            changes = lost_links(record, before) | to_update(record, before, language)
            changes = self._with_picture(changes)
            self._keep_slug(kind, before, changes, language)
        if not changes:
            return unchanged
        after = self._composed(kind, before, changes, batch.caller, language)
        asked = "slug" in record.changes["variants"][language]
        slug = slug_instead(record, after, language) if asked else ""
        result = ImportResult(Outcome.UPDATED, slug=slug)
        return _PlannedWrite(result, record_id=before["_id"], changes=changes)

    def _apply(
        self, kind: Kind, writes: Sequence[_PlannedWrite], caller: Caller, language: str
    ) -> list[ImportResult]:
        for write in writes:
            if write.changes is not None:
                self._change_once(kind, write.record_id, write.changes, caller, language)
        new = [write.new for write in writes if write.new is not None]
        self._points.place(new)
        if new:
            self._vocabulary.enter_many(kind, new)
            self._store.of(kind).insert_many(new)
        if kind.has_links:
            count_new(self._store, new)
        return [write.result for write in writes]

    def _keep_slug(self, kind: Kind, before: Record, changes: Record, language: str) -> None:
        """Leave a record its slug, and a term without one, where another record has the new one."""
        texts = changes.get("variants", {}).get(language, {})
        slug = slugify(texts.get("slug") or "")
        has_slug = "slug" in before["variants"].get(language, {})
        is_taken = slug and self._slugs.is_taken(before, slug_key(language, slug))
        if is_taken and (has_slug or not kind.has_status):
            del texts["slug"]

    def _with_picture(self, changes: Record) -> Record:
        """Return the changes with the id of a picture in place of its address, where it is here."""
        if changes.get("image") not in self.pictures:
            return changes
        return {**changes, "image": self.pictures[changes["image"]]}


def _reason(error: Exception) -> str:
    if isinstance(error, InvalidParameters):
        return " ".join(error.reasons.values())
    if isinstance(error, TermExists):
        return f"There is a {error.kind} of this name at this place, {error.term_id}."
    return str(error) or "It cannot be read."
