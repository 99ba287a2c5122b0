"""A text that is replaced by another in all texts of a record, in each of its languages."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from unicodedata import normalize

from calendar_app.domain.custom_fields import LABEL, VALUE
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.richtext import with_texts

_HTML = (Markup.HTML, Markup.INLINE)
# An address is more than words: what leads somewhere is not changed along with them.
_LEFT = (Markup.URL,)
_PARTS = {LABEL: Markup.NAME, VALUE: Markup.INLINE}
# Web and mail addresses as they stand among words.
_ADDRESSES = r"(?:https?://|www\.)[^\s<>\"]+|[^\s<>\"@]+@[^\s<>\"@]+\.[^\s<>\"@]+"
# People type a space for those that never break, too.
_SPACES = "[ \u00a0\u202f]"


@dataclass(frozen=True)
class Replacement:
    """Replaces the text ``sought``, letter by letter; it is never empty.

    In HTML it is sought in the words between two tags, and never in a tag. An address stays,
    unless an address is sought. Letters are the same however Unicode composes them.
    """

    sought: str
    by: str

    def in_plain(self, text: str) -> str:
        composed = normalize("NFC", text)
        changed = self._pattern.sub(self._replaced, composed)
        return text if changed == composed else changed

    def _replaced(self, match: re.Match[str]) -> str:
        return self.by if match["sought"] is not None else match[0]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        composed = normalize("NFC", self.sought)
        letters = "".join(_SPACES if letter == " " else re.escape(letter) for letter in composed)
        sought = f"(?P<sought>{letters})"
        # Of what begins at one place the first wins: an address is passed over as a whole.
        is_address = re.search(_ADDRESSES, composed, re.IGNORECASE)
        return re.compile(sought if is_address else f"(?i:{_ADDRESSES})|{sought}")

    def in_html(self, html: str) -> str:
        return with_texts(html, self.in_plain)

    def in_record(self, kind: Kind, record: Record) -> dict[str, Record]:
        """Return the changed texts of a record by language; no language without a change."""
        texts = {
            language: dict(self._changed(kind, variant))
            for language, variant in record["variants"].items()
        }
        return {language: changed for language, changed in texts.items() if changed}

    def _changed(self, kind: Kind, variant: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        for name, markup in kind.texts.items():
            before = variant.get(name)
            if not before or markup in _LEFT:
                continue
            if markup is Markup.FIELDS:
                if rows := self._rows(before):
                    yield name, rows
            elif (after := self._in(markup, before)) != before:
                yield name, after

    def _in(self, markup: Markup, text: str) -> str:
        return self.in_html(text) if markup in _HTML else self.in_plain(text)

    def _rows(self, rows: Mapping[str, Mapping[str, str]]) -> Record:
        """Return the labeled rows that change; a write keeps the others."""
        changed = {
            key: {part: self._in(_PARTS[part], text) for part, text in row.items()}
            for key, row in rows.items()
        }
        return {key: row for key, row in changed.items() if row != rows[key]}
