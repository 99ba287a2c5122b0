"""Find or create the venues, organizers and terms that the events of a source name.

A record is found by its own id at the source, else by name and address, as in every other write
that names linked records. A source changes no record but one that has nothing but the name that
this source gave it: that one gets the address with which the source names it later.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from calendar_app.calendar.reading.links import LINKED
from calendar_app.calendar.writing.changes import Edit, Plan
from calendar_app.calendar.writing.planner import RecordPlanner
from calendar_app.calendar.writing.references import beside_the_name
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.ledger import entry_of
from calendar_app.domain.namesakes import facts_of
from calendar_app.sources.notes import NOTES
from calendar_app.sources.preparing import origins_of
from calendar_app.sources.site_names import site_of
from calendar_app.sources.source import source_named
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, equals, one_of


def brought_ids(store: Store, changes: Sequence[Record]) -> dict[str, int]:
    """Return the ids of the imported records that events link to, by origin."""
    origins = {
        name: {origin for own in changes for e in own.get(name, ()) for origin in origins_of(e)}
        for name in LINKED
    }
    images = {own.get("image") for own in changes}
    origins["media"] = {each for each in images if isinstance(each, str)}
    ids: dict[str, int] = {}
    for name, own in origins.items():
        brought = one_of("imported.source", sorted(own))
        for record in store[name].find(brought, fields=["imported"]) if own else ():
            ids |= {note["source"]: record["_id"] for note in record["imported"]}
    return ids


@dataclass(frozen=True, slots=True)
class SourceLinks:
    """Finds the linked records of one ``source``, by its id."""

    store: Store
    source: int
    # Ids of linked records by kind: those that this source links, and answers of the store.
    _own: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    _stored: dict[tuple[str, frozenset[int]], set[int]] = field(default_factory=dict)

    def linked(self, planner: RecordPlanner, plan: Plan, kind: Kind, edit: Edit) -> Record:
        """Return the record that is meant, else create it.

        One that contradicts what is said of it is another one; so is what has another id at the
        same site.
        """
        origins = origins_of(edit.changes)
        if origins and (brought := plan.brought(kind, origins)):
            return brought
        language = next(iter(edit.changes["variants"]), edit.language)
        edit = replace(edit, language=language)
        namesake = planner.references.linked(plan, kind, edit, self)
        if namesake is None or _sites(namesake) & _sites(edit.changes):
            return planner.create_new(plan, kind, edit)
        self._own[kind.name].add(namesake["_id"])
        if not facts_of(kind, edit.changes) or facts_of(kind, namesake):
            return namesake
        changes = beside_the_name(kind, edit.changes, language)
        return planner.change(plan, kind, namesake, replace(edit, changes=changes))

    def completes(self, plan: Plan, kind: Kind, record: Record) -> bool:
        """Say whether a record is as this source has brought it."""
        change = plan.change_of(kind, record["_id"])
        if change is not None and not change.before:
            return True
        names = (entry_of(record, language, kind.label) for language in record["variants"])
        sources = {source_named(each.get("by")) for each in names}
        return 0 not in sources and sources == {self.source} and record["revision"] == 1

    def own(self, plan: Plan, kind: Kind, records: Sequence[Record]) -> set[int]:
        """Return the ids of those records that events of the source link, or are about to."""
        ids = {each["_id"] for each in records}
        changes = {each: plan.change_of(kind, each) for each in ids}
        new = {each for each, change in changes.items() if change and not change.before}
        return new | self._linked_before(kind, frozenset(ids - new)) | self._own[kind.name]

    def _linked_before(self, kind: Kind, ids: frozenset[int]) -> set[int]:
        if (kind.name, ids) not in self._stored:
            among = one_of(kind.name, sorted(ids))
            events = all_of([equals(f"{NOTES}.source", self.source), among])
            linked = f"${kind.name}"
            stages: list[Record] = [{"$match": events}, {"$unwind": linked}, {"$match": among}]
            groups = self.store.of(EVENT).aggregate([*stages, {"$group": {"_id": linked}}])
            self._stored[kind.name, ids] = {each["_id"] for each in groups}
        return self._stored[kind.name, ids]


def _sites(record: Record) -> set[str]:
    """Return the sites that have a record under an id of their own."""
    return {site_of(note["source"]) for note in record.get("imported", ())}
