"""The rows of custom fields, and of the name in addresses."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, unquote

from calendar_app.accounts.policy import Right
from calendar_app.desk.rendering import language
from calendar_app.desk.translating.rows import Row, changes_of
from calendar_app.domain.custom_fields import LABEL, NAME, PARTS
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.richtext import decoded
from calendar_app.domain.translations import CURRENT, MISSING, OUTDATED, outdated_fields
from calendar_app.errors import Message
from calendar_app.http.request import current

_MARKUPS = {part: Markup.NAME if part == LABEL else Markup.INLINE for part in PARTS}

Texts = Mapping[str, Any]


def detail_rows(
    kind: Kind, record: Record, source: str, target: str, earlier: Texts
) -> Iterator[Row]:
    """Yield a row for each part of a custom field that the user may write."""
    if NAME not in kind.texts:
        return
    variants = record["variants"]
    theirs, own = (variants.get(tag, {}).get(NAME, {}) for tag in (source, target))
    is_outdated = NAME in outdated_fields(kind, record, target)
    before = earlier.get(NAME)
    for key in filter(_is_writable, {**theirs, **own}):
        for part in PARTS:
            now, stored = theirs.get(key, {}).get(part, ""), own.get(key, {}).get(part, "")
            if not (now or stored):
                continue
            was = before.get(key, {}).get(part, "") if before else None
            state = CURRENT if stored or not now else MISSING
            if is_outdated and stored and was != now:
                state = OUTDATED
            changes = None if was is None else changes_of(_MARKUPS[part], was, now)
            name = f"{NAME}.{quote(key, safe='')}.{part}"
            label = _label(part, _title(key, theirs.get(key, {}), own.get(key, {})))
            yield Row(name, label, _MARKUPS[part], now, stored, state, False, changes)


def slug_row(kind: Kind, record: Record, source: str, target: str) -> Iterator[Row]:
    """Yield the row of the name in addresses, which waits for nobody."""
    now, stored = (record["variants"].get(tag, {}).get("slug", "") for tag in (source, target))
    if "slug" in kind.translatable and not kind.is_picture:
        yield Row(
            "slug", Message("Name in the address"), Markup.LINE, now, stored, CURRENT, is_rich=False
        )


def _label(part: str, title: str) -> Message:
    if part == LABEL:
        return Message("Label of “{field}”", field=title)
    return Message("Text of “{field}”", field=title)


def _title(key: str, *parts: Mapping[str, str]) -> str:
    """Return how a custom field is called: by its own label, by that of the site, or its key."""
    of_site = current.settings().custom_fields.get(key, {})
    own = next((decoded(each[LABEL]) for each in parts if each.get(LABEL)), "")
    return own or of_site.get(language()) or key


def body_of(texts: Mapping[str, str]) -> dict[str, Any]:
    """Return texts by row in the interface's words: custom fields by key and part."""
    body: dict[str, Any] = {}
    for name, text in texts.items():
        field, *parts = name.split(".")
        if parts:
            key, part = parts
            body.setdefault(field, {}).setdefault(unquote(key), {})[part] = text
        else:
            body[field] = text
    return body


def _is_writable(key: str) -> bool:
    """Say whether the interface lets the user write this custom field."""
    fields = current.settings().custom_fields
    return key in fields if fields else current.caller().may(Right.EDIT_OTHERS)
