"""Writes the single events of a site, as every source is written.

An event that is the same at the site as at the last import, and here, is not looked at again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from calendar_app.calendar.reading.links import LINKS
from calendar_app.calendar.slugs import slug_key
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.zones import Site
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.imports.tec.counterparts import Counterparts
from calendar_app.sources.imports.tec.imported_records import (
    ImportedRecord,
    has_no_texts,
    import_note,
    is_unchanged,
    slug_of,
    without_untranslated,
)
from calendar_app.sources.leading import NEVER
from calendar_app.sources.merging import SOURCE
from calendar_app.sources.notes import KnownEvents, note_in
from calendar_app.sources.results import Outcome, Result, reason_of
from calendar_app.sources.source import Source
from calendar_app.sources.writer import SourceWriter, Task

_NO_PATHS: frozenset[str] = frozenset()
# An event with one of these in its note is not as the site has it.
_OPEN = ("missing", "vanished")


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteEvents:
    """Writes the single events of a site, at one moment."""

    writer: SourceWriter
    known: KnownEvents
    here: Counterparts
    source: Source
    site: Site
    now: datetime

    def write(self, records: Sequence[ImportedRecord]) -> list[Result]:
        """Write events in one transaction; return their results in the same order."""
        stored = self._stored(records)
        ids = self.here.ids_for(EVENT, [each for each in records if each.source not in stored])
        slugs = self._slug_owners(records, stored)
        results: dict[str, Result] = {}
        tasks: dict[str, Task] = {}
        for record in records:
            before = stored.get(record.source, {})
            try:
                record_id = ids.get(record.source, 0)
                task = self._task(record, before, slugs) if before else self._new(record, record_id)
            except ValueError as error:
                refused = Outcome.REFUSED
                results[record.source] = _result(refused, record, reason=reason_of(error))
                continue
            if task is None:
                unchanged = Outcome.UNCHANGED
                results[record.source] = _result(unchanged, record, event=before["_id"])
            else:
                tasks[record.source] = task
        # Updates first: a new event may ask for the slug that another one gives up.
        sources = sorted(tasks, key=lambda source: source not in stored)
        outcomes = self.writer.write([tasks[each] for each in sources], self.now) if tasks else ()
        results |= dict(zip(sources, outcomes, strict=True))
        return [results[record.source] for record in records]

    def _stored(self, records: Sequence[ImportedRecord]) -> dict[str, Record]:
        """Return, by source, the events here that imports or readings have brought."""
        stored = self.here.imported.counterparts(EVENT, records, self.source.language)
        unknown = [each.source for each in records if each.source not in stored]
        read = self.known.records(self.source.id, unknown) if unknown else {}
        return stored | {key.uid: record for key, (kind, record) in read.items() if kind is EVENT}

    def _slug_owners(
        self, records: Sequence[ImportedRecord], stored: Mapping[str, Record]
    ) -> Mapping[str, int]:
        """Return the ids of the events that have the slugs of stored ones, by key."""
        keys = [self._slug_key(each) for each in records if each.source in stored]
        return self.here.imported.slug_owners(EVENT, keys)

    def _slug_key(self, record: ImportedRecord) -> str:
        return slug_key(self.source.language, slug_of(record, self.source.language))

    def _new(self, record: ImportedRecord, record_id: int) -> Task:
        """Return the task of a new event; raise ``ValueError`` where it can be none here."""
        if record.joins:
            raise ValueError(f"The record that it belongs to, {record.joins}, has gone.")
        language = self.source.language
        if not record.changes["variants"][language][EVENT.label]:
            raise ValueError(f"It has no {EVENT.label} in {language}.")
        return Task(self._event(record, {}), own_id=record_id)

    def _task(
        self, record: ImportedRecord, before: Record, slugs: Mapping[str, int]
    ) -> Task | None:
        """Return the task of a stored event; ``None`` where nothing is to be done."""
        language = self.source.language
        record = without_untranslated(EVENT, record, before, language, self.site.url)
        if has_no_texts(record, before, language) or self._is_settled(record, before):
            return None
        owner = slugs.get(self._slug_key(record), before["_id"])
        has_slug = "slug" in before["variants"].get(language, {})
        event = self._event(record, before, keeps_slug=has_slug and owner != before["_id"])
        note = note_in(before, self.source.id)
        return Task(
            event,
            (EVENT, before),
            translates=bool(note) and note.get("language", language) != language,
            texts_alone=bool(record.joins or event.imported.get("joined")),
            overwrites=frozenset(LINKS) if record.relinked else _NO_PATHS,
        )

    def _is_settled(self, record: ImportedRecord, before: Record) -> bool:
        """Say whether an event is the same at the site, and nothing else speaks for a look at it.

        Edits here do so where the source has the authority.
        """
        note = note_in(before, self.source.id)
        revision = note.get("revision", NEVER)
        is_open = revision == NEVER or not note.keys().isdisjoint(_OPEN)
        overrules = SOURCE in self.source.authority.values()
        is_edited = overrules and revision != before["revision"]
        has_picture = before.get("image") in self.here.pictures
        is_settled = not (is_open or is_edited or has_picture)
        return is_settled and is_unchanged(record, before, self.source.language)

    def _event(
        self, record: ImportedRecord, before: Record, *, keeps_slug: bool = False
    ) -> CalendarEvent:
        language = self.source.language
        changes = self.here.with_picture({"all_day": False, **record.changes})
        changes["timezone"] = changes.get("timezone") or self.site.timezone
        if keeps_slug:
            texts = {n: text for n, text in changes["variants"][language].items() if n != "slug"}
            changes["variants"] = {language: texts}
        note = import_note(record, before, language)
        return CalendarEvent(
            source=record.source,
            label=record.label,
            language=language,
            changes=changes,
            uid=record.source,
            imported=note,
        )


def _result(
    outcome: Outcome, record: ImportedRecord, *, event: int = 0, reason: str = ""
) -> Result:
    return Result(outcome, record.label, record.source, event=event, reason=reason)
