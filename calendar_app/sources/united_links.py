"""Sources follow where two venues or organizers become one, or two again."""

from dataclasses import dataclass

from calendar_app.domain.kind import Kind, Record
from calendar_app.sources.digests import digest
from calendar_app.sources.notes import NOTES
from calendar_app.sources.source import SOURCES
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import equals


def follow_links(kind: Kind, before: Record, after: Record) -> None:
    """Let the notes of an event know its new links as what its sources wrote.

    Otherwise they would count as edited here.
    """
    if NOTES in before:
        former, present = digest(before[kind.name]), digest(after[kind.name])
        after[NOTES] = [_noted(note, kind.name, former, present) for note in before[NOTES]]


def _noted(note: Record, path: str, former: str, present: str) -> Record:
    wrote = note.get("wrote", {})
    return note | {"wrote": wrote | {path: present}} if wrote.get(path) == former else note


@dataclass(frozen=True, slots=True)
class SourcesOfUnited:
    """The sources of one store that name venues and organizers."""

    store: Store

    def follow_union(self, kind: Kind, former: int, present: int) -> None:
        """Let the defaults of sources name another record."""
        path = f"defaults.{kind.singular}"
        self.store[SOURCES].change_all(equals(path, former), {"$set": {path: present}})
