"""Where an event comes from, its fields edited here, and its sources' values of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from calendar_app.accounts.callers import Caller
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.writing.writer import EVENTS
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.provenance import notes_of
from calendar_app.errors import NotFound
from calendar_app.sources.merging import (
    RECURRENCE,
    TEXTS,
    TIMES,
    digests,
    edited_here,
    stored_values,
)
from calendar_app.sources.notes import (
    NOTES,
    escaped,
    memory_of,
    note_in,
    readable,
    restored,
    store_notes,
    unescaped,
    with_note,
)
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import identified


@dataclass(frozen=True, slots=True)
class EventOrigin:
    """One source of an event: ``edited`` are paths, ``said`` has by path what it says instead."""

    source: int
    uid: str
    url: str
    read: datetime | None
    is_missing: bool
    edited: Sequence[str]
    said: Mapping[str, Any]


def origins_of(kind: Kind, record: Record, series: Record | None = None) -> list[EventOrigin]:
    """Return the sources of an event or a series; a date of a ``series`` has those of it."""
    notes = notes_of(series or record)
    return [_origin(kind, record, note) for note in notes]


def edited_in(kind: Kind, record: Record, series: Record | None = None) -> set[str]:
    """Return the paths at which something else stands than any source has written.

    A date of a ``series`` has the sources of it too.
    """
    edited: set[str] = set()
    written_paths: set[str] = set()
    of_date = {note["source"]: note for note in notes_of(record)}
    of_series = {note["source"]: note for note in notes_of(series or {})}
    for source, note in (of_series | of_date).items():
        edits = _edited if source in of_date else _edited_on_date
        own = set(edits(kind, record, note))
        edited |= own
        written_paths |= memory_of(note).wrote.keys() - own
    return edited - written_paths


def can_be_taken(kind: Kind, path: str) -> bool:
    """Say whether one field can be taken; dates of a series hang together with its rules."""
    return path != RECURRENCE and (path != TIMES or kind.name == EVENTS)


@dataclass(frozen=True, slots=True)
class Taking:
    """Takes a source's value of a field that was edited here."""

    store: Store
    editor: Editor

    def take(
        self, kind: Kind, record_id: int, where: tuple[int, str], caller: Caller, language: str
    ) -> Record:
        """Write a source's value into the field at a path; return the record.

        ``where`` is the id of the source and the path. The field counts as the source's again.
        """
        return self.editor.together(lambda: self._take(kind, record_id, where, caller, language))

    def _take(
        self, kind: Kind, record_id: int, where: tuple[int, str], caller: Caller, language: str
    ) -> Record:
        source_id, path = where
        record = self.store.of(kind).first(identified(record_id)) or {}
        note = note_in(record, source_id)
        kept_values = unescaped(note.get("kept", {}))
        if path not in kept_values or not can_be_taken(kind, path):
            raise NotFound(kind.singular, record_id)
        changes = changes_of(path, restored(kept_values.pop(path)))
        self.editor.change(kind, record_id, changes, caller, language)
        after = self.store.of(kind).first(identified(record_id)) or record
        stands = digests(stored_values(after, [path], kind.usual))
        fresh = note | {"wrote": escaped({**memory_of(note).wrote, **stands})}
        fresh = {name: each for name, each in fresh.items() if name != "kept"}
        notes = with_note(after, fresh | ({"kept": escaped(kept_values)} if kept_values else {}))
        store_notes(self.store, kind, after, notes)
        return after | {NOTES: notes}


def changes_of(path: str, value: Any) -> Record:
    """Return the changes in the editor's words that give a path its value."""
    if path == TIMES:
        return dict(zip(("start", "end", "timezone", "all_day"), value, strict=True))
    if path.startswith(f"{TEXTS}."):
        _, tag, name = path.split(".", 2)
        return {TEXTS: {tag: {name: value}}}
    return {path: value}


def _origin(kind: Kind, record: Record, note: Record) -> EventOrigin:
    own = note_in(record, note["source"])
    kept_values = unescaped(own.get("kept", {}))
    edited = _edited(kind, record, own) if own else _edited_on_date(kind, record, note)
    return EventOrigin(
        source=note["source"],
        uid=note["uid"],
        url=note.get("url", ""),
        read=note.get("read"),
        is_missing="missing" in note,
        edited=sorted({*edited, *kept_values}),
        said={path: readable(restored(value)) for path, value in kept_values.items()},
    )


def _edited(kind: Kind, record: Record, note: Record) -> Iterable[str]:
    memory = memory_of(note)
    paths = memory.said.keys() | memory.wrote.keys()
    return edited_here(memory, digests(stored_values(record, paths, kind.usual)))


def _edited_on_date(kind: Kind, date: Record, note: Record) -> Iterable[str]:
    """Return the edits of a date that its source treats like the whole series."""
    edited = set(_edited(kind, date, note)) - {TIMES, RECURRENCE}
    moved = any(name in date.get("overrides", ()) for name in ("start_local", "end_local"))
    return edited | ({TIMES} if moved else set())
