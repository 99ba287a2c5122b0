"""The migrations of stored documents to each later data format.

Format 2 has one kind of notes: ``from_sources`` says by which names sources know a record. Imports
had noted that in ``imported`` and, for what came in the form of iCalendar, in ``icalendar``: a note
for each language, ``{source, language, digest}`` and more.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any

from calendar_app.domain.kind import Record
from calendar_app.domain.provenance import ANY_SOURCE, BY_LANGUAGE, NOTES, named_note
from calendar_app.errors import Unavailable
from calendar_app.storage.mongo.formats import EARLIER, FIRST, MARK, MARKS
from calendar_app.storage.mongo.migrating import POSITION, Migration
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import any_of, given, has_member

FORMER_NAME = "imported"
_OF_FILES = "icalendar"
# The fields with notes of the first format, and the name in a note of each.
FORMER_NAMES: Mapping[str, str] = MappingProxyType({FORMER_NAME: "source", _OF_FILES: "source"})
_OF_RECORDS = ("events", "series", "venues", "organizers", "categories", "tags")
_ORIGINS = {FORMER_NAME, "origins"}
_ONE_KIND = 2
_NAMED = any_of(given(name) for name in FORMER_NAMES)
# A path into a list that is empty would match, so its members are asked.
_NOTED = any_of([_NAMED, has_member(NOTES, given(FORMER_NAME))])


def require_one_kind_of_notes(store: Store) -> None:
    """Raise ``Unavailable`` where sources would not know their records: they have former notes."""
    if awaits_one_kind_of_notes(store):
        raise Unavailable(EARLIER)


def awaits_one_kind_of_notes(store: Store) -> bool:
    """Say whether some record still has notes of the first format."""
    mark = store[MARKS].first(MARK) or {}
    if mark.get("format", FIRST) >= _ONE_KIND and POSITION not in mark:
        return False
    has_notes = any(store[name].first(_NOTED, ["_id"]) for name in _OF_RECORDS)
    return has_notes or bool(store["media"].first(_NAMED, ["_id"]))


def origins_in(union: Record, remaining: Record) -> Record:
    """Return the names, by field, that the undo of a union takes from the record that remains."""
    former = union.get(FORMER_NAME, ())
    origins: Record = union.get("origins") or ({FORMER_NAME: former} if former else {})
    if FORMER_NAME not in origins or FORMER_NAME in remaining:
        return origins
    return {NOTES: [*origins.get(NOTES, ()), *_named_notes(origins[FORMER_NAME])]}


def _record_update(record: Record) -> Mapping[str, Any] | None:
    """Return the update that gives a record one kind of notes."""
    fields = [name for name in FORMER_NAMES if name in record]
    notes = [*map(_with_languages, record.get(NOTES, ()))]
    if not fields and notes == record.get(NOTES, []):
        return None
    by_files = map(_of_file, record.get(_OF_FILES, ()))
    notes += _named_notes(chain(record.get(FORMER_NAME, ()), by_files))
    update: Record = {"$set": {NOTES: notes}} if notes else {}
    return update | ({"$unset": dict.fromkeys(fields, "")} if fields else {})


def _with_languages(note: Record) -> Record:
    """Return the note of a source with what imports know under its present name."""
    own = {name: value for name, value in note.items() if name != FORMER_NAME}
    return own | ({BY_LANGUAGE: note[FORMER_NAME]} if FORMER_NAME in note else {})


def _of_file(note: Record) -> Record:
    return {"overridden": [], "exdates": []} | note


def _named_notes(former: Iterable[Record]) -> Iterator[Record]:
    """Yield a note for each name in former notes, with all its languages."""
    by_name: dict[str, Record] = {}
    for note in former:
        own = {n: value for n, value in note.items() if n not in ("source", "language")}
        by_name.setdefault(note["source"], {})[note["language"]] = own
    return (named_note(name, by_language) for name, by_language in by_name.items())


def _picture_update(picture: Record) -> Mapping[str, Any] | None:
    """Return the update of a picture, which has a note for each address."""
    if FORMER_NAME not in picture:
        return None
    notes = [*picture.get(NOTES, ()), *map(_picture_note, picture[FORMER_NAME])]
    return {"$set": {NOTES: notes}, "$unset": {FORMER_NAME: ""}}


def _picture_note(note: Record) -> Record:
    return {**note, "source": ANY_SOURCE, "uid": note["source"]}


def _union_update(union: Record) -> Mapping[str, Any] | None:
    """Return the update of what the undo of a union of venues, organizers or events gives back."""
    update: Record = {"origins": origins_in(union, {})} if _ORIGINS & union.keys() else {}
    if "notes" in union:
        update["notes"] = [*map(_with_languages, union["notes"])]
    removed = {"$unset": {FORMER_NAME: ""}} if FORMER_NAME in union else {}
    return {"$set": update, **removed} if update else None


# A migration stays here: a backup may be of any earlier format.
MIGRATIONS: Sequence[Migration] = (
    *(Migration(_ONE_KIND, name, _record_update, _NOTED) for name in _OF_RECORDS),
    Migration(_ONE_KIND, "media", _picture_update, _NAMED),
    Migration(_ONE_KIND, "unions", _union_update),
)
