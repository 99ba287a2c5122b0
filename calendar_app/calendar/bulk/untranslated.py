"""Untranslated texts of a second language, which a site repeats from the first one.

The record has the same id in both languages. Stored as translations, these texts would hide later
changes of the first language.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from calendar_app.calendar.bulk.records import ImportedRecord, at_host, is_unchanged
from calendar_app.content.composing import compose
from calendar_app.content.sanitizing import clean_html
from calendar_app.domain.kind import Kind, Record

Texts = Mapping[str, str | None]


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
    notes = before.get("imported", ())
    is_noted = any((n["source"], n["language"]) == (record.source, language) for n in notes)
    return record.second and not record.joins and not has_texts and not is_noted


def _first_languages(record: ImportedRecord, before: Record, language: str) -> list[str]:
    """Return the languages in which the source made a record of its own."""
    return [
        note["language"]
        for note in before.get("imported", ())
        if at_host(note["source"]) == at_host(record.source)
        and note["language"] != language
        and not note.get("joined")
    ]


def _is_repeated(record: ImportedRecord, texts: Texts, before: Record, first: str) -> bool:
    """Return whether all these texts were in the first language at the last import."""
    changes = {**record.changes, "variants": {first: texts}}
    return is_unchanged(replace(record, changes=changes, second=False), before, first)


def _cleaned(kind: Kind, texts: Texts, site: str) -> Texts:
    """Return the texts in their stored form."""
    variants = {"": {name: text for name, text in texts.items() if text is not None}}
    cleaning = partial(clean_html, trusted=True, site=site)
    composed = compose(kind, {"variants": {}}, {"variants": variants}, cleaning)
    cleaned: Texts = composed["variants"].get("", {})
    return cleaned
