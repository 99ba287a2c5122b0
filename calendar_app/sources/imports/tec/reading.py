"""Parses the records of a site, without access to this calendar."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from calendar_app.domain.cost import Currency
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import BY_NAME, CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from calendar_app.sources.imports.tec import values
from calendar_app.sources.imports.tec.records import (
    SiteOccurrence,
    changes_of,
    number_of,
    occurrence_of,
    parent_source,
    source_of,
)
from calendar_app.sources.imports.tec.values import Raw, UnreadableRecord

_LANGUAGES = (
    "lang",
    "language",
    "language_code",
    "locale",
    "wpml_language",
    "wpml_current_locale",
    "polylang_current_lang",
)
# The fields of a language that is an object.
_CODES = ("slug", "code", "language_code", "locale")
_TRANSLATIONS = ("translations", "wpml_translations", "polylang_translations", "pll_translations")
# In this order: the element of a term in WPML is not the id of the term.
_IDS = ("id", "ID", "post_id", "term_id", "object_id", "element_id")
_GROUPS = ("translation_group", "trid", "wpml_trid")
# Locales of WordPress that are not named by the code of their language.
_LONG_CODES: Mapping[str, str] = MappingProxyType(
    {"roh": "rm", "arg": "an", "bel": "be", "bre": "br", "oci": "oc", "srd": "sc"}
)
_TAG = re.compile(r"[a-z]{2,3}([_-][a-z0-9]+)*", re.ASCII | re.IGNORECASE)
_ID = re.compile(r"\d{1,15}", re.ASCII)
_LAST_NUMBER = re.compile(r"/(\d{1,15})/?$", re.ASCII)
_QUERY = re.compile(r"[?#]")


def is_in_another(raw: Raw, language: str, languages: Sequence[str]) -> bool:
    """Return whether a record has a language, and that is not this one."""
    codes = [code for name in _LANGUAGES if _TAG.fullmatch(code := _code(raw.get(name)))]
    matches = (_matching(code, languages) for code in codes)
    return bool(codes) and language not in next(filter(None, matches), [])


def fallback_fields(raw: Raw) -> frozenset[str]:
    """Return the fields with texts in another language than the record."""
    names = raw.get("fallback_fields")
    return frozenset(map(str, names)) if isinstance(names, list) else frozenset()


def translation_ids(raw: Raw, language: str, languages: Sequence[str]) -> frozenset[int]:
    """Return the ids of the translations into other languages than ``language``."""
    numbers = {
        number
        for code, number in _entries(raw)
        if number > 0 and _matching(code, languages) != [language]
    }
    return frozenset(numbers - {_number(raw)})


def group_of(raw: Raw) -> str:
    """Return the group that all translations of a record share, empty if there is none."""
    groups = (raw.get(name) for name in _GROUPS)
    return next((str(group) for group in groups if isinstance(group, str | int) and group), "")


def _entries(raw: Raw) -> Iterator[tuple[str, int]]:
    """Yield language and id of each translation; unreadable ones are empty, or 0."""
    for name in _TRANSLATIONS:
        yield from _listed(raw.get(name), _number)
    links = raw.get("_links")
    if isinstance(links, dict):
        for name in ("translation", "translations"):
            yield from _listed(links.get(name), _linked)


def _listed(entries: Any, number_of: Callable[[Any], int]) -> Iterator[tuple[str, int]]:
    if isinstance(entries, dict):
        yield from ((str(code), number_of(entry)) for code, entry in entries.items())
    elif isinstance(entries, list):
        for entry in entries:
            if isinstance(entry, dict):
                codes = (_code(entry.get(name)) for name in _LANGUAGES)
                yield next(filter(None, codes), ""), number_of(entry)


def _number(entry: Any) -> int:
    """Return an id, or the id in an object."""
    if isinstance(entry, dict):
        ids = (entry.get(name) for name in _IDS)
        return next((_number(each) for each in ids if each and not isinstance(each, dict)), 0)
    if isinstance(entry, str):
        return int(entry) if _ID.fullmatch(entry) else 0
    return entry if isinstance(entry, int) and not isinstance(entry, bool) else 0


def _linked(entry: Any) -> int:
    """Return the id at the end of an address."""
    address = entry.get("href") if isinstance(entry, dict) else entry
    match = _LAST_NUMBER.search(_path(address)) if isinstance(address, str) else None
    return int(match[1]) if match else 0


def _path(address: str) -> str:
    return _QUERY.split(address, maxsplit=1)[0]


def _code(entry: Any) -> str:
    if isinstance(entry, dict):
        return next((code for name in _CODES if (code := _code(entry.get(name)))), "")
    return entry if isinstance(entry, str) else ""


def _matching(code: str, languages: Sequence[str]) -> list[str]:
    """Return the languages that a code or a locale matches best."""
    ranks = {language: _rank(_subtags(code), _subtags(language)) for language in languages}
    best = max(ranks.values(), default=(0, 0))
    return [language for language, rank in ranks.items() if rank == best > (0, 0)]


def _rank(code: Sequence[str], language: Sequence[str]) -> tuple[int, int]:
    """Return the number of leading subtags in common; shorter languages rank higher."""
    equal = [subtag == wanted_subtag for subtag, wanted_subtag in zip(code, language, strict=False)]
    return [*equal, False].index(False), -len(language)


def _subtags(code: str) -> list[str]:
    primary, *subtags = code.replace("_", "-").casefold().split("-")
    return [_LONG_CODES.get(primary, primary), *subtags]


# Links between the records of a site: parents of categories, and records inside events.

# The fields of an event that contain other records, and their kinds.
_EMBEDDED: Mapping[str, Kind] = MappingProxyType(
    {"categories": CATEGORY, "tags": TAG, "venue": VENUE, "organizer": ORGANIZER}
)

# Sources of linked records by collection.
SiteLinks = Mapping[str, Sequence[str]]
# Returns the ids of the sources of a kind that were imported.
IdsOf = Callable[[Kind, Sequence[str]], Mapping[str, int]]


class LinkResolver:
    """Resolves sources into ids of this calendar, and caches these; ``ids`` fill the cache."""

    def __init__(self, ids_of: IdsOf, ids: Mapping[str, int]) -> None:
        self._ids_of = ids_of
        self._ids = dict(ids)

    def load(self, records: Iterable[SiteLinks]) -> dict[str, list[str]]:
        """Look up all linked sources; return those without a record here, by collection."""
        linked: dict[str, set[str]] = {}
        for links in records:
            for name, sources in links.items():
                linked.setdefault(name, set()).update(sources)
        for name, targets in linked.items():
            self._ids |= self._ids_of(BY_NAME[name], sorted(targets - self._ids.keys()))
        return {name: sorted(targets - self._ids.keys()) for name, targets in linked.items()}

    def resolve(self, kind: Kind, links: SiteLinks) -> Record:
        """Return the links of a record as ids; unknown sources are left out."""
        ids = {name: self._resolve(sources) for name, sources in links.items()}
        return {"parent": next(iter(ids[kind.name]), 0)} if kind is CATEGORY else ids

    def _resolve(self, sources: Iterable[str]) -> list[int]:
        return [self._ids[source] for source in sources if source in self._ids]


def links_of(kind: Kind, raw: Raw) -> SiteLinks:
    """Return the sources of the records that a record links to."""
    if kind is CATEGORY:
        parent = parent_source(kind.name, raw)
        return {kind.name: (parent,) if parent else ()}
    if kind is EVENT:
        return {target.name: tuple(_embedded_in(raw, name)) for name, target in _EMBEDDED.items()}
    return {}


def embedded_records(events: Iterable[Raw]) -> dict[str, dict[str, Raw]]:
    """Return the records inside events, by collection and source."""
    records: dict[str, dict[str, Raw]] = {kind.name: {} for kind in _EMBEDDED.values()}
    for event in events:
        for name, kind in _EMBEDDED.items() if isinstance(event, dict) else ():
            records[kind.name] |= _embedded_in(event, name)
    return records


def by_level(parents: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield terms level by level, parents before children; ``parents`` maps each to its parent.

    A parent that is not among the terms counts as none; circles come last.
    """
    remaining = dict(parents)
    while remaining:
        level = [term for term in remaining if remaining[term] not in remaining]
        level = level or list(remaining)
        yield level
        for term in level:
            del remaining[term]


def _embedded_in(event: Raw, name: str) -> dict[str, Raw]:
    """Return the records in one field of an event, by source; records without an id are skipped."""
    records = {}
    for member in values.members(event, name):
        try:
            records[source_of(_EMBEDDED[name].name, member)] = member
        except ValueError:
            continue
    return records


# Whole records.

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
    links: SiteLinks
    group: str
    translations: frozenset[int]
    occurrence: SiteOccurrence | None = None
    changes: Record = field(default_factory=dict)
    error: str = ""
    invalid_addresses: Record = field(default_factory=dict)

    @property
    def dropped(self) -> list[tuple[str, str, str]]:
        """The fields that are left out as invalid addresses: label, name and value of each."""
        return [(self.label, name, value) for name, value in self.invalid_addresses.items()]


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
            raise UnreadableRecord(
                f"It is too large: its texts have {size} bytes, and {_MAX_TEXT} are the most."
            )
        texts |= dict.fromkeys(fallback_fields(raw) & texts.keys())
        return changes


def _label(kind: Kind, raw: Any) -> str:
    raw = raw if isinstance(raw, dict) else {}
    return f'{kind.singular} {raw.get("id", "without id")} "{raw.get(kind.label, "")}"'
