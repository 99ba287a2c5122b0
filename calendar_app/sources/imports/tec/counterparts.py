"""Records of imports here: found by their origin, and numbered as at their site."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from calendar_app.calendar.slugs import slug_key
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.provenance import (
    ANY_SOURCE,
    BY_LANGUAGE,
    NOTES,
    SOURCE_OF_NOTES,
    UID_OF_NOTES,
    names_of,
)
from calendar_app.domain.statuses import TRASH
from calendar_app.sources.imports.tec.imported_records import ImportedRecord, name_of, slug_of
from calendar_app.sources.reports import SOURCE_STATES
from calendar_app.sources.source import SOURCES, TEC
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    EVERYTHING,
    Clause,
    all_of,
    any_of,
    differs,
    equals,
    given,
    has_member,
    missing,
    one_of,
    within,
)

# Of the notes of records: what imports know them by.
_OF_NOTES = tuple(f"{NOTES}.{name}" for name in ("source", "uid", BY_LANGUAGE))


class ImportedRecords:
    """Finds the records here that came from given sources."""

    def __init__(self, store: Store, kinds: Mapping[str, Kind]) -> None:
        self._store = store
        self._kinds = kinds.values()

    def all(self, kind: Kind) -> Iterator[Record]:
        """Yield every record of a kind, imported or not."""
        return self._store.of(kind).stream(EVERYTHING, order=[("_id", 1)])

    def find(self, kind: Kind, sources: Collection[str]) -> dict[str, Record]:
        """Return the records of some sources, by source."""
        clause = self._noted(sources) if kind is EVENT else one_of(UID_OF_NOTES, [*sources])
        records = self._store.of(kind).find(clause) if sources else []
        by_source = {name: record for record in records for name in _names(record)}
        return {source: by_source[source] for source in sources if source in by_source}

    def _noted(self, sources: Collection[str]) -> Clause:
        """Match the events that sites, or all sources, know by some names."""
        own = all_of([one_of("source", self._sites), one_of("uid", [*sources])])
        return all_of([given(SOURCE_OF_NOTES), has_member(NOTES, own)])

    @cached_property
    def _sites(self) -> list[int]:
        """The ids of all sites that are sources, removed ones too, and that of any source."""
        states = self._store[SOURCE_STATES].find(equals("imports", True), fields=["_id"])
        sites = self._store[SOURCES].find(equals("kind", TEC), fields=["_id"])
        return sorted({ANY_SOURCE, *(each["_id"] for each in (*states, *sites))})

    def ids(self, kind: Kind, sources: Collection[str]) -> dict[str, int]:
        """Return the ids of the records of some sources."""
        clause = one_of(UID_OF_NOTES, [*sources])
        records = self._store.of(kind).find(clause, fields=[NOTES]) if sources else []
        return {name: record["_id"] for record in records for name in names_of(record)}

    def slug_owners(self, kind: Kind, keys: Collection[str]) -> dict[str, int]:
        """Return the ids of the records that have some slugs, by the key of the slug."""
        clause = one_of("slugs", keys)
        owners = self._store.of(kind).find(clause, fields=["slugs"]) if keys else ()
        return {key: owner["_id"] for owner in owners for key in owner["slugs"]}

    def notes(self, kind: Kind) -> list[Record]:
        """Return id and notes of every imported record."""
        return self._store.of(kind).find(given(UID_OF_NOTES), fields=[NOTES])

    def in_language(self, kind: Kind, language: str) -> Iterator[Record]:
        """Yield name and notes of the records imported in a language, except trashed ones."""
        fields = [*_OF_NOTES, "status", f"variants.{language}.{kind.label}"]
        clause = _is_imported(language)
        for record in self._store.of(kind).stream(clause, order=[("_id", 1)], fields=fields):
            if record.get("status") != TRASH:
                yield record

    def dates(self, site: str, language: str) -> Iterator[tuple[str, Record]]:
        """Yield the occurrences of series imported from a site, each behind its series' source.

        They have name and date; trashed ones are left out.
        """
        first = f"events/{site}?id="
        of_site = {"$gte": first, "$lt": f"{first}\uffff"}
        in_language = any_of([equals("language", language), given(f"{BY_LANGUAGE}.{language}")])
        own = has_member(NOTES, all_of([{"uid": of_site}, in_language]))
        fields = [*_OF_NOTES, f"{NOTES}.language"]
        sources = {
            record["_id"]: note["uid"]
            for record in self._store["series"].find(own, fields=fields)
            for note in record[NOTES]
            if language in (note.get("language"), *note.get(BY_LANGUAGE, ()))
            and note["uid"].startswith(first)
        }
        living = all_of([one_of("series", sources), differs("status", TRASH)])
        fields = ["series", "recurrence_id", f"variants.{language}.title"]
        for event in self._store["events"].stream(living, order=[("_id", 1)], fields=fields):
            yield sources[event["series"]], event

    def is_second(self, language: str) -> bool:
        """Return whether other languages were imported before, and this one never first."""
        collections = [self._store.of(kind) for kind in self._kinds]
        first = _is_imported(language, missing("joined"))
        if any(records.first(first, ["_id"]) for records in collections):
            return False
        clause = _is_in_others(language)
        return any(records.first(clause, ["_id"]) for records in collections)

    def counterparts(
        self, kind: Kind, batch: Sequence[ImportedRecord], language: str
    ) -> dict[str, Record]:
        """Return, by source, the records here that a batch updates.

        They came from the same source, or are joined; a term also has the same name and slug.
        """
        joins = {record.joins: record.source for record in batch if record.joins}
        joined = self._store.of(kind).find(one_of("_id", joins)) if joins else []
        records = {joins[record["_id"]]: record for record in joined}
        records |= self.find(kind, [record.source for record in batch])
        if kind.has_status:
            return records
        new = [record for record in batch if record.source not in records]
        return records | self._same_terms(kind, new, language)

    def _same_terms(
        self, kind: Kind, batch: Sequence[ImportedRecord], language: str
    ) -> dict[str, Record]:
        """Return, by source, the terms with both name and slug of a record in the batch."""
        by_slug = {slug_key(language, slug_of(record, language)): record for record in batch}
        terms = {}
        for term in self._store.of(kind).find(one_of("slugs", by_slug)) if batch else ():
            for record in (by_slug[key] for key in term["slugs"] if key in by_slug):
                if name_of(kind, record, language) in term["names"]:
                    terms[record.source] = term
        return terms


def _is_imported(language: str, clause: Clause = EVERYTHING) -> Clause:
    """Return the clause of records that were imported in a language, with notes of that kind.

    Those of files are no records of a site.
    """
    path = f"{BY_LANGUAGE}.{language}"
    own = within(path, all_of([clause, missing("overridden")]))
    return has_member(NOTES, all_of([given(path), own]))


def _is_in_others(language: str) -> Clause:
    """Return the clause of records that were imported in other languages."""
    path = f"{BY_LANGUAGE}.{language}"
    # Whatever has joined a record came second.
    own = any_of([missing(path), given(f"{path}.joined")])
    return has_member(NOTES, all_of([given(BY_LANGUAGE), own]))


def _names(record: Record) -> list[str]:
    """Return the names by which imports know a record."""
    notes = record.get(NOTES, ())
    return [n["uid"] for n in notes if BY_LANGUAGE in n or n["source"] == ANY_SOURCE]


# Ids of imported records: their own ones where these are free.

# The sequence continues behind every id, and JavaScript reads none above 2**53 exactly.
_LARGEST_ID = 2**48
# Pictures are not among the kinds, and share the sequence of records.
_MORE_IN_SEQUENCE: Mapping[str, tuple[str, ...]] = {"records": ("media",)}


class Numbering:
    """Gives new records their ids."""

    def __init__(self, store: Store, kinds: Mapping[str, Kind]) -> None:
        self._store = store
        self._collections = {kind.sequence: _sharing(kind, kinds) for kind in kinds.values()}

    def reserve(self, kind: Kind, highest: int) -> None:
        """Reserve the ids up to ``highest`` for records that keep theirs."""
        if 0 < highest <= _LARGEST_ID:
            self._store.advance_sequence(kind.sequence, highest)

    def ids(self, kind: Kind, batch: Sequence[ImportedRecord]) -> dict[str, int]:
        """Return an id for each record: its own if that is free, else a new one."""
        own = {record.id: record.source for record in batch if 0 < record.id <= _LARGEST_ID}
        if own:
            self.reserve(kind, max(own))
        for name in self._collections[kind.sequence] if own else ():
            for record in self._store[name].find(one_of("_id", list(own)), fields=["_id"]):
                own.pop(record["_id"], None)
        ids = {source: record_id for record_id, source in own.items()}
        without = [record.source for record in batch if record.source not in ids]
        new = self._store.next_ids(kind.sequence, len(without)) if without else ()
        return ids | dict(zip(without, new, strict=True))


def _sharing(kind: Kind, kinds: Mapping[str, Kind]) -> tuple[str, ...]:
    """Return the collections that share a sequence with a kind."""
    names = (each.name for each in kinds.values() if each.sequence == kind.sequence)
    return (*names, *_MORE_IN_SEQUENCE.get(kind.sequence, ()))


# What an import needs of this calendar.


@dataclass(slots=True)
class Counterparts:
    """The records of earlier imports, the ids of new ones, and the pictures that were brought.

    ``pictures`` are ids by the address at the other site. A dry run takes no ids.
    """

    imported: ImportedRecords
    numbering: Numbering
    dry_run: bool
    pictures: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, store: Store, kinds: Mapping[str, Kind], *, dry_run: bool) -> "Counterparts":
        return cls(ImportedRecords(store, kinds), Numbering(store, kinds), dry_run)

    def reserve(self, kind: Kind, highest: int) -> None:
        """Reserve the ids up to ``highest`` for records that keep those of their site."""
        if not self.dry_run:
            self.numbering.reserve(kind, highest)

    def ids_for(self, kind: Kind, records: Sequence[ImportedRecord]) -> Mapping[str, int]:
        """Return the ids of new records, by source: their own where these are free."""
        return {} if self.dry_run else self.numbering.ids(kind, records)

    def with_picture(self, changes: Record) -> Record:
        """Return changes with the id of a picture in place of its address, where it was brought."""
        if changes.get("image") not in self.pictures:
            return changes
        return {**changes, "image": self.pictures[changes["image"]]}
