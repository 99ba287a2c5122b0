"""Find or create the venues, organizers and terms that the events of a source name.

What the register of the source lacks is found by name and address, as in every other write that
names linked records, and remembered there. One that has nothing but the name that this source gave
it gets the address with which the source names it later.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from calendar_app.calendar.reading.links import LINKED
from calendar_app.calendar.writing.changes import Edit, Plan
from calendar_app.calendar.writing.planner import RecordPlanner
from calendar_app.calendar.writing.references import beside_the_name
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.ledger import entry_of
from calendar_app.domain.namesakes import compare, facts_of, meant
from calendar_app.domain.provenance import UID_OF_NOTES, names_of
from calendar_app.domain.statuses import PUBLISH
from calendar_app.sources.calendar_events import EXTERNAL_ID
from calendar_app.sources.following import first_memory
from calendar_app.sources.notes import NOTES
from calendar_app.sources.register import REGISTER_KEY, Register, origins_of
from calendar_app.sources.site_names import site_of
from calendar_app.sources.source import SOURCES, source_named
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, equals, identified, one_of
from calendar_app.storage.query.stages import ids_in

# The fields beside texts that another source may fill, and under which names they are stored.
_COMPLETED = ("zip", "phone", "email", "geo")
_STORED_AS = {"geo": "location"}


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
        brought = one_of(UID_OF_NOTES, sorted(own))
        for record in store[name].find(brought, fields=[NOTES]) if own else ():
            ids.update(dict.fromkeys(names_of(record), int(record["_id"])))
    return ids


class SourceLinks:
    """Finds the linked records of one ``source``, by its id."""

    def __init__(self, store: Store, source: int) -> None:
        self._store = store
        self._source = source
        self._register = Register(store, source)
        # Ids of linked records by kind: those that this source links, and answers of the store.
        self._own: dict[str, set[int]] = defaultdict(set)
        self._stored: dict[tuple[str, frozenset[int]], set[int]] = {}
        # What the latest plan has remembered, by key.
        self._plan: Plan | None = None
        self._remembered: dict[str, Record] = {}

    def linked(self, planner: RecordPlanner, plan: Plan, kind: Kind, edit: Edit) -> Record:
        """Return the record that is meant, else create it.

        One that contradicts what is said of it is another one; so is what has another id at the
        same site.
        """
        sent, key = edit.changes, edit.changes.get(REGISTER_KEY, "")
        if self._plan is not plan:
            self._plan, self._remembered = plan, {}
        if key in self._remembered:
            return self._remembered[key]
        apart = (REGISTER_KEY, EXTERNAL_ID)
        own = {name: value for name, value in sent.items() if name not in apart}
        record, is_ours = self._found(planner, plan, kind, replace(edit, changes=own))
        if key:
            self._remembered[key] = record
            memory = first_memory(kind, sent, record, is_new=is_ours)
            self._register.remember(plan, kind, sent, record, memory)
        return record

    def _found(
        self, planner: RecordPlanner, plan: Plan, kind: Kind, edit: Edit
    ) -> tuple[Record, bool]:
        """Return the record that is meant, and whether all that it says is of this source."""
        origins = origins_of(edit.changes)
        if origins and (brought := plan.brought(kind, origins)):
            return brought, True
        language = next(iter(edit.changes["variants"]), edit.language)
        edit = replace(edit, language=language)
        namesake = planner.references.linked(plan, kind, edit, self)
        if namesake and self._is_of_another_town(plan, kind, edit.changes, namesake):
            namesake = None
        namesake = namesake or self._called_so(plan, kind, edit)
        if namesake is None or _sites(namesake) & _sites(edit.changes):
            return planner.create_new(plan, kind, edit), True
        self._own[kind.name].add(namesake["_id"])
        if not (missing := _missing(kind, namesake, edit)):
            return namesake, False
        is_ours = not facts_of(kind, namesake)
        return planner.change(plan, kind, namesake, replace(edit, changes=missing)), is_ours

    def _called_so(self, plan: Plan, kind: Kind, edit: Edit) -> Record | None:
        """Return the record that another source calls so, whatever it is called here.

        It has to share a fact with what is sent: many halls have one name.
        """
        facts = facts_of(kind, edit.changes)
        name = edit.changes.get("variants", {}).get(edit.language, {}).get(kind.label)
        if not facts or not name:
            return None
        ids = self._register.records_called(kind.name, name)
        public = all_of([one_of("_id", ids), equals("status", PUBLISH)])
        records = (
            [plan.current(kind, each) for each in self._store.of(kind).find(public)] if ids else []
        )
        sharing = [each for each in records if compare(facts_of(kind, each), facts).shared]
        return meant(kind, sharing, edit.changes)

    def completes(self, plan: Plan, kind: Kind, record: Record) -> bool:
        """Say whether a record is as this source has brought it."""
        change = plan.change_of(kind, record["_id"])
        if change is not None and not change.before:
            return True
        is_named_here = self._source and _named_by(kind, record) == {self._source}
        return bool(is_named_here) and record["revision"] == 1

    def is_of_others(self, kind: Kind, record: Record) -> bool:
        """Say whether other sources have named a record, and neither people nor this one."""
        return _named_by(kind, record).isdisjoint((0, self._source))

    def own(self, plan: Plan, kind: Kind, records: Sequence[Record]) -> set[int]:
        """Return the ids of those records that events of the source link, or are about to.

        Without any, those of the venues in the town of the source.
        """
        ids = {each["_id"] for each in records}
        changes = {each: plan.change_of(kind, each) for each in ids}
        new = {each for each, change in changes.items() if change and not change.before}
        linked = new | self._linked_before(kind, frozenset(ids - new)) | self._own[kind.name]
        return linked if linked & ids else self._in_town(kind, records)

    def _linked_before(self, kind: Kind, ids: frozenset[int]) -> set[int]:
        if (kind.name, ids) not in self._stored:
            among = one_of(kind.name, sorted(ids))
            events = all_of([equals(f"{NOTES}.source", self._source), among])
            groups = self._store.of(EVENT).aggregate(ids_in(kind.name, events))
            self._stored[kind.name, ids] = {each["_id"] for each in groups} & ids
        return self._stored[kind.name, ids]

    def _in_town(self, kind: Kind, records: Sequence[Record]) -> set[int]:
        town = facts_of(kind, {"variants": {"": {"city": self._town}}})
        compared = ((each["_id"], compare(facts_of(kind, each), town)) for each in records)
        return {record_id for record_id, result in compared if result.shared}

    def _is_of_another_town(self, plan: Plan, kind: Kind, sent: Record, namesake: Record) -> bool:
        """Say whether an organizer may be that of another town: every town has a choral society.

        That holds for a name alone, if the other one can be reached and is new to this source.
        """
        is_name_alone = bool(facts_of(kind, namesake)) and not facts_of(kind, sent)
        if kind.is_place or not is_name_alone or not self._town:
            return False
        return namesake["_id"] not in self.own(plan, kind, [namesake])

    @cached_property
    def _town(self) -> str:
        source = self._store[SOURCES].first(identified(self._source), fields=["town"]) or {}
        return str(source.get("town") or "")


def _missing(kind: Kind, record: Record, edit: Edit) -> Record:
    """Return the fields of an edit that a record lacks, unless people have written the record."""
    if not _is_from_sources(kind, record):
        return {}
    sent = beside_the_name(kind, edit.changes, edit.language)
    stored: Record = record["variants"].get(edit.language) or next(
        iter(record["variants"].values()), {}
    )
    texts = {
        name: text
        for name, text in sent.pop("variants").get(edit.language, {}).items()
        if text and not stored.get(name)
    }
    missing = {
        name: value
        for name, value in sent.items()
        if name in _COMPLETED and value and not record.get(_STORED_AS.get(name, name))
    }
    return missing | ({"variants": {edit.language: texts}} if texts else {})


def _named_by(kind: Kind, record: Record) -> set[int]:
    """Return the sources that have written the names of a record; 0 stands for people."""
    names = (entry_of(record, language, kind.label) for language in record["variants"])
    return {source_named(each.get("by")) for each in names}


def _is_from_sources(kind: Kind, record: Record) -> bool:
    """Say whether sources have written the names and addresses of a record, and nobody else."""
    entries = (
        entry_of(record, language, name)
        for language, texts in record["variants"].items()
        for name in kind.texts
        if texts.get(name)
    )
    return all(source_named(each.get("by")) for each in entries)


def _sites(record: Record) -> set[str]:
    """Return the sites that have a record under an id of their own."""
    return set(map(site_of, names_of(record)))
