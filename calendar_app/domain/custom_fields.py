"""Custom fields of events: each has a key, and a label and a value in every language.

``variants`` hold them as ``{"de": {"custom_fields": {"doors": {"label": …, "value": …}}}}``.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from calendar_app.domain.languages import Chain
from calendar_app.domain.richtext import decoded, escape, plain

NAME = "custom_fields"
LABEL, VALUE = "label", "value"
PARTS: Mapping[str, str] = {LABEL: "The label.", VALUE: "The value."}
LONGEST_KEY = 100

Fields = Mapping[str, Mapping[str, str]]
# Label and value by key; ``None`` takes a part away, or all fields of a language.
FieldChanges = Mapping[str, Mapping[str, str | None]] | None
# The labels of the site: language to label, by key.
Labels = Mapping[str, Mapping[str, str]]


def is_key(text: str) -> bool:
    """Say whether a field may be called so; MongoDB reads dots and dollar signs as paths."""
    is_name = text.strip() and text.isprintable() and len(text) <= LONGEST_KEY
    return bool(is_name) and "." not in text and not text.startswith("$")


def localize_fields(
    variants: Mapping[str, Mapping[str, Any]], chain: Chain, labels: Labels
) -> tuple[dict[str, dict[str, str]], bool]:
    """Return the fields with a value, and whether any part stands in a fallback language."""
    texts: dict[str, dict[str, str]] = {}
    fallback: set[str] = set()
    for language in chain:
        for key, parts in variants.get(language, {}).get(NAME, {}).items():
            field = texts.setdefault(key, {})
            missing = parts.keys() - field.keys()
            field |= {part: parts[part] for part in missing}
            if missing and language != chain[0]:
                fallback.add(key)
    fields = {
        key: {LABEL: escape(_label(key, field, chain, labels)), VALUE: field[VALUE]}
        for key, field in texts.items()
        if VALUE in field
    }
    return fields, not fallback.isdisjoint(fields)


def language_of(
    key: str, part: str, variants: Mapping[str, Mapping[str, Any]], chain: Chain
) -> str:
    """Return the first language of the chain that has a part of a field; else the first of all."""
    having = (code for code in chain if part in variants.get(code, {}).get(NAME, {}).get(key, {}))
    return next(having, chain[0])


def merge_fields(stored: Fields, changes: FieldChanges, clean: Callable[..., str]) -> Fields:
    """Return the fields of one language after a change; ``clean`` takes a part and its text.

    Fields that are not in ``changes`` stay. A field whose value is taken away goes with its label.
    """
    if changes is None:
        return {}
    merged = {key: dict(parts) for key, parts in stored.items()}
    for key, parts in changes.items():
        cleaned = {part: clean(part, text or "") for part, text in parts.items()}
        field = merged.pop(key, {}) | cleaned
        if cleaned.get(VALUE, True):
            merged[key] = {part: text for part, text in field.items() if text}
    return {key: parts for key, parts in merged.items() if parts}


def replace_fields(fields: FieldChanges, stored: Fields | None) -> FieldChanges:
    """Return the change that leaves nothing but these fields."""
    if fields is None:
        return None
    removed = (stored or {}).keys() - fields.keys()
    return {**{key: dict.fromkeys(PARTS) for key in removed}, **fields}


def changed_fields(sent: Any, current: Any) -> Any:
    """Return the fields of ``sent`` that are not ``current``, each without its unchanged parts."""
    if not isinstance(sent, dict) or not isinstance(current, dict):
        return sent
    changed = {key: _changed_parts(parts, current.get(key)) for key, parts in sent.items()}
    return {key: parts for key, parts in changed.items() if parts != {} or not sent[key]}


def without_borrowed(sent: Any, own: Any, other_texts: Iterable[Any]) -> Any:
    """Leave out the texts of ``sent`` that another language has, and the ``own`` one lacks."""
    if not isinstance(sent, dict):
        return sent
    own = own if isinstance(own, dict) else {}
    for fields in other_texts:
        if isinstance(fields, dict):
            borrowed = {key: _lacking(own.get(key), parts) for key, parts in fields.items()}
            sent = changed_fields(sent, borrowed)
    return sent


def join_fields(fields: FieldChanges, changes: FieldChanges) -> FieldChanges:
    """Return two changes that do not contradict each other as one."""
    if fields is None or changes is None:
        return None
    return {key: {**fields.get(key, {}), **changes.get(key, {})} for key in (*fields, *changes)}


def with_fields(texts: Mapping[str, Any], fields: Any) -> dict[str, Any]:
    """Return the texts with these custom fields, or without any where none are left."""
    other_texts = {name: text for name, text in texts.items() if name != NAME}
    return other_texts if fields == {} else {**other_texts, NAME: fields}


def contradict(fields: FieldChanges, changes: FieldChanges) -> bool:
    """Say whether two changes of the same fields differ."""
    if fields is None or changes is None:
        return fields is not changes
    return any(
        decoded(fields[key][part] or "") != decoded(changes[key][part] or "")
        for key in fields.keys() & changes.keys()
        for part in fields[key].keys() & changes[key].keys()
    )


def comparable(fields: Fields) -> str:
    """Return all texts of the fields as one, whatever their order."""
    return "\n".join(
        f"{key} {plain(parts.get(LABEL, ''))} {plain(parts.get(VALUE, ''))}"
        for key, parts in sorted(fields.items())
    )


def _label(key: str, field: Mapping[str, str], chain: Chain, labels: Labels) -> str:
    of_site = labels.get(key, {})
    default = next((of_site[language] for language in chain if language in of_site), key)
    return field.get(LABEL, default)


def _lacking(own: Any, parts: Any) -> Any:
    if not isinstance(own, dict) or not isinstance(parts, dict):
        return parts
    return {part: text for part, text in parts.items() if part not in own}


def _changed_parts(sent: Any, current: Any) -> Any:
    if not isinstance(sent, dict) or not isinstance(current, dict) or sent.keys().isdisjoint(PARTS):
        return sent
    return {
        part: text
        for part, text in sent.items()
        if part in PARTS
        and (part not in current or text not in (current[part], escape(current[part])))
    }
