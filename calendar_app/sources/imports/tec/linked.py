"""Writes the venues, organizers and terms of a site, as every source is written.

Unlike its events they have no memory by field: what has changed at the site is taken whole. One
that is as at the last import is not looked at again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import TRASH
from calendar_app.sources.imports.tec.counterparts import Counterparts
from calendar_app.sources.imports.tec.imported_records import (
    ImportedRecord,
    has_no_texts,
    is_unchanged,
    to_update,
    without_untranslated,
)
from calendar_app.sources.record_tasks import RecordTask
from calendar_app.sources.results import Outcome, Result
from calendar_app.sources.writer import SourceWriter


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteRecords:
    """Writes records of a site in one language; ``address`` is that of this calendar."""

    writer: SourceWriter
    here: Counterparts
    language: str
    address: str

    def write(self, kind: Kind, records: Sequence[ImportedRecord]) -> list[Result]:
        """Write records of one kind; return their results in the same order."""
        stored = self.here.imported.counterparts(kind, records, self.language)
        ids = self.here.ids_for(kind, [each for each in records if each.source not in stored])
        results: dict[str, Result] = {}
        tasks: dict[str, RecordTask] = {}
        for record in records:
            before = stored.get(record.source, {})
            changes_to = partial(self._changes, kind, record)
            task = RecordTask(
                kind,
                record.source,
                record.label,
                self.language,
                changes_to,
                before,
                ids.get(record.source, 0),
            )
            try:
                changes = changes_to(before)
            except ValueError as error:
                results[record.source] = task.refusal(error)
                continue
            if changes:
                tasks[record.source] = task
            else:
                results[record.source] = task.result(Outcome.UNCHANGED, before["_id"])
        # Updates first: a new record may ask for the slug that another one gives up.
        sources = sorted(tasks, key=lambda source: source not in stored)
        stored_results = (
            self.writer.write_records([tasks[each] for each in sources]) if tasks else ()
        )
        results |= dict(zip(sources, stored_results, strict=True))
        return [results[record.source] for record in records]

    def _changes(self, kind: Kind, record: ImportedRecord, before: Record) -> Record:
        """Return the changes of a record; raise ``ValueError`` where it can be none here.

        One that is unchanged at its site still gets the picture that was brought since.
        """
        language = self.language
        if not before:
            return self._first_changes(kind, record)
        if before.get("status") == TRASH:
            return {}
        record = without_untranslated(kind, record, before, language, self.address)
        if has_no_texts(record, before, language) or is_unchanged(record, before, language):
            image = {"image": before.get("image", "")}
            has_come = image["image"] in self.here.pictures
            return self.here.with_picture(image) if has_come else {}
        return self.here.with_picture(to_update(record, before, language))

    def _first_changes(self, kind: Kind, record: ImportedRecord) -> Record:
        if record.joins:
            raise ValueError(f"The record that it belongs to, {record.joins}, has gone.")
        changes = self.here.with_picture(to_update(record, {}, self.language))
        if kind.label not in changes["variants"][self.language]:
            raise ValueError(f"It has no {kind.label} in {self.language}.")
        return changes
