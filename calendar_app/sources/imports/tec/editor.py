"""Import batches of the venues, organizers and terms of a site, each batch in one transaction.

Events go through the writer of sources.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from calendar_app.accounts.policy import Caller
from calendar_app.calendar.auditing import written_by
from calendar_app.calendar.search.vocabulary import Vocabulary
from calendar_app.calendar.slugs import slug_key
from calendar_app.calendar.writing.attempts import rehearse, retry_conflicts
from calendar_app.calendar.writing.changes import Edit, Plan
from calendar_app.calendar.writing.planner import RecordBuilder, RecordPlanner
from calendar_app.calendar.writing.writer import WriteFollower, Writer
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.provenance import NOTES
from calendar_app.domain.slugs import slugify
from calendar_app.domain.statuses import TRASH
from calendar_app.domain.zones import Site
from calendar_app.errors import InvalidParameters, TermExists
from calendar_app.sources.imports.tec.counterparts import ImportedRecords, Numbering
from calendar_app.sources.imports.tec.imported_records import (
    ImportedRecord,
    has_no_texts,
    is_unchanged,
    slug_of,
    to_update,
    without_untranslated,
)
from calendar_app.sources.results import Outcome, Result, reason_of
from calendar_app.storage.mongo.store import Store

Written = TypeVar("Written")
# MongoDB itself aborts transactions that are older than a minute.
_PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class _Batch:
    """Records of one kind, their counterparts here, and the ids of new ones, by source."""

    kind: Kind
    records: Sequence[ImportedRecord]
    caller: Caller
    language: str
    existing: Mapping[str, Record]
    ids: Mapping[str, int]

    def edit(self, changes: Record) -> Edit:
        return Edit(changes, self.caller, self.language)


class BulkEditor:
    """Writes batches of records of one kind; a dry run plans them and writes nothing."""

    def __init__(  # noqa: PLR0913  # the parts of an editor
        self,
        store: Store,
        kinds: Mapping[str, Kind],
        now: Now,
        site: Site,
        vocabulary: Vocabulary,
        *,
        dry_run: bool = False,
        followers: Sequence[WriteFollower] = (),
    ) -> None:
        self._store = store
        self._builder = RecordBuilder(store, now, site)
        self._records = RecordPlanner(store, kinds, self._builder)
        self.writer = Writer(
            store, vocabulary, now, history_days=site.history_days, followers=followers
        )
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
        return self.ids_for(kind, [record])[source]

    def ids_for(self, kind: Kind, records: Sequence[ImportedRecord]) -> Mapping[str, int]:
        """Return the ids of new records, by source: their own where these are free."""
        return self._numbering.ids(kind, records)

    def take(
        self, kind: Kind, records: Sequence[ImportedRecord], caller: Caller, language: str
    ) -> list[Result]:
        """Write the batch, all of it or nothing, and return the results in the same order.

        A dry run makes the same plan in a transaction and aborts it.
        """

        def work() -> list[Result]:
            plan = Plan(self._store, self.writer.now())
            batch = self._batch(kind, records, caller, language)
            results = self._plan(plan, batch)
            if not self.dry_run:
                self.writer.apply(plan.changes)
            return results

        return self._attempt(caller, work)

    def change(
        self, kind: Kind, record_id: int, changes: Record, caller: Caller, language: str
    ) -> None:
        """Change one record."""

        def work() -> None:
            plan = Plan(self._store, self.writer.now())
            before = self._records.editable(kind, record_id, caller)
            self._records.change(plan, kind, before, Edit(changes, caller, language))
            self.writer.apply(plan.changes)

        self._attempt(caller, work)

    def _attempt(self, caller: Caller, work: Callable[[], Written]) -> Written:
        attempt = rehearse if self.dry_run else retry_conflicts
        with written_by(caller):
            return attempt(self._store, work, _PATIENCE)

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

    def _plan(self, plan: Plan, batch: _Batch) -> list[Result]:
        language = batch.language
        slugs = [slug_key(language, slug_of(record, language)) for record in batch.records]
        plan.expect(batch.kind, slugs)
        results: dict[str, Result] = {}
        changes = {}
        for record in batch.records:
            with _refusals(results, batch.kind, record):
                changes[record.source] = self._changes(batch, record)
        # Updates first: a new record may ask for the slug that another one gives up.
        accepted = [record for record in batch.records if record.source in changes]
        for record in sorted(accepted, key=lambda record: record.source not in batch.existing):
            with _refusals(results, batch.kind, record):
                is_new = record.source not in batch.existing
                write = self._plan_new if is_new else self._plan_update
                results[record.source] = write(plan, batch, record, changes[record.source])
        return [results[record.source] for record in batch.records]

    def _changes(self, batch: _Batch, record: ImportedRecord) -> Record:
        """Return the changes of a record; raise ``ValueError`` where it can be none here."""
        before, kind, language = batch.existing.get(record.source), batch.kind, batch.language
        if before is not None:
            return self._update(batch, record, before)
        if record.joins:
            raise ValueError(f"The record that it belongs to, {record.joins}, has gone.")
        changes = self._with_picture(to_update(record, {}, language))
        if kind.label not in changes["variants"][language]:
            raise ValueError(f"It has no {kind.label} in {language}.")
        return changes

    def _update(self, batch: _Batch, record: ImportedRecord, before: Record) -> Record:
        """Return the changes of a record, none if it is unchanged at its site or trashed here.

        An unchanged record still gets the picture that was imported since.
        """
        kind, language = batch.kind, batch.language
        if before.get("status") == TRASH:
            return {}
        record = without_untranslated(kind, record, before, language, self._site_url)
        has_come = (image := before.get("image", "")) in self.pictures
        picture = {"image": self.pictures[image]} if has_come else {}
        if has_no_texts(record, before, language):
            return picture
        if is_unchanged(record, before, language):
            return picture
        return self._with_picture(to_update(record, before, language))

    def _plan_new(
        self, plan: Plan, batch: _Batch, record: ImportedRecord, changes: Record
    ) -> Result:
        source = record.source
        blank = self._builder.blank(plan, batch.kind, batch.caller, batch.ids[source])
        after = self._builder.build(plan, batch.kind, blank, batch.edit(changes))
        after[NOTES] = changes[NOTES]
        plan.add(batch.kind, {}, after)
        return _result(batch.kind, record, Outcome.NEW, after["_id"])

    def _plan_update(
        self, plan: Plan, batch: _Batch, record: ImportedRecord, changes: Record
    ) -> Result:
        before = batch.existing[record.source]
        result = _result(batch.kind, record, Outcome.UNCHANGED, before["_id"])
        if changes:
            before = plan.current(batch.kind, before)
            _keep_slug(plan, batch, before, changes)
            self._records.change(plan, batch.kind, before, batch.edit(changes))
            result.outcome = Outcome.CHANGED
        return result

    def _with_picture(self, changes: Record) -> Record:
        """Replace the address of an imported picture by its id."""
        if changes.get("image") not in self.pictures:
            return changes
        return {**changes, "image": self.pictures[changes["image"]]}


def _keep_slug(plan: Plan, batch: _Batch, before: Record, changes: Record) -> None:
    """Drop the new slug if another record has it; a term then gets none."""
    texts = changes.get("variants", {}).get(batch.language, {})
    slug = slugify(texts.get("slug") or "")
    has_slug = "slug" in before["variants"].get(batch.language, {})
    key = slug_key(batch.language, slug)
    is_taken = slug and plan.naming.is_taken(batch.kind, before, key)
    if is_taken and (has_slug or not batch.kind.has_status):
        del texts["slug"]


@contextmanager
def _refusals(results: dict[str, Result], kind: Kind, record: ImportedRecord) -> Iterator[None]:
    """Note a record that the rules of the editor refuse."""
    try:
        yield
    except TermExists as error:
        reason = f"There is a {error.kind} of this name at this place, {error.term_id}."
        results[record.source] = _result(kind, record, Outcome.REFUSED, reason=reason)
    except (InvalidParameters, ValueError) as error:
        results[record.source] = _result(kind, record, Outcome.REFUSED, reason=reason_of(error))


def _result(
    kind: Kind, record: ImportedRecord, outcome: Outcome, record_id: int = 0, reason: str = ""
) -> Result:
    result = Result(outcome, record.label, record.source, kind=kind.name, reason=reason)
    result.event = record_id
    return result
