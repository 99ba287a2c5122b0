"""Rows of the translation page: the texts of a record in two languages, with their changes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from urllib.parse import quote, unquote

from calendar_app.accounts.callers import Right
from calendar_app.api.http.request import current
from calendar_app.domain.custom_fields import LABEL, NAME, PARTS
from calendar_app.domain.differences import Stretch, difference, html_difference
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.kinds import event_fields
from calendar_app.domain.languages import localize, look_up
from calendar_app.domain.ledger import entry_of, is_waiting
from calendar_app.domain.translations import CURRENT, MISSING, OUTDATED, outdated_fields
from calendar_app.errors import Message
from calendar_app.site.desk.rendering import language

LABELS: Mapping[str, Message] = {
    **event_fields.LABELS,
    "venue": Message("Name"),
    "organizer": Message("Name"),
    "name": Message("Name"),
    "address": Message("Street and number"),
    "city": Message("Town"),
    "country": Message("Country"),
    "province": Message("Province"),
    "state": Message("State (region)"),
    "stateprovince": Message("State or province"),
    "alt_text": Message("What the picture shows"),
}
HTML = (Markup.HTML, Markup.INLINE)
# Paragraphs that the service makes again from blank lines.
_PLAIN_PARAGRAPHS = re.compile(r"<p>(?:(?!</?p\b).)*</p>(?:\n<p>(?:(?!</?p\b).)*</p>)*", re.DOTALL)
_BLOCKS = re.compile(r"<(?!/?(?:p|br|a|b|i|em|strong|u|s|span|code|q|small|sub|sup)\b)")
_LONE_AMPERSAND = re.compile(r"&amp;(?![\w#])")
_LENGTH = 16  # hexadecimal digits
_MARKUPS = {part: Markup.NAME if part == LABEL else Markup.INLINE for part in PARTS}


@dataclass(frozen=True, slots=True)
class TranslationRow:
    """One field, or a part of one, in two languages.

    ``changes`` is how the source became what it is since the translation was written or confirmed;
    ``None`` where history does not tell. A ``is_rich`` text has more markup than paragraphs. Of one
    that nobody has checked ``unchecked`` is the origin: ``machine`` or ``memory``.
    """

    name: str
    label: Message
    markup: Markup
    source: str
    target: str
    state: str
    is_rich: bool
    changes: Sequence[Stretch] | None = None
    unchecked: str = ""

    @property
    def field(self) -> str:
        """The field of the interface that it belongs to."""
        return self.name.partition(".")[0]

    @property
    def is_html(self) -> bool:
        return self.markup in HTML

    @property
    def source_as_typed(self) -> str:
        return self.source if self.is_rich else as_typed(self.markup, self.source)

    @property
    def waits(self) -> bool:
        return self.state in (OUTDATED, MISSING)

    @property
    def can_be_right(self) -> bool:
        """Whether somebody may say that the text is right as it stands."""
        return bool(self.target) and (self.state == OUTDATED or bool(self.unchecked))

    @property
    def of_source(self) -> str:
        """The digest of the source text, to detect its later changes."""
        return digest(self.source)


def rows(
    kind: Kind, record: Record, source: str, target: str, earlier: Mapping[str, str]
) -> Iterator[TranslationRow]:
    """Yield the fields that say something in either language.

    ``earlier`` has the sources from which outdated fields were written, as far as is known.
    """
    variants, outdated = record["variants"], outdated_fields(kind, record, target)
    source_texts, target_texts = variants.get(source, {}), variants.get(target, {})
    for name, markup in kind.texts.items():
        if markup is Markup.FIELDS or not (source_texts.get(name) or target_texts.get(name)):
            continue
        now, stored = source_texts.get(name, ""), target_texts.get(name, "")
        state = OUTDATED if name in outdated else CURRENT if stored or not now else MISSING
        changes = changes_of(markup, earlier[name], now) if name in earlier else None
        is_rich = markup in HTML and any("<" in as_typed(markup, text) for text in (now, stored))
        displayed = stored if is_rich else as_typed(markup, stored)
        label = LABELS.get(name, Message(name))
        unchecked = _unchecked(record, target, name)
        yield TranslationRow(
            name, label, markup, now, displayed, state, is_rich, changes, unchecked
        )


def _unchecked(record: Record, target: str, name: str) -> str:
    """Return the origin of a text that waits for somebody to check it."""
    entry = entry_of(record, target, name)
    return entry["origin"] if is_waiting(entry) else ""


def as_typed(markup: Markup, text: str) -> str:
    """Return a stored text as somebody would type it: plain paragraphs between blank lines."""
    if markup is not Markup.HTML:
        return text
    if _BLOCKS.search(text) or not _PLAIN_PARAGRAPHS.fullmatch(text):
        return text
    lines = text.removeprefix("<p>").removesuffix("</p>").replace("</p>\n<p>", "\n\n")
    return _LONE_AMPERSAND.sub("&", lines.replace("<br />\n", "\n"))


def digest(text: str) -> str:
    """Return the digest of a shown text, whatever its line ends."""
    lines = "\n".join(text.strip().splitlines())
    return sha256(lines.encode()).hexdigest()[:_LENGTH]


def changes_of(markup: Markup, before: str, now: str) -> list[Stretch]:
    """Return the history of a source text."""
    return html_difference(before, now) if markup in HTML else difference(before, now)


# Custom fields, and the name in addresses


def detail_rows(
    kind: Kind, record: Record, source: str, target: str, earlier: Mapping[str, Any]
) -> Iterator[TranslationRow]:
    """Yield a row for each part of a custom field that the user may write."""
    if NAME not in kind.texts:
        return
    variants = record["variants"]
    source_fields, target_fields = (variants.get(tag, {}).get(NAME, {}) for tag in (source, target))
    is_outdated = NAME in outdated_fields(kind, record, target)
    before = earlier.get(NAME)
    for key in filter(_is_writable, {**source_fields, **target_fields}):
        source_parts, target_parts = source_fields.get(key, {}), target_fields.get(key, {})
        for part in PARTS:
            now, stored = source_parts.get(part, ""), target_parts.get(part, "")
            if not (now or stored):
                continue
            was = before.get(key, {}).get(part, "") if before else None
            state = CURRENT if stored or not now else MISSING
            if is_outdated and stored and was != now:
                state = OUTDATED
            changes = None if was is None else changes_of(_MARKUPS[part], was, now)
            name = f"{NAME}.{quote(key, safe='')}.{part}"
            label = _label_of(part, _title(key, source_parts, target_parts))
            unchecked = _unchecked(record, target, NAME)
            markup = _MARKUPS[part]
            yield TranslationRow(name, label, markup, now, stored, state, False, changes, unchecked)


def slug_row(kind: Kind, record: Record, source: str, target: str) -> Iterator[TranslationRow]:
    """Yield the row of the name in addresses, which waits for nobody."""
    now, stored = (record["variants"].get(tag, {}).get("slug", "") for tag in (source, target))
    if "slug" in kind.translatable and not kind.is_picture:
        yield TranslationRow(
            "slug", Message("Name in the address"), Markup.LINE, now, stored, CURRENT, is_rich=False
        )


def _label_of(part: str, title: str) -> Message:
    if part == LABEL:
        return Message("Label of “{field}”", field=title)
    return Message("Text of “{field}”", field=title)


def _title(key: str, *parts: Mapping[str, str]) -> str:
    """Return how a custom field is called: by its own label, by that of the site, or its key."""
    of_site = current.context().settings.custom_fields.get(key, {})
    own = next((each[LABEL] for each in parts if each.get(LABEL)), "")
    return own or of_site.get(look_up(language(), tuple(of_site)) or "") or key


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
    context = current.context()
    fields = context.settings.custom_fields
    return key in fields if fields else context.caller.may(Right.EDIT_OTHERS)


# Names of kinds and records

KIND_NAMES: Mapping[str, str] = {
    "events": Message("Events"),
    "series": Message("Recurring events"),
    "venues": Message("Venues"),
    "organizers": Message("Organizers"),
    "categories": Message("Categories"),
    "tags": Message("Tags"),
    "media": Message("Pictures"),
}


def name_of(kind: Kind, record: Record) -> str:
    """Return the name of a record for the user, in any language that has one."""
    names = (kind.label,) if kind.label in kind.texts else (*kind.texts, kind.label)
    chain = (*current.context().chain, *record["variants"])
    texts = localize(record["variants"], names, chain)
    values = (texts.get(name) or record.get(name) for name in names)
    return next((str(name) for name in values if name), f"{kind.singular} {record['_id']}")
