"""Changes of one write: planned by whoever writes, stored by the writer."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any

from calendar_app.accounts.callers import Caller
from calendar_app.calendar.places import Places
from calendar_app.calendar.slugs import SlugNaming
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.ledger import LEDGER, MARKS
from calendar_app.domain.provenance import names_of
from calendar_app.errors import Conflict, PreconditionFailed
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import equals


class WriteConflict(Conflict):
    """Another write changed the record after it was read."""


@dataclass(frozen=True, slots=True)
class Edit:
    """The wishes of an edit, in the words of the documents.

    ``variants`` (language to texts; ``None`` clears one), ``status``, ``published``, ``venues`` and
    ``organizers`` (ids, or changes of the record to make), ``categories`` and ``tags`` (ids, or
    names of terms to make), and so on. ``language`` is the one of the request.

    ``origins`` say where texts come from, ``reviews`` which of them somebody has checked, as
    ``Origins`` and ``Reviews`` of the ledger; what nobody says anything of, a person wrote.
    """

    changes: Record
    caller: Caller
    language: str


@dataclass(frozen=True, slots=True)
class Change:
    """A record ``before`` and ``after`` a write: empty if it is new, or deleted for good.

    ``action`` is its name in the audit log, which else follows from the records; an empty one is
    not logged.
    """

    kind: Kind
    before: Record
    after: Record
    action: str | None = None
    in_history: bool = True

    @property
    def records(self) -> tuple[Kind, Record, Record]:
        return self.kind, self.before, self.after


class NewIds:
    """Gives ids to new records; those of writes that stored nothing can be given again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._free: defaultdict[str, list[int]] = defaultdict(list)
        self._given: defaultdict[str, list[int]] = defaultdict(list)

    def next_ids(self, kind: Kind, number: int) -> list[int]:
        """Return so many ids, which nobody else gets."""
        free = self._free[kind.sequence]
        ids, free[:number] = free[:number], []
        if lacking := number - len(ids):
            ids += self._store.next_ids(kind.sequence, lacking)
        self._given[kind.sequence] += ids
        return ids

    def use_up(self) -> None:
        """Mark all ids given so far as stored."""
        self._given.clear()

    def give_back(self) -> None:
        """Let the ids be given again since they were last used up."""
        for sequence, ids in self._given.items():
            self._free[sequence] = sorted([*ids, *self._free[sequence]])
        self._given.clear()


