"""Merges changes into a record, and computes its search fields."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from calendar_app.domain.custom_fields import LABEL, FieldChanges, Fields, merge_fields
from calendar_app.domain.fields import FOLDED, FOLDED_BY, RULES, SHARED
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.ledger import LEDGER, Writing, entered, restored
from calendar_app.domain.richtext import paragraphs, plain
from calendar_app.domain.texts.sanitizing import clean_line, clean_name, clean_term, clean_website
from calendar_app.domain.translations import confirmed, restated, translated
from calendar_app.domain.words import FOLDING_RULES, fold
from calendar_app.errors import NotWritten

# Makes HTML safe to show, as far as its author may be trusted.
CleanHtml = Callable[..., str]

_LAYOUTS = {Markup.HTML: paragraphs, Markup.INLINE: str.strip}

# What changes carry that is no field of a document under that name.
_BY_OTHERS = frozenset(
    {
        "variants",
        "start",
        "end",
        "timezone",
        "all_day",
        "geo",
        "status",
        "translated_from",
        "confirmed",
        "made_from",
        "origins",
        "reviews",
    }
)
# What changes say of the ledger, and the parameters that say it.
_OF_LEDGER = {"origins": "translation_origin", "reviews": "translation_reviewed"}
# A text that is taken away whatever its format; of an address ``None`` leaves an empty one.
ABSENT = object()


def compose(kind: Kind, record: Record, changes: Record, clean_html: CleanHtml) -> Record:
    """Return a copy of ``record`` with the texts and plain fields of ``changes`` in it.

    A text of ``None`` is taken away, so that the fallback shows; an address stays as an empty one.
    A language that keeps no text is gone, slug and all.
    """
    before = record.get("variants", {})
    variants = {tag: dict(texts) for tag, texts in before.items()}
    for language, texts in changes.get("variants", {}).items():
        language_texts = variants.setdefault(language, {})
        _write_texts(kind, language_texts, texts, clean_html)
        if kind.settle_texts is not None:
            variants[language] = kind.settle_texts(before.get(language, {}), language_texts, texts)
        if not _says_something(variants[language]):
            del variants[language]
    shared = {name: value for name, value in changes.items() if name not in _BY_OTHERS}
    for name in set(kind.lines) & shared.keys():
        shared[name] = clean_line(shared[name] or "")
    record_after = {**record, **shared, "variants": variants}
    for name, usual in kind.usual.items():
        # A document need not tell of nothing, or of what is true of most.
        if name in record_after and record_after[name] in (None, usual):
            del record_after[name]
    return record_after


def computed_fields(
    kind: Kind, before: Record, after: Record, changes: Record, language: str
) -> Record:
    """Return the computed fields: for searches, and the translation states.

    ``language`` is the one of the request, which ``translated_from`` and ``confirmed`` speak of.
    """
    order = sorted(changes.get("variants", {}), key=lambda tag: tag != language)
    languages = translated(kind, after, {tag: _rewritten(before, after, tag) for tag in order})
    if "made_from" in changes:
        languages = restated(kind, after | changes["made_from"])
    source = changes.get("translated_from")
    if source:
        _require_written(after, "translated_from", language)
        _require_written(after, "translated_from", source)
        languages = confirmed(kind, after | languages, language, source)
    for tag, fields in changes.get("confirmed", {}).items():
        _require_written(after, "translation_status", tag)
        made_from = source if tag == language else None
        languages = confirmed(kind, after | languages, tag, made_from, fields)
    return searchable(kind, after) | languages


def with_ledger(
    kind: Kind, before: Record, after: Record, changes: Record, writing: Writing
) -> Record:
    """Return the record after a write with its ledger; restored texts get back their entries."""
    ledger_values = {name: changes[name] for name in _OF_LEDGER if name in changes}
    for name, by_language in ledger_values.items():
        for tag in by_language:
            _require_written(after, _OF_LEDGER[name], tag)
    record = entered(kind, before, after, replace(writing, **ledger_values))
    if "made_from" not in changes:
        return record
    earlier = changes["made_from"]
    return restored(record, earlier[LEDGER], earlier["variants"])


def _rewritten(before: Record, after: Record, language: str) -> list[str]:
    """Return the fields that read otherwise in a language than they did."""
    was = before.get("variants", {}).get(language, {})
    now = after["variants"].get(language, {})
    return [name for name in was.keys() | now.keys() if was.get(name) != now.get(name)]


def _require_written(record: Record, parameter: str, language: str) -> None:
    """Require a text in the language that ``parameter`` refers to."""
    if language not in record["variants"]:
        raise NotWritten(parameter, language)


def searchable(kind: Kind, record: Record) -> Record:
    """Return the fields that searches and look-ups by name read instead of the texts."""
    variants = record.get("variants", {})
    folded: dict[str, Any] = {
        language: {
            name: fold(_words(kind, name, texts[name]))
            for name in kind.searched_texts
            if name in texts
        }
        for language, texts in variants.items()
    }
    lines = [name for name in kind.searched_lines if name in record]
    folded[SHARED] = {name: fold(record[name]) for name in lines}
    if not kind.found_by_words:
        folded[FOLDED_BY] = FOLDING_RULES
    elif RULES in record.get(FOLDED, {}):
        folded[RULES] = record[FOLDED][RULES]
    names = [
        f"{language}:{folded[language][kind.label]}"
        for language, texts in variants.items()
        if texts.get(kind.label)
    ]
    return {FOLDED: folded, "names": names}


def has_own_texts(occurrence: Record) -> bool:
    """Return whether the fields for searches differ from those of the series."""
    return any(
        path == "password" or (path.startswith("variants.") and not path.endswith(".slug"))
        for path in occurrence.get("overrides", ())
    )


def stored_name(kind: Kind, text: str) -> str:
    """Return a name as a record of this kind stores it, which is how it is looked up, too."""
    return clean_term(text) if kind.texts[kind.label] is Markup.TERM else clean_name(text)


def name_key(language: str, name: str) -> str:
    """Return the key under which a record of that name is found."""
    return f"{language}:{fold(name)}"


def name_keys(languages: Iterable[str], name: str) -> list[str]:
    """Return the keys under which a record has that name, one for each language."""
    folded = fold(name)
    return [f"{language}:{folded}" for language in languages]


def _says_something(texts: Mapping[str, str]) -> bool:
    return any(text for name, text in texts.items() if name != "slug")


def _write_texts(
    kind: Kind, stored: Record, sent: Mapping[str, Any], clean_html: CleanHtml
) -> None:
    for name, text in sent.items():
        if name == "slug":
            continue
        if text is ABSENT:
            stored.pop(name, None)
            continue
        if kind.texts[name] is Markup.FIELDS:
            cleaned: Any = _merged_fields(stored.get(name, {}), text, clean_html)
        else:
            cleaned = _cleaned(kind.texts[name], text, clean_html)
        if cleaned or kind.texts[name] is Markup.URL:
            stored[name] = cleaned
        else:
            stored.pop(name, None)


def _merged_fields(stored: Fields, changes: FieldChanges, clean_html: CleanHtml) -> Fields:
    def clean(part: str, text: str) -> str:
        return _cleaned(Markup.NAME if part == LABEL else Markup.INLINE, text, clean_html)

    return merge_fields(stored, changes, clean)


def _cleaned(markup: Markup, text: str | None, clean_html: CleanHtml) -> str:
    match text, markup:
        case None | "", _:
            return ""
        case str(), Markup.NAME:
            return clean_name(text)
        case str(), Markup.TERM | Markup.NOTE:
            return clean_term(text)
        case str(), Markup.HTML | Markup.INLINE:
            return clean_html(text, layout=_LAYOUTS[markup])
        case str(), Markup.URL:
            return clean_website(text)
        case _:
            return clean_line(text)


def _words(kind: Kind, name: str, text: str) -> str:
    return plain(text) if kind.texts.get(name) in _LAYOUTS else text
