"""Writes the notes of a reading into records, which makes no revision of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from calendar_app.calendar.writing.changes import Plan, difference
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.provenance import BY_LANGUAGE
from calendar_app.domain.statuses import TRASH
from calendar_app.sources.adopting import imported_by, without_taken_over
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.merging import OWN, Merge, digests, stored_values
from calendar_app.sources.notes import (
    NOTES,
    escaped,
    fingerprint,
    key_of,
    note_in,
    pass_on_sources,
    storable,
    store_notes,
    traits_of,
    with_note,
)
from calendar_app.sources.planning import EventKey, StoredSourceEvent
from calendar_app.sources.site_dates import to_note
from calendar_app.sources.source import Source
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    Clause,
    all_of,
    equals,
    has_member,
    identified,
    one_of,
)

# Notes that are stored at once.
_AT_ONCE = 1000


@dataclass(slots=True)
class WrittenEvent:
    """The merge of one record, with a note that still lacks the stored values.

    ``former`` is the note of an import that knew no sources; it goes.
    """

    kind: Kind
    record_id: int
    note: Record
    merged: Merge
    former: Record = field(default_factory=dict)


class NoteWriter:
    """Writes the notes of one source."""

    def __init__(self, store: Store, kinds: tuple[Kind, Kind], source: Source) -> None:
        self._store = store
        self._kinds = kinds
        self._source = source
        self._rules = source.fingerprint

    def fresh(self, event: CalendarEvent, stored: Record, now: datetime) -> Record:
        """Return the note of an event as a reading found it."""
        key = key_of(event)
        note: Record = {
            "source": self._source.id,
            "uid": key.uid,
            "recurrence_id": key.recurrence_id,
            "url": _url(event),
            "read": now,
            "digest": _digest(event),
            "language": event.language,
            "rules": self._rules,
            "traits": list(traits_of(event)),
            "exdates": [event.wall(date) for date in event.recurrence.exdates],
        }
        if starts := event.starts:
            note["begins"] = min(starts)
        if event.text_digest:
            note["text_digest"] = event.text_digest
        if event.lineage:
            note["lineage"] = list(event.lineage)
        former = note_in(stored, self._source.id)
        if imported := imported_by(event, stored, former):
            note[BY_LANGUAGE] = imported
        if event.dates:
            note["dates"] = to_note(former.get("dates", {}), event.dates, now)
        if "translations" in former and former.get("language") == event.language:
            note["translations"] = former["translations"]
        return note

    def translated(self, event: CalendarEvent, stored: Record, now: datetime) -> Record:
        """Return the note of an event that came in another language than the first time."""
        note = note_in(stored, self._source.id)
        translations = note.get("translations", {}) | {event.language: _digest(event)}
        own = {name: each for name, each in note.items() if name not in ("missing", "vanished")}
        if imported := imported_by(event, stored, note):
            own[BY_LANGUAGE] = imported
        return own | {"read": now, "translations": translations}

    def put_into(self, plan: Plan, written_events: Sequence[WrittenEvent]) -> list[WrittenEvent]:
        """Add notes to the records that a plan stores; return the notes of other records."""
        unplanned = []
        for each in written_events:
            change = plan.change_of(each.kind, each.record_id)
            if change is None or not difference(change.before, change.after):
                unplanned.append(each)
                continue
            record = change.after
            record[NOTES] = self.notes_of(record, each, change.before.get("revision", 0) + 1)
        return unplanned

    def keep(self, written_events: Sequence[WrittenEvent]) -> None:
        """Store the notes of unchanged records."""
        for kind in self._kinds:
            own = {each.record_id: each for each in written_events if each.kind is kind}
            if not own:
                continue
            updates = []
            for record in self._store.of(kind).find(one_of("_id", own)):
                each = own[record["_id"]]
                notes = self.notes_of(record, each, record["revision"])
                if notes != record.get(NOTES):
                    updates.append((identified(record["_id"]), {"$set": {NOTES: notes}}))
                    pass_on_sources(self._store, kind, record, {**record, NOTES: notes})
            if updates:
                self._store.of(kind).change_each(updates)

    def keep_texts(self, digests: Iterable[tuple[StoredSourceEvent, str]]) -> None:
        """Note the digests of the texts of events of which the source says nothing else."""
        own = ((each.record_id, self._noted(each.key), text) for each, text in digests)
        updates = [
            (all_of([identified(record_id), note]), {"$set": {f"{NOTES}.$.text_digest": text}})
            for record_id, note, text in own
        ]
        for begin in range(0, len(updates), _AT_ONCE):
            for kind in self._kinds:
                self._store.of(kind).change_each(updates[begin : begin + _AT_ONCE])

    def _noted(self, key: EventKey) -> Clause:
        own = {"source": self._source.id, "uid": key.uid, "recurrence_id": key.recurrence_id}
        return has_member(NOTES, all_of([equals(name, value) for name, value in own.items()]))

    def leave_in_trash(self, stored: tuple[Kind, Record], note: Record) -> None:
        """Note the source's present values of an event in the trash."""
        kind, record = stored
        former = note_in(record, self._source.id)
        memory = {name: former[name] for name in ("said", "wrote", "kept") if name in former}
        fresh = note | memory | {"revision": record["revision"]}
        if fresh | {"read": 0} != former | {"read": 0}:
            notes = with_note(record, fresh)
            store_notes(self._store, kind, record, notes)

    def notes_of(self, record: Record, each: WrittenEvent, revision: int) -> list[Record]:
        """Return the notes of a record at a revision, with that of this source."""
        if not each.note:
            own = self._source.id
            return [note for note in record.get(NOTES, ()) if note["source"] != own]
        merged, memory = each.merged, each.merged.memory
        stands = digests(stored_values(record, merged.now, each.kind.usual))
        fresh = {path: text for path, text in stands.items() if path not in merged.kept}
        note = {
            **each.note,
            "said": escaped({**memory.said, **merged.now}),
            # Whatever stands where another source leads, this one has not written it.
            "wrote": escaped({**memory.wrote, **fresh, **dict.fromkeys(merged.led, OWN)}),
            "revision": revision,
        }
        values = {path: storable(merged.values[path]) for path in merged.kept if merged.now[path]}
        if values:
            note["kept"] = each.note.get("kept", {}) | escaped(values)
        former = note_in(record, self._source.id)
        if former.get("vanished") and record["status"] == TRASH:
            note["vanished"] = former["vanished"]
        is_same = note | {"read": 0} == former | {"read": 0}
        notes = record[NOTES] if is_same else with_note(record, note)
        return without_taken_over(notes, each.former, each.note)


def _digest(event: CalendarEvent) -> str:
    """Return the digest that detects changed events.

    An import of a whole site names its records otherwise than a reading: it leaves none.
    """
    return "" if event.imported else fingerprint(event)


def is_as_taken_away(record: Record, note: Record) -> bool:
    """Say whether a record lies in the trash as a reading without it has left it.

    Where people have changed it since then it is theirs.
    """
    own = note.get("vanished"), note.get("revision")
    return record["status"] == TRASH and own == (TRASH, record["revision"])


def _url(event: CalendarEvent) -> str:
    texts: Record = event.changes.get("variants", {}).get(event.language, {})
    return texts.get("website") or ""