class Plan:
    """The changes of one write, with the slugs that they give and the venues that they need.

    ``now`` is the present in UTC, without a zone.
    """

    def __init__(self, store: Store, now: datetime, numbers: NewIds | None = None) -> None:
        self.now = now
        self._numbers = numbers or NewIds(store)
        self.naming = SlugNaming(store)
        self.places = Places(store)
        self._store = store
        self._changes: dict[tuple[str, int], Change] = {}
        self._reserved: dict[str, Iterator[int]] = {}
        # Updates of documents that are no records, by collection and id.
        self._beside: defaultdict[str, dict[str, Mapping[str, Any]]] = defaultdict(dict)
        # Records by collection and key of a name that was looked up.
        self._named: defaultdict[str, dict[str, list[Record]]] = defaultdict(dict)

    @property
    def changes(self) -> list[Change]:
        return list(self._changes.values())

    def expect(self, kind: Kind, slugs: Collection[str] = (), venues: Collection[int] = ()) -> None:
        """Look up the values of many records at once, before each asks for its own.

        ``slugs`` are given as ``slug_key``; the ``venues`` of events are locked.
        """
        at_venues = self.places.questions(venues)
        questions = self.naming.questions(kind, slugs)
        answers = self._store.find_each([*at_venues, *questions])
        self.places.expect(chain.from_iterable(answers[: len(at_venues)]))
        self.naming.expect(kind, slugs, chain.from_iterable(answers[len(at_venues) :]))

    def reserve(self, kind: Kind, ids: Sequence[int]) -> None:
        """Take the ids of new records at once, in their order; 0 stands for the next one."""
        if ids:
            taken = iter(self._numbers.next_ids(kind, ids.count(0)))
            self._reserved[kind.sequence] = iter([own or next(taken) for own in ids])

    def next_id(self, kind: Kind) -> int:
        """Return the id of a new record."""
        reserved = next(self._reserved.get(kind.sequence, iter(())), None)
        return self._numbers.next_ids(kind, 1)[0] if reserved is None else reserved

    def add(
        self,
        kind: Kind,
        before: Record,
        after: Record,
        action: str | None = None,
        *,
        in_history: bool = True,
    ) -> None:
        """Plan a change; a further one of the same record continues the earlier one."""
        change = Change(kind, before, after, action, in_history)
        key = kind.name, (after or before)["_id"]
        if earlier := self._changes.get(key):
            change = replace(change, before=earlier.before)
        self._changes[key] = change
        if kind.is_place and after:
            self.places.plan(after)

    def follow(self, kind: Kind, before: Record, after: Record) -> None:
        """Plan the change of an occurrence; log and history name its series instead."""
        self.add(kind, before, after, "", in_history=False)

    def upsert_beside(self, collection: str, key: str, update: Mapping[str, Any]) -> None:
        """Plan the update of a document that is no record; the last one for a key is stored."""
        self._beside[collection][key] = update

    def store_beside(self) -> None:
        """Store the documents that are no records, in one command for each collection."""
        for collection, updates in self._beside.items():
            own = [(equals("_id", key), update) for key, update in updates.items()]
            self._store[collection].change_each(own, upsert=True)

    def change_of(self, kind: Kind, record_id: int) -> Change | None:
        """Return the planned change of a record."""
        return self._changes.get((kind.name, record_id))

    def current(self, kind: Kind, record: Record) -> Record:
        """Return a stored record with the changes so far."""
        change = self.change_of(kind, record["_id"])
        return change.after if change else record

    def expect_names(
        self, collection: str, keys: Collection[str], namesakes: Iterable[Record]
    ) -> None:
        """Note the keys of names that records ask for, and all stored records that have them."""
        by_key = self._named[collection]
        by_key |= {key: [] for key in keys}
        for record in namesakes:
            for key in record["names"]:
                if key in by_key:
                    by_key[key].append(record)

    def stored_namesakes(self, collection: str, keys: Sequence[str]) -> list[Record] | None:
        """Return stored records by keys of their name; ``None`` where these were not looked up."""
        by_key = self._named[collection]
        if not by_key.keys() >= set(keys):
            return None
        records = {record["_id"]: record for key in keys for record in by_key[key]}
        return [records[record_id] for record_id in sorted(records)]

    def brought(self, kind: Kind, origins: Collection[str]) -> Record | None:
        """Return a record that this plan makes, and that an import knows by one of its origins."""
        for change in self._changes.values():
            names = names_of(change.after) if change.kind is kind else ()
            if any(name in origins for name in names):
                return change.after
        return None

    def named(self, collection: str, keys: Iterable[str]) -> Iterator[Record]:
        """Yield the records that this plan makes, under one of these keys of names."""
        for change in self._changes.values():
            is_new = change.kind.name == collection and not change.before
            if is_new and not set(keys).isdisjoint(change.after["names"]):
                yield change.after


def difference(before: Record, after: Record) -> Record:
    """Return the update document that turns ``before`` into ``after``; empty if they are equal.

    Variants and folded texts are compared one language at a time, so that two editors who write
    two languages never write the same path.
    """
    sets: Record = {}
    unsets: Record = {}
    _compare(before, after, "", sets, unsets)
    update = {"$set": sets, "$unset": unsets}
    return {operator: paths for operator, paths in update.items() if paths}


_DEEP = ("variants", "folded", "sources", "standing", LEDGER, MARKS)


def _compare(before: Record, after: Record, at: str, sets: Record, unsets: Record) -> None:
    for name in before.keys() | after.keys():
        path = f"{at}{name}"
        if name not in after:
            unsets[path] = ""
        elif name not in before:
            sets[path] = after[name]
        elif before[name] != after[name] or type(before[name]) is not type(after[name]):
            if name in _DEEP and not at:
                _compare(before[name], after[name], f"{name}.", sets, unsets)
            else:
                sets[path] = after[name]


def require_revision(record: Record, revision: int | None) -> None:
    """Raise ``PreconditionFailed`` where a record is not at this revision, if any."""
    if revision is not None and record["revision"] != revision:
        raise PreconditionFailed
