"""Which sources an event or a series comes from: by its own notes, or through its series.

``from_sources`` has a note of each source that brings the record. ``inherited_sources`` are the ids
of further ones: a date has those of its series, and a series those of the event or the series of
which it was made.

A note of ``ANY_SOURCE`` says by which permanent name, ``uid``, every source knows the record: so do
venues, organizers, terms and pictures, and events of imports that knew no sources. Nobody keeps a
record by such a note.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from calendar_app.domain.kind import Record

NOTES = "from_sources"
SOURCE_OF_NOTES = f"{NOTES}.source"
UID_OF_NOTES = f"{NOTES}.uid"
INHERITED = "inherited_sources"
# In the place of the id of a source.
ANY_SOURCE = -1
# In a note: by language, what imports know of the record there.
BY_LANGUAGE = "by_language"
# All that tells where a record comes from.
ORIGIN_FIELDS = (SOURCE_OF_NOTES, INHERITED)


def sources_of(record: Mapping[str, Any]) -> frozenset[int]:
    """Return the ids of all sources that a record comes from."""
    notes = (note["source"] for note in notes_of(record))
    return frozenset([*notes, *record.get(INHERITED, ())])


def notes_of(record: Mapping[str, Any]) -> list[Record]:
    """Return the notes of the sources that bring a record."""
    return [note for note in record.get(NOTES, ()) if note["source"] != ANY_SOURCE]


def named_notes(record: Mapping[str, Any]) -> list[Record]:
    """Return the notes of a record with names that every source knows."""
    return [note for note in record.get(NOTES, ()) if note["source"] == ANY_SOURCE]


def names_of(record: Mapping[str, Any]) -> list[str]:
    """Return the names by which every source knows a record."""
    return [note["uid"] for note in named_notes(record)]


def named_note(name: str, by_language: Mapping[str, Record]) -> Record:
    """Return the note of a name that every source knows."""
    return {"source": ANY_SOURCE, "uid": name, BY_LANGUAGE: dict(by_language)}


def import_notes(record: Mapping[str, Any]) -> list[Record]:
    """Return what imports know of a record: ``{source, language, digest}`` and more.

    ``source`` is its permanent name.
    """
    return [
        {"source": note["uid"], "language": language, **own}
        for note in record.get(NOTES, ())
        for language, own in note.get(BY_LANGUAGE, {}).items()
    ]


def inherit(record: Record, sources: Iterable[int]) -> Record:
    """Let a record inherit these sources, and no others; return it."""
    if ids := sorted(sources):
        record[INHERITED] = ids
    else:
        record.pop(INHERITED, None)
    return record
