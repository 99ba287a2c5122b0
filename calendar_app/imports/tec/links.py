"""What the records of a site point to: categories above, and what events tell of."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from calendar_app.domain.kind import Kind, Record
from calendar_app.imports.tec import values
from calendar_app.imports.tec.records import source_of, source_of_parent
from calendar_app.imports.tec.values import Raw
from calendar_app.resources.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE

# The field in which an event tells of them, and the kind of record that they are.
_TOLD: Mapping[str, Kind] = MappingProxyType(
    {"categories": CATEGORY, "tags": TAG, "venue": VENUE, "organizer": ORGANIZER}
)

# Returns the ids here of those sources of a kind that are known here.
IdsOf = Callable[[Kind, Sequence[str]], dict[str, int]]


class Links:
    """The ids here of everything that some records of a site point to."""

    def __init__(self, kind: Kind, records: Iterable[Raw], ids_of: IdsOf) -> None:
        self._kind = kind
        self._ids: dict[str, int] = {}
        for other, sources in _pointed_to(kind, records).items():
            if sources:
                self._ids |= ids_of(_KINDS[other], sorted(sources))

    def of(self, raw: Raw) -> Record:
        """Return the links of one record; those that are not here are left out."""
        if self._kind is CATEGORY:
            return {"parent": self._ids.get(source_of_parent(CATEGORY.name, raw), 0)}
        if self._kind is not EVENT:
            return {}
        told = {kind.name: told_of(raw, field) for field, kind in _TOLD.items()}
        return {
            name: [self._ids[source] for source in sources if source in self._ids]
            for name, sources in told.items()
        }


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


def _pointed_to(kind: Kind, records: Iterable[Raw]) -> dict[str, set[str]]:
    if kind is CATEGORY:
        above = {source_of_parent(kind.name, raw) for raw in records}
        return {kind.name: above - {""}}
    if kind is EVENT:
        return {name: set(told) for name, told in embedded(records).items()}
    return {}


_KINDS: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in _TOLD.values()})
