"""Takes over events of imports that knew no sources, without a double or a needless revision.

The notes of those imports, ``icalendar`` of a record, have the permanent name of an event, and one
digest of all that the file said, in each language. They do not say which fields were edited here.
So what stands here counts as written by the source that brings the event again: where the file is
the same nothing changes, and else all of it is taken, as those imports did.

Imports of sites had such notes too, ``imported``, which events now have in the note of a source.
"""

from calendar_app.domain.kind import Record
from calendar_app.sources.calendar_events import FORMER_NOTES, CalendarEvent
from calendar_app.sources.merging import Digests, MergeMemory
from calendar_app.sources.notes import import_notes

_IMPORTED = "imported"
_IDENTITY = ("source", "language")


def former_note(event: CalendarEvent, record: Record) -> Record:
    """Return the note of an import that knew no sources, in the language of the event."""
    notes = record.get(FORMER_NOTES, ())
    own = (event.source, event.language)
    return next((each for each in notes if (each["source"], each["language"]) == own), {})


def adopted(
    memory: MergeMemory, former: Record, event: CalendarEvent, now: Digests, stands: Digests
) -> MergeMemory:
    """Return a merge memory completed from the note of a former import."""
    if not former:
        return memory
    said = now if former["digest"] == event.digest else {}
    return MergeMemory({**said, **memory.said}, {**stands, **memory.wrote})


def adopted_from_import(
    memory: MergeMemory, event: CalendarEvent, record: Record, now: Digests, stands: Digests
) -> MergeMemory:
    """Return the first merge memory of a record that an import of the site brought, or joins."""
    notes = [each for each in import_notes(record) if each["source"] == event.uid]
    if not (notes or event.imported):
        return memory
    same = {"source": event.uid, "language": event.language, **event.imported}
    return MergeMemory(now if same in notes else {}, stands)


def imported_by(event: CalendarEvent, record: Record, note: Record) -> Record:
    """Return the identities of an event in imports of the site, by language.

    It comes from the event, else from the ``note`` of its source, else from a former note.
    """
    former = (
        each
        for each in record.get(_IMPORTED, ())
        if (each["source"], each["language"]) == (event.uid, event.language)
    )
    by_language = {
        each["language"]: {n: value for n, value in each.items() if n not in _IDENTITY}
        for each in former
    }
    own = {event.language: dict(event.imported)} if event.imported else {}
    return {**by_language, **note.get(_IMPORTED, {}), **own}


def without_former_notes(record: Record, former: Record, note: Record) -> Record:
    """Return the update that takes away the former notes of which the note of a source says all."""
    languages = note.get(_IMPORTED, {})
    remaining = {
        FORMER_NOTES: [each for each in record.get(FORMER_NOTES, ()) if each != former],
        _IMPORTED: [
            each
            for each in record.get(_IMPORTED, ())
            if each["source"] != note.get("uid") or each["language"] not in languages
        ],
    }
    changed = {n: rest for n, rest in remaining.items() if len(rest) < len(record.get(n, ()))}
    update = {
        "$set": {name: rest for name, rest in changed.items() if rest},
        "$unset": dict.fromkeys((name for name, rest in changed.items() if not rest), ""),
    }
    return {operator: paths for operator, paths in update.items() if paths}
