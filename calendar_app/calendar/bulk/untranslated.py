"""Texts that a site shows in a second language because nobody has translated them.

The record then has the same id in both languages. Stored as translations, these texts would hide
later changes of those that they repeat.
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
    """Return the record without the texts that its site has in the first language too.

    A text that differed when it came may be the same by now: the first language may come in later.
    A text that people have written here since stays. ``site`` is the address of this calendar.
    """
    first_languages = _first_languages(record, before, language) if record.second else []
    if not first_languages:
        return record
    texts = record.changes["variants"][language]
    translated = _cleaned(kind, texts, site)
    if is_unchanged(record, before, language) and not _is_stored(translated, before, language):
        return record
    for first in first_languages:
        if _is_repeated(record, texts, before, first):
            translated = {}
        else:
            stored = before["variants"].get(first, {})
            translated = {
                name: text for name, text in translated.items() if text != stored.get(name)
            }
    kept = {name: text if name in translated else None for name, text in texts.items()}
    # A slug goes with its name: old links lead to it.
    kept["slug"] = texts.get("slug") if kind.label in translated else None
    return replace(record, changes={**record.changes, "variants": {language: kept}})


def is_silent(record: ImportedRecord, before: Record, language: str) -> bool:
    """Return whether a second language has no texts, and never had any."""
    has_texts = any(text is not None for text in record.changes["variants"][language].values())
    notes = before.get("imported", ())
    is_noted = any((n["source"], n["language"]) == (record.source, language) for n in notes)
    return record.second and not record.joins and not has_texts and not is_noted


def _first_languages(record: ImportedRecord, before: Record, language: str) -> list[str]:
    """Return the languages in which the source was imported as a record of its own."""
    return [
        note["language"]
        for note in before.get("imported", ())
        if at_host(note["source"]) == at_host(record.source)
        and note["language"] != language
        and not note.get("joined")
    ]


def _is_repeated(record: ImportedRecord, texts: Texts, before: Record, first: str) -> bool:
    """Return whether the site had all these texts in its first language at the last import."""
    changes = {**record.changes, "variants": {first: texts}}
    return is_unchanged(replace(record, changes=changes, second=False), before, first)


def _is_stored(texts: Texts, before: Record, language: str) -> bool:
    """Return whether a record has these texts; its slug may have been taken when it came."""
    stored = before["variants"].get(language, {})
    return all(stored.get(name) == text for name, text in texts.items() if name != "slug")


def _cleaned(kind: Kind, texts: Texts, site: str) -> Texts:
    """Return the texts in the form in which they are stored."""
    variants = {"": {name: text for name, text in texts.items() if text is not None}}
    cleaning = partial(clean_html, trusted=True, site=site)
    composed = compose(kind, {"variants": {}}, {"variants": variants}, cleaning)
    cleaned: Texts = composed["variants"].get("", {})
    return cleaned
