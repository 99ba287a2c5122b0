"""A text that is replaced by another in all texts of a record, in each of its languages."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from calendar_app.domain.custom_fields import LABEL, VALUE
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.richtext import with_texts

_HTML = (Markup.HTML, Markup.INLINE)
# An address is more than words: what leads somewhere is not changed along with them.
_LEFT = (Markup.URL,)
_PARTS = {LABEL: Markup.NAME, VALUE: Markup.INLINE}


@dataclass(frozen=True, slots=True)
class Replacement:
    """Replaces the text ``sought``, letter by letter; it is never empty.

    In HTML it is sought in the words between two tags, and never in a tag or an address.
    """

    sought: str
    by: str

    def in_plain(self, text: str) -> str:
        return text.replace(self.sought, self.by)

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
        """Return the labelled rows that change; a write keeps the others."""
        changed = {
            key: {part: self._in(_PARTS[part], text) for part, text in row.items()}
            for key, row in rows.items()
        }
        return {key: row for key, row in changed.items() if row != rows[key]}
