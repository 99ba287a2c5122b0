"""Which source leads where several feed one event: that of the higher rank, field by field."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from calendar_app.domain.kind import Kind, Record
from calendar_app.sources.merging import HERE, RECURRENCE, SOURCE, TIMES, Digests, field_of
from calendar_app.sources.notes import NOTES, memory_of
from calendar_app.sources.source import SOURCES, Source
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import Clause, all_of, equals

# Of a note that changes its record, so that the next reading looks at the event.
NEVER = 0


@dataclass(frozen=True, slots=True)
class Leading:
    """Tells where other sources lead over ``source``: those with the authority of a field."""

    store: Store
    source: Source
    _sources: dict[int, Source | None] = field(default_factory=dict)

    def led(self, notes: Iterable[Record], said: Digests) -> frozenset[str]:
        """Return the paths of which a source says something that leads, by its notes.

        ``said`` is what this source says: where that is nothing, others lead.
        """
        return frozenset(
            path
            for note in notes
            if (other := self._other(note)) is not None
            for path in said
            if _says(memory_of(note).said, path)
            and self._is_led(path, other, says_nothing=not _says(said, path))
        )

    def authority(self, notes: Iterable[Record]) -> Mapping[str, str]:
        """Return the authority of the source by field, without those in which another leads."""
        sources = [each for note in notes if (each := self._other(note)) is not None]
        return {
            name: HERE if any(self._is_led(name, other) for other in sources) else side
            for name, side in self.source.authority.items()
        }

    def _is_led(self, path: str, other: Source, *, says_nothing: bool = False) -> bool:
        name = field_of(path)
        if other.authority.get(name) != SOURCE:
            return False
        return says_nothing or self.source.authority.get(name) != SOURCE or other.leads(self.source)

    def _other(self, note: Record) -> Source | None:
        """Return the source of a note if it is another one and still has the event."""
        number = note["source"]
        if number == self.source.id or "missing" in note or "vanished" in note:
            return None
        if number not in self._sources:
            document = self.store[SOURCES].first(equals("_id", number))
            self._sources[number] = Source.of(document) if document else None
        return self._sources[number]


def look_again(store: Store, kinds: Iterable[Kind], clause: Clause) -> None:
    """Let the next readings look at the matching records that have several sources."""
    several: Clause = {f"{NOTES}.1": {"$exists": True}}
    for kind in kinds:
        update = {"$set": {f"{NOTES}.$[].revision": NEVER}}
        store.of(kind).change_all(all_of([clause, several]), update)


def _says(said: Digests, path: str) -> bool:
    """Say whether a source says something of a field; rules of a series go with its times."""
    return bool(said.get(path) or (path == RECURRENCE and said.get(TIMES)))
