"""What the records of a site point to: categories above, and what events tell of."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from calendar_app.domain.kind import Kind, Record
from calendar_app.imports.tec import values
from calendar_app.imports.tec.records import source_of, source_of_parent
from calendar_app.imports.tec.values import Raw
from calendar_app.resources.kinds import BY_NAME, CATEGORY, EVENT, ORGANIZER, TAG, VENUE

# The field in which an event tells of them, and the kind of record that they are.
_TOLD: Mapping[str, Kind] = MappingProxyType(
    {"categories": CATEGORY, "tags": TAG, "venue": VENUE, "organizer": ORGANIZER}
)

PointsTo = Mapping[str, Sequence[str]]
# Returns the ids here of those sources of a kind that are known here.
IdsOf = Callable[[Kind, Sequence[str]], dict[str, int]]


class Links:
    """The ids here of everything that some records of a site point to.

    ``pointed_to`` says of each record, by its source, what it points to.
    """

    def __init__(self, kind: Kind, records: Mapping[str, PointsTo]) -> None:
        self._kind = kind
        self._records = records
        self._ids: dict[str, int] = {}

    def sources(self) -> dict[str, set[str]]:
        """Return by collection the sources of all that they point to."""
        found: dict[str, set[str]] = {kind.name: set() for kind in _TOLD.values()}
        for told in self._records.values():
            for name, sources in told.items():
                found[name].update(sources)
        return found

    def know(self, ids: Mapping[str, int]) -> None:
        """Take over the ids here of some sources."""
        self._ids |= ids

    def find(self, ids_of: IdsOf) -> None:
        """Look up the ids here of everything that is not known."""
        for name, sources in self.sources().items():
            unknown = sources - self._ids.keys()
            if unknown:
                self._ids |= ids_of(BY_NAME[name], sorted(unknown))

    def of(self, source: str) -> Record:
        """Return the links of one record; those that are not here are left out."""
        told = self._records[source]
        if self._kind is CATEGORY:
            return {"parent": next(iter(self._here(told[CATEGORY.name])), 0)}
        return {name: self._here(sources) for name, sources in told.items()}

    def to(self, sources: Collection[str], source: str) -> Record:
        """Return those links of one record that lead to one of ``sources``; empty ones are none."""
        told = self._records[source]
        kept = {name: [one for one in many if one in sources] for name, many in told.items()}
        if self._kind is CATEGORY:
            above = self._here(kept[CATEGORY.name])
            return {"parent": above[0]} if above else {}
        return {name: self._here(some) for name, some in kept.items() if some}

    def _here(self, sources: Iterable[str]) -> list[int]:
        return [self._ids[source] for source in sources if source in self._ids]


def embedded(events: Iterable[Raw]) -> dict[str, dict[str, Raw]]:
    """Return by collection and source the records that events tell of."""
    found: dict[str, dict[str, Raw]] = {kind.name: {} for kind in _TOLD.values()}
    for raw in events:
        for field, kind in _TOLD.items():
            found[kind.name] |= told_of(raw, field)
    return found


def told_of(event: Raw, field: str) -> dict[str, Raw]:
    """Return by source the records in one field of an event; those without an id are none."""
    found = {}
    for member in values.members(event, field):
        try:
            found[source_of(_TOLD[field].name, member)] = member
        except ValueError:
            continue
    return found


def pointed_to(kind: Kind, raw: Raw) -> dict[str, tuple[str, ...]]:
    """Return by collection the sources of what a record points to."""
    if kind is CATEGORY:
        above = source_of_parent(kind.name, raw)
        return {kind.name: (above,) if above else ()}
    if kind is EVENT:
        return {told.name: tuple(told_of(raw, field)) for field, told in _TOLD.items()}
    return {}
