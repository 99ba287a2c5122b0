"""Likeness of records in two languages, by shared fields, and an index of the stored ones."""

import re
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from calendar_app.domain.provenance import import_notes
from calendar_app.domain.statuses import TRASH
from calendar_app.domain.words import fold
from calendar_app.sources.imports.tec import values
from calendar_app.sources.imports.tec.records import number_of
from calendar_app.sources.site_names import at_host, site_of

# The collections of terms, and the fields of events that link to them.
TERMS = (CATEGORY.name, TAG.name)

_METRE = 5  # decimals of a degree
# The digits of a telephone number behind the code of the country, or the zero instead of it.
_NATIONAL_DIGITS = 9
_MIN_DIGITS = 5
_NO_DIGIT = re.compile(r"[^0-9]+")
_SCHEME = re.compile(r"^[a-z]+://(www\.)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RecordTraits:
    """Two records are alike if they share a mark and contradict in no fact."""

    marks: frozenset[tuple[str, Hashable]] = frozenset()
    facts: Mapping[str, Hashable] = field(default_factory=dict)

    def contradict(self, traits: "RecordTraits") -> bool:
        shared = self.facts.keys() & traits.facts.keys()
        return any(self.facts[name] != traits.facts[name] for name in shared)


def traits_of(kind: Kind, record: Record) -> RecordTraits:
    """Return the traits of a document, or of changes with its fields; terms have none."""
    texts = record["variants"].values()
    phone = _national(record.get("phone", ""))
    if kind is EVENT:
        event = (record["start"], record["end"], record.get("image"))
        return at_venues(_traits({}, {"event": [event]}), record.get("venues", ()))
    if kind is VENUE:
        addresses = [fold(each.get("address") or "") for each in texts]
        facts = {"point": _point(record), "phone": phone, "zip": record["zip"].strip()}
        return _traits(facts, {"point": [facts["point"]], "phone": [phone], "address": addresses})
    if kind is ORGANIZER:
        websites = [_SCHEME.sub("", each.get("website") or "").rstrip("/") for each in texts]
        facts = {"phone": phone, "email": record["email"].strip().casefold()}
        marks = {name: [fact] for name, fact in facts.items()}
        return _traits(facts, marks | {"website": [each.casefold() for each in websites]})
    return RecordTraits()


def _traits(facts: Mapping[str, Hashable], marks: Mapping[str, Iterable[Hashable]]) -> RecordTraits:
    """Return traits without empty texts and ``None``."""
    return RecordTraits(
        frozenset((name, mark) for name, several in marks.items() for mark in several if mark),
        {name: fact for name, fact in facts.items() if fact},
    )


def at_venues(event: RecordTraits, venues: Iterable[int]) -> RecordTraits:
    return replace(event, facts={"venues": frozenset(venues)})


def traits_of_term(events: Collection[int]) -> RecordTraits:
    return _traits({}, {"events": [frozenset(events)]})


def _point(record: Record) -> tuple[float, ...] | None:
    """Return latitude and longitude to about a metre, of a document or of changes."""
    longitude_first = (record.get("location") or {}).get("coordinates", ())
    point = record.get("geo") or longitude_first[::-1]
    return tuple(round(degrees, _METRE) for degrees in point) or None


def _national(phone: str) -> str:
    digits = _NO_DIGIT.sub("", phone)
    return digits[-_NATIONAL_DIGITS:] if len(digits) >= _MIN_DIGITS else ""


def names_in(kind: Kind, texts: Record) -> frozenset[str]:
    """Return the folded name and slug in some texts."""
    names = (texts.get(kind.label), texts.get("slug"))
    return frozenset(fold(values.unescaped(name)) for name in names if name)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRecord:
    """A record here, as seen from the language; ``names`` are there for terms alone."""

    in_trash: bool
    has_text: bool
    text_source: str
    traits: RecordTraits
    names: frozenset[str]
    terms: tuple[tuple[str, int], ...]


class StoredRecords:
    """The records of one kind, with indexes by source, mark, host, and name at a site."""

    def __init__(self, kind: Kind, records: Iterable[Record], language: str) -> None:
        self._kind = kind
        self._language = language
        self.records: dict[int, StoredRecord] = {}
        self.ids: dict[str, int] = {}
        self._by_mark: defaultdict[Hashable, set[int]] = defaultdict(set)
        # By site and number or group there; without the site for sites of one language each.
        self._by_name: defaultdict[tuple[str, Hashable], set[int]] = defaultdict(set)
        self._by_host: defaultdict[str, set[int]] = defaultdict(set)
        self._sites: set[str] = set()
        for record in records:
            self._add(record)

    def at_host(self, source: str, names: Collection[str]) -> int:
        """Return the only record with the same number at its host and one of these names."""
        nearby = self._by_host.get(at_host(source), ())
        ids = [each for each in nearby if not self.records[each].names.isdisjoint(names)]
        return ids[0] if len(ids) == 1 else 0

    def by_names(self, names: Iterable[Hashable], site: str) -> set[int]:
        """Return the records with these numbers or groups at a site, in other languages."""
        site = site if site in self._sites else ""
        return {each for name in names for each in self._by_name.get((site, name), ())}

    def like(self, traits: RecordTraits, excluded: Collection[int]) -> set[int]:
        """Return the records without a text in the language that are alike."""
        ids = {each for mark in traits.marks for each in self._by_mark.get(mark, ())}
        ids -= set(excluded)
        return {each for each in ids if not self.records[each].traits.contradict(traits)}

    def mark(self, record_id: int, traits: RecordTraits) -> None:
        """Index a record by the marks of ``traits``, unless it has a text in the language."""
        record = self.records.get(record_id)
        if record and not (record.in_trash or record.has_text or record.text_source):
            for mark in traits.marks:
                self._by_mark[mark].add(record_id)

    def _add(self, record: Record) -> None:
        record_id, notes = record["_id"], import_notes(record)
        sources = [note["source"] for note in notes if note["language"] == self._language]
        variants = [] if self._kind.has_status else record["variants"].values()
        self.records[record_id] = StoredRecord(
            in_trash=record.get("status") == TRASH,
            has_text=self._language in record["variants"],
            text_source="".join(sources[:1]),
            traits=traits_of(self._kind, record),
            names=frozenset().union(*(names_in(self._kind, texts) for texts in variants)),
            terms=tuple((name, term) for name in TERMS for term in record.get(name, ())),
        )
        self.mark(record_id, self.records[record_id].traits)
        for note in notes:
            source, site = note["source"], site_of(note["source"])
            self.ids[source] = record_id
            self._by_host[at_host(source)].add(record_id)
            if note["language"] != self._language:
                self._sites.add(site)
                for name in filter(None, (number_of(source), note.get("group"))):
                    self._by_name[site, name].add(record_id)
                    self._by_name["", name].add(record_id)
