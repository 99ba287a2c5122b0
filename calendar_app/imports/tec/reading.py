"""Parses the records of a site, without access to this calendar."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from calendar_app.domain.cost import Currency
from calendar_app.domain.kind import Kind, Record
from calendar_app.imports.tec import values
from calendar_app.imports.tec.links import Links, links_of
from calendar_app.imports.tec.records import (
    Occurrence,
    changes_of,
    number_of,
    occurrence_of,
    source_of,
)
from calendar_app.imports.tec.translations import (
    fallback_fields,
    group_of,
    is_in_another,
    translation_ids,
)
from calendar_app.imports.tec.values import Raw, Unreadable
from calendar_app.kinds import EVENT

# Bytes of text, the limit of the interface. A document holds them twice, beside those in other
# languages, and MongoDB takes 16 MiB.
_MAX_TEXT = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedRecord:
    """A record of the site; ``error`` says why it has no ``changes``.

    ``label`` names it for a person, ``links`` are the sources of other records by collection,
    ``translations`` ids of its translations. ``invalid_addresses`` are dropped values by field.
    ``occurrence`` is its place in a series, if it has one.
    """

    source: str
    label: str
    id: int
    links: Links
    group: str
    translations: frozenset[int]
    occurrence: Occurrence | None = None
    changes: Record = field(default_factory=dict)
    error: str = ""
    invalid_addresses: Record = field(default_factory=dict)

    @property
    def text_length(self) -> int:
        """Return the number of characters in its texts."""
        variants = self.changes.get("variants", {}).values()
        return sum(len(str(text or "")) for texts in variants for text in texts.values())


@dataclass(frozen=True, slots=True)
class Batch:
    """Parsed records, each source once.

    ``unidentified`` are label and reason of records without an id, ``skipped`` counts those in
    other languages.
    """

    records: list[ParsedRecord]
    unidentified: list[tuple[str, str]]
    skipped: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordReader:
    """Parses the texts of one of this calendar's ``languages``."""

    language: str
    languages: tuple[str, ...]
    currency: Currency

    def read(self, kind: Kind, raws: Iterable[Any]) -> Batch:
        """Parse records; of several with one source the last counts."""
        records: dict[str, Raw] = {}
        unidentified, skipped = list[tuple[str, str]](), 0
        for raw in raws:
            try:
                source = source_of(kind.name, raw)
            except ValueError as error:
                unidentified.append((_label(kind, raw), str(error)))
                continue
            if self.accepts(kind, raw):
                records[source] = raw
            else:
                skipped += 1
        parsed = [self._parse(kind, source, raw) for source, raw in records.items()]
        return Batch(parsed, unidentified, skipped)

    def accepts(self, kind: Kind, raw: Raw) -> bool:
        """Return whether a record is in the language, or does not say."""
        is_fallback = kind.label in fallback_fields(raw)
        return not (is_fallback or is_in_another(raw, self.language, self.languages))

    def _parse(self, kind: Kind, source: str, raw: Raw) -> ParsedRecord:
        error = ""
        try:
            changes = self._changes(kind, raw)
        except ValueError as refusal:
            changes, error = {}, str(refusal)
        return ParsedRecord(
            source=source,
            label=_label(kind, raw),
            id=number_of(source),
            links=links_of(kind, raw),
            group=group_of(raw),
            occurrence=occurrence_of(raw) if kind is EVENT else None,
            translations=translation_ids(raw, self.language, self.languages),
            changes=changes,
            error=error,
            invalid_addresses=values.invalid_addresses(raw) if changes else {},
        )

    def _changes(self, kind: Kind, raw: Raw) -> Record:
        changes = changes_of(kind, raw, self.language, self.currency)
        texts = changes["variants"][self.language]
        size = sum(len(str(text or "").encode()) for text in texts.values())
        if size > _MAX_TEXT:
            raise Unreadable(
                f"It is too large: its texts have {size} bytes, and {_MAX_TEXT} are the most."
            )
        texts |= dict.fromkeys(fallback_fields(raw) & texts.keys())
        return changes


def _label(kind: Kind, raw: Any) -> str:
    raw = raw if isinstance(raw, dict) else {}
    return f'{kind.singular} {raw.get("id", "without id")} "{raw.get(kind.label, "")}"'
