"""The fields of a record as a translator sees them: source, target, and what has changed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from calendar_app.domain.differences import Stretch, difference, html_difference
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.translations import CURRENT, MISSING, OUTDATED, outdated_fields
from calendar_app.errors import Message

LABELS: Mapping[str, str] = {
    "title": Message("Title"),
    "venue": Message("Name"),
    "organizer": Message("Name"),
    "name": Message("Name"),
    "description": Message("Description"),
    "excerpt": Message("Excerpt"),
    "website": Message("Website"),
    "status_reason": Message("Reason"),
    "address": Message("Address"),
    "city": Message("City"),
    "country": Message("Country"),
    "province": Message("Province"),
    "state": Message("State"),
    "stateprovince": Message("State or province"),
    "alt_text": Message("Alternative text"),
}
HTML = (Markup.HTML, Markup.INLINE)
# Paragraphs that the service makes again from blank lines.
_PLAIN_PARAGRAPHS = re.compile(r"<p>(?:(?!</?p\b).)*</p>(?:\n<p>(?:(?!</?p\b).)*</p>)*", re.DOTALL)
_BLOCKS = re.compile(r"<(?!/?(?:p|br|a|b|i|em|strong|u|s|span|code|q|small|sub|sup)\b)")
_LONE_AMPERSAND = re.compile(r"&amp;(?![\w#])")
_LENGTH = 16  # hexadecimal digits


@dataclass(frozen=True, slots=True)
class Row:
    """One field, or a part of one, in two languages.

    ``changes`` is how the source became what it is since the translation was written or confirmed;
    ``None`` where history does not tell. A ``is_rich`` text has more markup than paragraphs.
    """

    name: str
    label: str
    markup: Markup
    source: str
    target: str
    state: str
    is_rich: bool
    changes: Sequence[Stretch] | None = None

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
    def of_source(self) -> str:
        """The digest of the source text, to detect its later changes."""
        return digest(self.source)

    @property
    def of_target(self) -> str:
        return digest(self.target)


def rows(
    kind: Kind, record: Record, source: str, target: str, earlier: Mapping[str, str]
) -> Iterator[Row]:
    """Yield the fields that say something in either language.

    ``earlier`` has the sources from which outdated fields were written, as far as is known.
    """
    variants, outdated = record["variants"], outdated_fields(kind, record, target)
    theirs, own = variants.get(source, {}), variants.get(target, {})
    for name, markup in kind.texts.items():
        if markup is Markup.FIELDS or not (theirs.get(name) or own.get(name)):
            continue
        now, stored = theirs.get(name, ""), own.get(name, "")
        state = OUTDATED if name in outdated else CURRENT if stored or not now else MISSING
        changes = changes_of(markup, earlier[name], now) if name in earlier else None
        is_rich = markup in HTML and any("<" in as_typed(markup, text) for text in (now, stored))
        shown = stored if is_rich else as_typed(markup, stored)
        label = LABELS.get(name, name)
        yield Row(name, label, markup, now, shown, state, is_rich, changes)


def as_typed(markup: Markup, text: str) -> str:
    """Return a stored text as somebody would type it: plain paragraphs between blank lines."""
    if markup is not Markup.HTML:
        return text
    if _BLOCKS.search(text) or not _PLAIN_PARAGRAPHS.fullmatch(text):
        return text
    lines = text.removeprefix("<p>").removesuffix("</p>").replace("</p>\n<p>", "\n\n")
    return _LONE_AMPERSAND.sub("&", lines.replace("<br />\n", "\n"))


def digest(text: str) -> str:
    """Return the fingerprint of a text as it was shown; how lines end does not count."""
    lines = "\n".join(text.strip().splitlines())
    return sha256(lines.encode()).hexdigest()[:_LENGTH]


def changes_of(markup: Markup, before: str, now: str) -> list[Stretch]:
    """Return how a source text became what it is."""
    return html_difference(before, now) if markup in HTML else difference(before, now)
