"""Takes over events of imports that knew no sources, without a double or a needless revision.

The notes of those imports have the permanent name of an event, and one digest of all that a file
said, in each language. They do not say which fields were edited here. So what stands here counts as
written by the source that brings the event again: where the file is the same nothing changes, and
else all of it is taken, as those imports did.
"""

from collections.abc import Iterable

from calendar_app.domain.kind import Record
from calendar_app.domain.provenance import (
    ANY_SOURCE,
    BY_LANGUAGE,
    NOTES,
    import_notes,
    named_notes,
)
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.merging import Digests, MergeMemory

# What the note of a file has, and that of a site has not.
_OF_FILES = "overridden"


def former_note(event: CalendarEvent, record: Record) -> Record:
    """Return the note of an import that knew no sources, in the language of the event."""
    own = {"source": event.source, "language": event.language}
    notes = import_notes({NOTES: named_notes(record)})
    return next((n for n in notes if own.items() <= n.items() and _OF_FILES in n), {})


def adopted(
    memory: MergeMemory, former: Record, event: CalendarEvent, now: Digests, stands: Digests
) -> MergeMemory:
    """Return a merge memory completed from the note of a former import."""
    if not former:
        return memory
    same_digests = now if former["digest"] == event.digest else {}
    return MergeMemory({**same_digests, **memory.said}, {**stands, **memory.wrote})


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

    It comes from the event, else from the ``note`` of its source, else from that of its name.
    """
    by_language = {
        language: identity
        for noted in named_notes(record)
        for language, identity in noted[BY_LANGUAGE].items()
        if (noted["uid"], language) == (event.uid, event.language) and _OF_FILES not in identity
    }
    own = {event.language: dict(event.imported)} if event.imported else {}
    return {**by_language, **note.get(BY_LANGUAGE, {}), **own}


def without_taken_over(notes: Iterable[Record], former: Record, note: Record) -> list[Record]:
    """Return notes without those names of which the note of a source, or of a date, says all."""
    replaced = {(note.get("uid"), language) for language in note.get(BY_LANGUAGE, ())}
    replaced |= {(former["source"], former["language"])} if former else set()
    remaining = []
    for each in notes:
        if each["source"] != ANY_SOURCE:
            remaining.append(each)
            continue
        own = each[BY_LANGUAGE]
        rest = {tag: said for tag, said in own.items() if (each["uid"], tag) not in replaced}
        if rest:
            remaining.append(each | {BY_LANGUAGE: rest})
    return remaining
