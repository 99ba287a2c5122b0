"""Joins the texts of a site's second language to the records of the first one.

Links to translations come first, then the file of a person, then likeness: what the languages
share. A record that fits no stored record, or several, is left for a person.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import BY_NAME, CATEGORY, EVENT, KINDS, ORGANIZER, TAG, VENUE
from calendar_app.domain.timespan import settle
from calendar_app.sources.imports.tec.counterparts import ImportedRecords
from calendar_app.sources.imports.tec.likeness import (
    TERMS,
    RecordTraits,
    StoredRecords,
    at_venues,
    names_in,
    traits_of,
    traits_of_term,
)
from calendar_app.sources.imports.tec.pages import RecordedPages
from calendar_app.sources.imports.tec.reading import (
    ParsedRecord,
    RecordReader,
    SiteLinks,
    embedded_records,
)
from calendar_app.sources.imports.tec.records import number_of
from calendar_app.sources.imports.tec.values import Raw
from calendar_app.sources.parsed import SourceError
from calendar_app.sources.results import Joining
from calendar_app.sources.site_names import site_of

# WordPress numbers these together, and terms apart: an event and a term may have the same id.
_POSTS = (EVENT, VENUE, ORGANIZER)


class Matches:
    """Ids in the first language by kind and id in the second."""

    def __init__(self, firsts: Mapping[tuple[str, int], int]) -> None:
        self._firsts = firsts

    @classmethod
    def read(cls, path: Path) -> "Matches":
        """Parse a file; raise ``SourceError`` with the malformed line."""
        firsts: dict[tuple[str, int], int] = {}
        for place, cells in _rows(path):
            if not _has_ids(cells):
                raise SourceError(f"{place} does not begin with two ids.")
            second, first = map(int, cells[:2])
            for kind in _kinds("".join(cells[2:3]), place):
                if firsts.setdefault((kind.name, second), first) != first:
                    raise SourceError(f"{place} says something else of {second}.")
        return cls(firsts)

    def first_of(self, kind: Kind, second: int) -> int | None:
        """Return the id in the first language for an id in the second."""
        return self._firsts.get((kind.name, second))


def _rows(path: Path) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield place and cells of each line, without empty lines and the header."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise SourceError(f"{path} cannot be read: {reason}.") from error
    separator = max(",;\t", key=lines[0].count) if lines else ","
    for number, line in enumerate(lines, 1):
        # Spreadsheets may quote cells; ids and kinds contain no quotes.
        cells = [cell.strip(' "') for cell in line.split(separator)]
        is_header = number == 1 and not any(map(str.isdecimal, cells[:2]))
        if any(cells) and not is_header:
            yield f"Line {number} of {path}", cells


def _has_ids(cells: Sequence[str]) -> bool:
    ids = [cell for cell in cells[:2] if cell.isascii() and cell.isdecimal()]
    return len(ids) == 2  # noqa: PLR2004


def _kinds(name: str, place: str) -> Sequence[Kind]:
    """Return the kind of this name, singular or plural; events, venues and organizers for none."""
    kinds = [kind for kind in KINDS if name.casefold() in (kind.name, kind.singular)]
    if name and not kinds:
        raise SourceError(f"{place} names a kind that there is not: {name}.")
    return kinds or _POSTS


# The plan of an import.

# Events are recognized by their venues, terms by their events.
_ORDER = (VENUE, ORGANIZER, EVENT, CATEGORY, TAG)


@dataclass(slots=True)
class JoinPlan:
    """The records that the texts of a second language belong to, by source.

    ``methods`` has only the sources that join in this import, ``unresolved`` why a person decides;
    with ``create_missing`` these become records of their own.
    """

    second: bool = False
    create_missing: bool = False
    ids: dict[str, int] = field(default_factory=dict)
    methods: dict[str, Joining] = field(default_factory=dict)
    unresolved: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRecord:
    """The joining evidence of a record of the site; ``names`` are its name and slug."""

    translations: frozenset[int]
    group: str
    names: frozenset[str]
    traits: RecordTraits
    links: SiteLinks


class _Claim(NamedTuple):
    """The records that one of the site may join, and why it cannot."""

    source: str
    method: Joining
    ids: set[int]
    objection: str


class Joiner:
    """Plans the import of a second language before any of it is written.

    ``pictures`` maps the ids of imported pictures to their addresses at the site.
    """

    def __init__(
        self,
        imported: ImportedRecords,
        reader: RecordReader,
        timezone: str,
        matches: Matches,
        pictures: Mapping[int, str],
    ) -> None:
        self._imported = imported
        self._reader = reader
        self._timezone = timezone
        self._matches = matches
        self._pictures = pictures
        self._site: dict[str, dict[str, SourceRecord]] = {kind.name: {} for kind in KINDS}
        self._plan = JoinPlan(second=True)
        self._used: set[int] = set()
        # The joined events of terms, by source of the term, and by collection and id.
        self._events_there: defaultdict[str, set[int]] = defaultdict(set)
        self._events_here: defaultdict[tuple[str, int], set[int]] = defaultdict(set)

    def plan(self, pages: RecordedPages) -> JoinPlan:
        """Read the site and return the plan."""
        for kind in sorted(KINDS, key=lambda kind: kind is EVENT):
            for raws in pages.parts(kind.name):
                self._scan(kind, raws)
        for kind in _ORDER:
            self._join(kind)
        return self._plan

    def _scan(self, kind: Kind, raws: Collection[Raw]) -> None:
        """Note the evidence of records; lists come before the records inside events."""
        for record in self._reader.read(kind, raws).records:
            if not record.error and record.source not in self._site[kind.name]:
                self._site[kind.name][record.source] = self._source_record(kind, record)
        if kind is EVENT:
            for name, members in embedded_records(raws).items():
                self._scan(BY_NAME[name], members.values())

    def _source_record(self, kind: Kind, record: ParsedRecord) -> SourceRecord:
        return SourceRecord(
            translations=record.translations,
            group=record.group,
            names=names_in(kind, record.changes["variants"][self._reader.language]),
            traits=self._parsed_traits(kind, record.changes),
            links=record.links,
        )

    def _parsed_traits(self, kind: Kind, changes: Record) -> RecordTraits:
        if kind is not EVENT:
            return traits_of(kind, changes)
        try:
            span = settle(
                None,
                start=changes["start"],
                end=changes["end"],
                timezone=changes.get("timezone"),
                all_day=changes.get("all_day"),
                site_timezone=self._timezone,
            )
        except ValueError:
            return RecordTraits()
        return traits_of(kind, {**changes, "start": span.start, "end": span.end})

    def _join(self, kind: Kind) -> None:
        self._used = set()
        records = map(self._with_address, self._imported.all(kind))
        stored = StoredRecords(kind, records, self._reader.language)
        for (name, term), events in self._events_here.items():
            if name == kind.name:
                stored.mark(term, traits_of_term(events))
        site = self._site[kind.name]
        self._join_known(kind, stored)
        self._join_claimed(kind, stored, [each for each in site if each not in self._plan.ids])
        settled = self._plan.ids.keys() | self._plan.unresolved.keys()
        self._join_alike(stored, {each: site[each] for each in site if each not in settled})
        if kind is EVENT:
            self._note_terms(stored)

    def _with_address(self, record: Record) -> Record:
        address = self._pictures.get(record.get("image", 0))
        return {**record, "image": address} if address else record

    def _join_known(self, kind: Kind, stored: StoredRecords) -> None:
        """Recognise earlier imports, and terms that the site has in both languages."""
        site = self._site[kind.name]
        for source in site.keys() & stored.ids.keys():
            self._plan.ids[source] = stored.ids[source]
            self._used.add(stored.ids[source])
        for source in () if kind.has_status else [each for each in site if each not in stored.ids]:
            record_id = stored.at_host(source, site[source].names)
            if record_id and record_id not in self._used:
                self._settle([_Claim(source, Joining.LIKENESS, {record_id}, "")])

    def _join_claimed(self, kind: Kind, stored: StoredRecords, sources: Iterable[str]) -> None:
        """Join by links to translations, or by the file."""
        claims = []
        for source in sources:
            record, site = self._site[kind.name][source], site_of(source)
            groups = [record.group] if record.group else []
            ids = stored.by_names([*record.translations, *groups], site)
            first = self._matches.first_of(kind, number_of(source))
            method = Joining.LINKS
            if first is not None and not ids:
                method = Joining.FILE
                ids = stored.by_names([first], site) or {first} & stored.records.keys()
            if ids or record.translations or first is not None:
                claims.append(_Claim(source, method, ids, _objection(ids, stored)))
        self._settle(claims)

    def _join_alike(self, stored: StoredRecords, site: Mapping[str, SourceRecord]) -> None:
        """Join by likeness, where exactly one record fits, and fits nothing else."""
        claims = []
        for source, record in site.items():
            ids = stored.like(self._traits(source, record), self._used)
            objection = "" if ids else "Nothing here is like it."
            if len(ids) > 1:
                objection = f"It is like several records here, {_listed(ids)}."
            claims.append(_Claim(source, Joining.LIKENESS, ids, objection))
        self._settle(claims)

    def _settle(self, claims: Collection[_Claim]) -> None:
        """Join the claims without objection, unless several are about one record."""
        claimed = Counter(each for claim in claims for each in claim.ids)
        for source, method, ids, objection in claims:
            if objection:
                self._plan.unresolved[source] = objection
            elif any(claimed[each] > 1 for each in ids):
                rivals = f"Several records of the site belong to {_listed(ids)}."
                self._plan.unresolved[source] = rivals
            else:
                (self._plan.ids[source],) = ids
                self._plan.methods[source] = method
                self._used |= ids

    def _traits(self, source: str, record: SourceRecord) -> RecordTraits:
        """Return the traits of a record, with the ids of joined events and venues."""
        if source in self._events_there:
            return traits_of_term(self._events_there[source])
        if VENUE.name not in record.links:
            return record.traits
        venues = record.links[VENUE.name]
        if any(venue not in self._plan.ids for venue in venues):
            return RecordTraits()
        return at_venues(record.traits, (self._plan.ids[venue] for venue in venues))

    def _note_terms(self, stored: StoredRecords) -> None:
        """Note which terms the joined events have, there and here."""
        for source, record in self._site[EVENT.name].items():
            event = self._plan.ids.get(source)
            if event is None:
                continue
            for term_source in (each for name in TERMS for each in record.links[name]):
                self._events_there[term_source].add(event)
            for term in stored.records[event].terms:
                self._events_here[term].add(event)


def _objection(ids: Collection[int], stored: StoredRecords) -> str:
    """Say why nothing can join these records, if so."""
    if not ids:
        return "The record that it belongs to is not here."
    if len(ids) > 1:
        return f"It belongs to several records here, {_listed(ids)}."
    (record_id,) = ids
    record = stored.records[record_id]
    if record.in_trash:
        return f"The record that it belongs to, {record_id}, lies in the trash."
    if record.text_source:
        return f"The record that it belongs to, {record_id}, has the text of another one."
    return ""


def _listed(ids: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(ids)))
