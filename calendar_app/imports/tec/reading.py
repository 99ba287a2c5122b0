"""Parses the records of a site, without a look at this calendar."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from calendar_app.domain.currencies import Currency
from calendar_app.domain.kind import Kind, Record
from calendar_app.imports.tec import values
from calendar_app.imports.tec.links import pointed_to
from calendar_app.imports.tec.pages import records_on
from calendar_app.imports.tec.records import changes_of, source_of
from calendar_app.imports.tec.translations import (
    fallbacks_told,
    group_told,
    has_all_languages,
    is_in_another,
    is_shown_in_another,
)
from calendar_app.imports.tec.values import Protected, Raw, Unreadable
from calendar_app.resources.kinds import BY_NAME

# Bytes of text: as many as the interface takes at once. A document holds them twice, beside those
# in other languages, and MongoDB takes 16 MiB.
_MOST = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedRecord:
    """A record: what names it for good, what a person finds it by, and what it says.

    ``id`` is the one at its site, ``points_to`` has the sources of other records by collection.
    Where there are no ``changes``, ``reason`` says why it cannot be taken over, and ``protected``
    whether that is a password. ``unusable`` are the addresses that are none, by field. One that
    ``has_all_languages`` is no translation of another record.
    """

    source: str
    name: str
    id: int
    points_to: Mapping[str, Sequence[str]]
    group: str = ""
    changes: Record = field(default_factory=dict)
    reason: str = ""
    protected: bool = False
    unusable: Mapping[str, str] = field(default_factory=dict)
    named: bool = True
    has_all_languages: bool = False

    @property
    def length(self) -> int:
        """Return how many characters its texts have."""
        texts = self.changes.get("variants", {}).values()
        return sum(len(text or "") for told in texts for text in told.values())


@dataclass(frozen=True, slots=True)
class Batch:
    """Records, each source once; those that have none, by name and reason, are ``nameless``.

    ``total`` is how many were told, ``passed_over`` are the sources of those in other languages.
    """

    records: list[ParsedRecord]
    nameless: list[tuple[str, str]]
    passed_over: list[str]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordReader:
    """Parses the texts of one of this calendar's ``languages``; texts in others are none."""

    language: str
    languages: tuple[str, ...]
    currency: Currency

    def read_lines(self, collection: str, lines: Sequence[bytes]) -> Batch:
        """Parse the records on recorded pages."""
        raws = (raw for line in lines for raw in records_on(line, collection))
        return self.read(BY_NAME[collection], raws)

    def read(self, kind: Kind, raws: Iterable[Any]) -> Batch:
        """Parse records; of a source that comes twice the later record counts."""
        records: dict[str, Raw] = {}
        nameless, passed_over, total = list[tuple[str, str]](), list[str](), 0
        for total, raw in enumerate(raws, 1):  # noqa: B007 - counted
            try:
                source = source_of(kind.name, raw)
            except ValueError as error:
                nameless.append((_name(kind, raw), str(error)))
                continue
            if self.reads(raw):
                records[source] = raw
            else:
                passed_over.append(source)
        parsed = [self._parse(kind, source, raw) for source, raw in records.items()]
        return Batch(parsed, nameless, passed_over, total)

    def reads(self, raw: Raw) -> bool:
        """Say whether a record is in the language, or does not tell."""
        return not (is_shown_in_another(raw) or is_in_another(raw, self.language, self.languages))

    def _parse(self, kind: Kind, source: str, raw: Raw) -> ParsedRecord:
        told = pointed_to(kind, raw)
        points_to = {name: tuple(members) for name, members in told.items()}
        number, name = values.number(raw, "id"), _name(kind, raw)
        try:
            changes = changes_of(kind, raw, self.language, self.currency)
            _require_size(changes["variants"][self.language].values())
        except ValueError as error:
            refused = ParsedRecord(source=source, name=name, id=number, points_to=points_to)
            return replace(refused, reason=str(error), protected=isinstance(error, Protected))
        texts = changes["variants"][self.language]
        texts |= dict.fromkeys(fallbacks_told(raw) & texts.keys())
        return ParsedRecord(
            source=source,
            name=name,
            id=number,
            points_to=points_to,
            group=group_told(raw),
            changes=changes,
            unusable=values.unusable_addresses(raw),
            named=texts[kind.label] is not None,
            has_all_languages=has_all_languages(raw),
        )


def _require_size(texts: Iterable[str | None]) -> None:
    size = sum(len((text or "").encode()) for text in texts)
    if size > _MOST:
        raise Unreadable(f"It is too large: its texts have {size} bytes, and {_MOST} are the most.")


def _name(kind: Kind, raw: Any) -> str:
    told = raw if isinstance(raw, dict) else {}
    return f'{kind.singular} {told.get("id", "without id")} "{told.get(kind.label, "")}"'
