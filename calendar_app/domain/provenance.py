"""Which sources an event or a series comes from: by its own notes, or through its series.

``from_sources`` has a note of each source that brings the record. ``inherited_sources`` are the ids
of further ones: a date has those of its series, and a series those of the event or the series of
which it was made.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from calendar_app.domain.kind import Record

NOTES = "from_sources"
SOURCE_OF_NOTES = f"{NOTES}.source"
INHERITED = "inherited_sources"
# All that tells where a record comes from.
ORIGIN_FIELDS = (SOURCE_OF_NOTES, INHERITED)


def sources_of(record: Mapping[str, Any]) -> frozenset[int]:
    """Return the ids of all sources that a record comes from."""
    notes = (note["source"] for note in record.get(NOTES, ()))
    return frozenset([*notes, *record.get(INHERITED, ())])


def inherit(record: Record, sources: Iterable[int]) -> Record:
    """Let a record inherit these sources, and no others; return it."""
    if ids := sorted(sources):
        record[INHERITED] = ids
    else:
        record.pop(INHERITED, None)
    return record
