"""Takes over events of imports that knew no sources, without a double or a needless revision.

The notes of those imports, ``icalendar`` of a record, have the permanent name of an event, and one
digest of all that the file said, in each language. They do not say which fields were edited here.
So what stands here counts as written by the source that brings the event again: where the file is
the same nothing changes, and else all of it is taken, as those imports did.
"""

from calendar_app.domain.kind import Record
from calendar_app.sources.calendar_events import FORMER_NOTES, CalendarEvent
from calendar_app.sources.merging import Digests, MergeMemory


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


def without_note(record: Record, former: Record) -> Record:
    """Return the update that takes a former note away; nothing where there is none."""
    if not former:
        return {}
    rest = [each for each in record.get(FORMER_NOTES, ()) if each != former]
    return {"$set": {FORMER_NOTES: rest}} if rest else {"$unset": {FORMER_NOTES: ""}}
