"""Merges the imported events of a site with local edits.

The import knows by its own note, ``imported``, whether a record has changed at its site. The note
of the source says which of its fields have, and which were edited here: so the next reading of the
site as a source goes on where the import has ended.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from calendar_app.calendar.reading.links import LINKS
from calendar_app.domain.kind import Kind, Record
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.imports.tec.imported_records import ImportedRecord
from calendar_app.sources.merging import (
    Merge,
    MergeMemory,
    changes_at,
    digests,
    merge,
    said_values,
    stored_values,
    with_usual,
)
from calendar_app.sources.notes import NOTES, KnownEvents, memory_of, note_in
from calendar_app.sources.noting import NoteWriter, WrittenEvent
from calendar_app.sources.source import Source

_IMPORTED = "imported"


@dataclass(frozen=True, slots=True)
class SiteMerge:
    """A merge of one record; ``imported`` is the import's own note of it, where that is new."""

    kind: Kind
    merged: Merge
    changes: Record
    imported: Record
    note: Record
    notes: NoteWriter

    @property
    def fields(self) -> Sequence[str]:
        return sorted(self.merged.taken) if self.changes else ()

    @property
    def kept(self) -> Sequence[str]:
        return self.merged.reported

    def noted(self, after: Record, revision: int) -> Record:
        """Return the notes of a record that have changed."""
        written = WrittenEvent(self.kind, after["_id"], self.note, self.merged)
        notes = {**self.imported, NOTES: self.notes.notes_of(after, written, revision)}
        return {name: value for name, value in notes.items() if after.get(name) != value}


@dataclass(frozen=True, slots=True)
class SiteNotes:
    """Merges the events of a site that is read at a moment, as those of one source.

    ``pictures`` are the ids of imported ones by their address.
    """

    kind: Kind
    source: Source
    known: KnownEvents
    notes: NoteWriter
    now: datetime
    pictures: Mapping[str, int]

    def find(self, sources: Collection[str]) -> dict[str, Record]:
        """Return the events that readings of the source have brought, by their name there."""
        records = self.known.records(self.source.id, list(sources)) if sources else {}
        return {key.uid: record for key, (kind, record) in records.items() if kind is self.kind}

    def knows(self, record: Record) -> bool:
        return bool(note_in(record, self.source.id))

    def merge(
        self, record: ImportedRecord, before: Record, changes: Record, language: str
    ) -> SiteMerge:
        """Return the part of some changes that is taken, all of those of a new record.

        A record of an import that made no such notes is taken over: where it has changed at the
        site, all of it is taken. So is what joins a record now, and links to what came back.
        """
        site_values = dict(record.changes)
        if isinstance(address := site_values.get("image"), str):
            site_values["image"] = self.pictures.get(address, address)
        if self._is_joined(record, changes or before, language):
            site_values = {"variants": site_values["variants"]}
        values = said_values(site_values, {})
        now = digests(values)
        merged = Merge(values, now, MergeMemory(), frozenset(now))
        if before:
            earlier = note_in(before, self.source.id)
            memory = memory_of(earlier)
            stands = digests(stored_values(before, now, self.kind.usual))
            if not earlier or record.joins:
                memory = MergeMemory(memory.said, {**memory.wrote, **stands})
            memory = with_usual(memory, stands, self.kind.usual)
            merged = merge(values, now, memory, stands, self.source.authority)
        if record.relinked:
            merged = _taking(merged, LINKS)
        imported = {_IMPORTED: changes[_IMPORTED]} if changes else {}
        sent = changes_at(changes, merged.taken)
        if not before:
            sent = changes
        elif sent:
            sent |= imported
        note = self._note(record, before, language)
        return SiteMerge(self.kind, merged, sent, imported, note, self.notes)

    def _is_joined(self, record: ImportedRecord, stored: Record, language: str) -> bool:
        """Say whether a record has the texts alone of this one, by the import's own notes."""
        own = (record.source, language)
        notes = stored.get(_IMPORTED, ())
        return any(n.get("joined") for n in notes if (n["source"], n["language"]) == own)

    def _note(self, record: ImportedRecord, before: Record, language: str) -> Record:
        event = CalendarEvent(
            source=record.source,
            label="",
            language=language,
            changes=record.changes,
            uid=record.source,
        )
        earlier = note_in(before, self.source.id)
        if earlier and earlier["language"] != language:
            return self.notes.translated(event, before, self.now)
        return self.notes.fresh(event, before, self.now)


def _taking(merged: Merge, paths: Sequence[str]) -> Merge:
    """Return a merge that overwrites some paths, even locally edited ones."""
    own = frozenset(paths) & merged.now.keys()
    taken, kept = merged.taken | own, merged.kept - own
    return Merge(merged.values, merged.now, merged.memory, taken, kept)
