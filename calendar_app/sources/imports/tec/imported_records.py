"""Records of another site, and the notes of their origin in the records of this calendar.

A source is the permanent name of a record at its site. ``by_language`` in the note of that name, of
an event in that of its source, has ``{digest}``. With the same digest as last time a record is
unchanged, and edits that people made here stay.

Notes of a second language also have ``joined``: true if the texts joined a record that was here.
``group`` is shared by the site's translations of a record.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.provenance import (
    BY_LANGUAGE,
    NOTES,
    import_notes,
    named_note,
    named_notes,
)
from calendar_app.domain.slugs import slugify
from calendar_app.domain.texts.composing import compose, name_key, stored_name
from calendar_app.domain.texts.sanitizing import clean_html
from calendar_app.sources.preparing import without_absent_texts
from calendar_app.sources.site_names import at_host


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedRecord:
    """A record of another site, with its id there; ``label`` names it for a person.

    ``changes`` are in the words of the editor, in one language, with links as ids of this calendar.
    With ``relinked`` it links to a record created in this import, and counts as changed: the
    deletion of that record here had cut the link.
    ``joins`` is the record that the texts of a ``second`` language join now.
    """

    source: str
    id: int
    changes: Record
    label: str = ""
    relinked: bool = False
    joins: int = 0
    second: bool = False
    group: str = ""


def is_unchanged(record: ImportedRecord, before: Record, language: str) -> bool:
    """Return whether the record was the same at the last import, and kept its links."""
    note = _note(record, before, language)
    return not record.relinked and note in import_notes(before)


def import_note(record: ImportedRecord, before: Record, language: str) -> Record:
    """Return the identity of an event in an import, in the form of notes."""
    return _without_identity(_note(record, before, language))


def _without_identity(note: Record) -> Record:
    return {name: value for name, value in note.items() if name not in ("source", "language")}


def to_update(record: ImportedRecord, before: Record, language: str) -> Record:
    """Return the changes to write, with the note.

    A term that was here before the import gets the note alone, and so does what a reading of the
    site has made, of which the note has no digest; a joined record gets the texts alone.
    """
    notes = named_notes(before)
    own = next((n for n in notes if n["uid"] == record.source), {}).get(BY_LANGUAGE, {})
    note = _note(record, before, language)
    is_ours = not before or record.joins or any(each["digest"] for each in own.values())
    changes = without_absent_texts(_relevant(record, note), before) if is_ours else {}
    kept_notes = [each for each in notes if each["uid"] != record.source]
    fresh = named_note(record.source, own | {language: _without_identity(note)})
    return {**changes, NOTES: [*kept_notes, fresh]}


def slug_of(record: ImportedRecord, language: str) -> str:
    return slugify(record.changes["variants"][language].get("slug") or "")


def name_of(kind: Kind, record: ImportedRecord, language: str) -> str:
    """Return the key under which a record of that name is found."""
    name = record.changes["variants"][language][kind.label] or ""
    return name_key(language, stored_name(kind, name))


def _note(record: ImportedRecord, before: Record, language: str) -> Record:
    note: Record = {"source": record.source, "language": language}
    earlier = (each for each in import_notes(before) if note.items() <= each.items())
    previous = next(earlier, None)
    if record.group:
        note["group"] = record.group
    if previous is not None and "joined" in previous:
        note["joined"] = previous["joined"]
    elif previous is None and record.second:
        note["joined"] = bool(before)
    relevant = json.dumps(_relevant(record, note), sort_keys=True, default=str)
    return {**note, "digest": sha256(relevant.encode()).hexdigest()}


def _relevant(record: ImportedRecord, note: Record) -> Record:
    """Return the changes that count, of a joined record its texts alone."""
    texts = {"variants": record.changes["variants"]}
    return texts if note.get("joined") else record.changes


# Untranslated texts of a second language, which a site repeats from the first one.
#
# The record has the same id in both languages. Stored as translations, these texts would hide later
# changes of the first language.

ImportedTexts = Mapping[str, str | None]


def without_untranslated(
    kind: Kind, record: ImportedRecord, before: Record, language: str, site: str
) -> ImportedRecord:
    """Return the record without texts that are the same in the first language.

    A translation may become the same later. ``site`` is the address of this calendar.
    """
    first_languages = _first_languages(record, before, language) if record.second else []
    if not first_languages:
        return record
    texts = record.changes["variants"][language]
    translated = _cleaned(kind, texts, site)
    for first in first_languages:
        if _is_repeated(record, texts, before, first):
            translated = {}
        else:
            stored = before["variants"].get(first, {})
            translated = {
                name: text for name, text in translated.items() if text != stored.get(name)
            }
    remaining = {name: text if name in translated else None for name, text in texts.items()}
    # A slug goes with its name: old links lead to it.
    remaining["slug"] = texts.get("slug") if kind.label in translated else None
    return replace(record, changes={**record.changes, "variants": {language: remaining}})


def has_no_texts(record: ImportedRecord, before: Record, language: str) -> bool:
    """Return whether a record of a second language has no texts, and never had any."""
    has_texts = any(text is not None for text in record.changes["variants"][language].values())
    notes = import_notes(before)
    is_noted = any((n["source"], n["language"]) == (record.source, language) for n in notes)
    return record.second and not record.joins and not has_texts and not is_noted


def _first_languages(record: ImportedRecord, before: Record, language: str) -> list[str]:
    """Return the languages in which the source made a record of its own."""
    return [
        note["language"]
        for note in import_notes(before)
        if at_host(note["source"]) == at_host(record.source)
        and note["language"] != language
        and not note.get("joined")
    ]


def _is_repeated(record: ImportedRecord, texts: ImportedTexts, before: Record, first: str) -> bool:
    """Return whether all these texts were in the first language at the last import."""
    changes = {**record.changes, "variants": {first: texts}}
    return is_unchanged(replace(record, changes=changes, second=False), before, first)


def _cleaned(kind: Kind, texts: ImportedTexts, site: str) -> ImportedTexts:
    """Return the texts in their stored form."""
    variants = {"": {name: text for name, text in texts.items() if text is not None}}
    cleaning = partial(clean_html, trusted=True, site=site)
    composed = compose(kind, {"variants": {}}, {"variants": variants}, cleaning)
    cleaned: ImportedTexts = composed["variants"].get("", {})
    return cleaned
