"""Texts that a site shows in a second language because nobody has translated them.

The record then has the same id in both languages. Stored as translations, such texts would hide
later changes of those that they repeat.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from calendar_app.catalogue.bulk.foreign import Foreign, is_noted
from calendar_app.catalogue.bulk.hosts import at_host
from calendar_app.catalogue.content.composing import compose
from calendar_app.catalogue.content.sanitizing import clean_html
from calendar_app.domain.kind import Kind, Record

Texts = Mapping[str, str | None]


def without_untranslated(
    kind: Kind, foreign: Foreign, before: Record, language: str, site: str
) -> Foreign:
    """Return what is said, without the texts that are said in the first language too.

    A text that was none of them when it came may be one by now: the first language may come in
    later. What people have written since in place of what is noted is left alone. ``site`` is the
    address of this one.
    """
    firsts = _firsts(foreign, before, language) if foreign.second else []
    if not firsts:
        return foreign
    told = foreign.changes["variants"][language]
    kept: Texts = _cleaned(kind, told, site)
    if is_noted(foreign, before, language) and not _is_stored(kept, before, language):
        return foreign
    for first in firsts:
        if _is_said(foreign, told, before, first):
            kept = {}
        else:
            stored = before["variants"].get(first, {})
            kept = {name: text for name, text in kept.items() if text != stored.get(name)}
    texts = {name: text if name in kept else None for name, text in told.items()}
    # A slug goes with its name: links of old lead to it.
    texts["slug"] = told.get("slug") if kind.label in kept else None
    return replace(foreign, changes={**foreign.changes, "variants": {language: texts}})


def is_silent(foreign: Foreign, before: Record, language: str) -> bool:
    """Say whether nothing is said in a second language, and nothing was."""
    said = any(text is not None for text in foreign.changes["variants"][language].values())
    notes = before.get("imported", ())
    known = any((n["source"], n["language"]) == (foreign.source, language) for n in notes)
    return foreign.second and not foreign.joins and not said and not known


def _firsts(foreign: Foreign, before: Record, language: str) -> list[str]:
    """Return the languages in which the source came by itself, be they told by the path."""
    return [
        note["language"]
        for note in before.get("imported", ())
        if at_host(note["source"]) == at_host(foreign.source)
        and note["language"] != language
        and not note.get("joined")
    ]


def _is_said(foreign: Foreign, told: Texts, before: Record, first: str) -> bool:
    """Say whether the site said all this in its first language, whatever became of it here."""
    changes = {**foreign.changes, "variants": {first: told}}
    return is_noted(replace(foreign, changes=changes, second=False), before, first)


def _is_stored(texts: Texts, before: Record, language: str) -> bool:
    """Say whether a record has all these texts; its slug may have been taken when it came."""
    stored = before["variants"].get(language, {})
    return all(stored.get(name) == text for name, text in texts.items() if name != "slug")


def _cleaned(kind: Kind, told: Texts, site: str) -> Texts:
    """Return the texts as they would be stored."""
    texts = {name: text for name, text in told.items() if text is not None}
    cleaning = partial(clean_html, trusted=True, site=site)
    composed = compose(kind, {"variants": {}}, {"variants": {"": texts}}, cleaning)
    cleaned: Texts = composed["variants"].get("", {})
    return cleaned
