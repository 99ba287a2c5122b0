"""Links between the records of a site: parents of categories, and records inside events."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from calendar_app.domain.kind import Kind, Record
from calendar_app.imports.tec import values
from calendar_app.imports.tec.records import parent_source, source_of
from calendar_app.imports.tec.values import Raw
from calendar_app.kinds import BY_NAME, CATEGORY, EVENT, ORGANIZER, TAG, VENUE

# The fields of an event that contain other records, and their kinds.
_EMBEDDED: Mapping[str, Kind] = MappingProxyType(
    {"categories": CATEGORY, "tags": TAG, "venue": VENUE, "organizer": ORGANIZER}
)

# Sources of linked records by collection.
Links = Mapping[str, Sequence[str]]
# Returns the ids of the sources of a kind that were imported.
IdsOf = Callable[[Kind, Sequence[str]], Mapping[str, int]]


class LinkResolver:
    """Resolves sources into ids of this calendar, and caches these; ``ids`` fill the cache."""

    def __init__(self, ids_of: IdsOf, ids: Mapping[str, int]) -> None:
        self._ids_of = ids_of
        self._ids = dict(ids)

    def load(self, records: Iterable[Links]) -> dict[str, list[str]]:
        """Look up all linked sources; return those without a record here, by collection."""
        linked: dict[str, set[str]] = {}
        for links in records:
            for name, sources in links.items():
                linked.setdefault(name, set()).update(sources)
        for name, targets in linked.items():
            self._ids |= self._ids_of(BY_NAME[name], sorted(targets - self._ids.keys()))
        return {name: sorted(targets - self._ids.keys()) for name, targets in linked.items()}

    def resolve(self, kind: Kind, links: Links) -> Record:
        """Return the links of a record as ids; unknown sources are left out."""
        ids = {name: self._resolve(sources) for name, sources in links.items()}
        return {"parent": next(iter(ids[kind.name]), 0)} if kind is CATEGORY else ids

    def _resolve(self, sources: Iterable[str]) -> list[int]:
        return [self._ids[source] for source in sources if source in self._ids]


def links_of(kind: Kind, raw: Raw) -> Links:
    """Return the sources of the records that a record links to."""
    if kind is CATEGORY:
        parent = parent_source(kind.name, raw)
        return {kind.name: (parent,) if parent else ()}
    if kind is EVENT:
        return {target.name: tuple(_embedded_in(raw, field)) for field, target in _EMBEDDED.items()}
    return {}


def embedded_records(events: Iterable[Raw]) -> dict[str, dict[str, Raw]]:
    """Return the records inside events, by collection and source."""
    records: dict[str, dict[str, Raw]] = {kind.name: {} for kind in _EMBEDDED.values()}
    for event in events:
        for field, kind in _EMBEDDED.items() if isinstance(event, dict) else ():
            records[kind.name] |= _embedded_in(event, field)
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


def _embedded_in(event: Raw, field: str) -> dict[str, Raw]:
    """Return the records in one field of an event, by source; records without an id are skipped."""
    records = {}
    for member in values.members(event, field):
        try:
            records[source_of(_EMBEDDED[field].name, member)] = member
        except ValueError:
            continue
    return records
