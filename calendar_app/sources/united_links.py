"""Sources follow where two venues or organizers become one, or two again."""

from collections.abc import Sequence
from dataclasses import dataclass

from calendar_app.domain.kind import Kind, Record
from calendar_app.sources.digests import digest
from calendar_app.sources.notes import NOTES
from calendar_app.sources.register import follow_united
from calendar_app.sources.source import SOURCES
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, equals, one_of


def follow_links(kind: Kind, before: Record, after: Record) -> None:
    """Note the new links of an event as written by its sources.

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

    def follow(self, kind: Kind, removed: int, remaining: int) -> Record:
        """Let defaults and registers of sources name another record; return the data of an undo."""
        return {
            "sources": self._change_defaults(kind, removed, remaining, None),
            "register": follow_united(self.store, kind.name, removed, remaining),
        }

    def return_to(self, kind: Kind, removed: int, remaining: int, note: Record) -> None:
        """Undo ``follow``; later changes stay."""
        self._change_defaults(kind, remaining, removed, note["sources"])
        follow_united(self.store, kind.name, remaining, removed, note["register"])

    def _change_defaults(
        self, kind: Kind, former: int, present: int, among: Sequence[int] | None
    ) -> list[int]:
        path = f"defaults.{kind.singular}"
        clauses = [equals(path, former), *([] if among is None else [one_of("_id", among)])]
        sources = self.store[SOURCES]
        ids = [each["_id"] for each in sources.find(all_of(clauses), fields=["_id"])]
        if ids:
            sources.change_all(one_of("_id", ids), {"$set": {path: present}})
        return ids
