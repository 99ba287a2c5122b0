"""References of a record: ids, or names of existing and new venues, organizers and terms."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Protocol

from calendar_app.accounts.callers import SOURCE_ROLE, Caller, Right
from calendar_app.accounts.policy import may_edit, visible_to, without_sources
from calendar_app.calendar.reading.links import LINKS
from calendar_app.calendar.writing.changes import Edit, Plan
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.namesakes import Ties, meant
from calendar_app.domain.statuses import (
    DRAFT,
    FUTURE,
    PENDING,
    PUBLISH,
    REGISTERED,
    TRASH,
)
from calendar_app.domain.texts.composing import name_keys, stored_name
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import EVERYTHING, Clause, all_of, one_of
from calendar_app.storage.query.stages import first_preferring

Make = Callable[[Plan, Kind, Edit], Record]


class Sender(Protocol):
    """The sender of an edit: which records it has linked before, and which it may complete."""

    def own(self, plan: Plan, kind: Kind, records: Sequence[Record]) -> Collection[int]:
        """Return the ids of the records that the sender has linked before."""

    def completes(self, plan: Plan, kind: Kind, record: Record) -> bool:
        """Return whether the sender may fill empty fields of a record."""

    def is_of_others(self, kind: Kind, record: Record) -> bool:
        """Return whether other senders alone have named a record."""


# By the name of their kind, as in ``LINKED``.
LinkedIds = Mapping[str, Collection[int]]

NO_LINKS: LinkedIds = MappingProxyType({})
_NAMESAKES = 100
_NOT_IN_TRASH = tuple(status for status in REGISTERED if status != TRASH)


def beside_the_name(kind: Kind, changes: Record, language: str) -> Record:
    """Return the changes without name and status."""
    variants = {tag: dict(texts) for tag, texts in changes["variants"].items()}
    variants[language].pop(kind.label)
    kept_changes = {name: value for name, value in changes.items() if name != "status"}
    return kept_changes | {"variants": variants}


class References:
    """Resolves links; ``make`` plans the creation of a linked record."""

    def __init__(
        self, store: Store, kinds: Mapping[str, Kind], make: Make, languages: Collection[str]
    ) -> None:
        """Look names up in all ``languages`` of the site."""
        self._store = store
        self._languages = languages
        self._kinds = kinds
        self._make = make

    def resolve(self, plan: Plan, edit: Edit) -> Edit:
        """Return an edit with ids in place of the records and terms that were to be made."""
        resolved = dict(edit.changes)
        for name in LINKS:
            if name in resolved:
                resolved[name] = self._ids(plan, name, resolved[name], edit)
        return replace(edit, changes=resolved)

    def expect(self, plan: Plan, edits: Sequence[Edit]) -> None:
        """Look up at once all that edits of the same caller name instead of giving an id."""
        keys: defaultdict[str, set[str]] = defaultdict(set)
        for edit in edits:
            for name in LINKS:
                for entry in edit.changes.get(name, ()):
                    for language, words in self._names(name, entry, edit):
                        tags = (language, *self._languages)
                        keys[name].update(self._keys(name, tags, words))
        for name, own in keys.items():
            clause = all_of([one_of("names", sorted(own)), self._visible(name, edits[0].caller)])
            plan.expect_names(name, own, self._store[name].find(clause))

    def _names(self, name: str, entry: int | str | Record, edit: Edit) -> Iterator[tuple[str, str]]:
        """Yield language and name of each record that an edit links by name."""
        if isinstance(entry, str):
            yield edit.language, entry
        elif not isinstance(entry, int):
            label = self._kinds[name].label
            for language, texts in entry.get("variants", {}).items():
                if words := texts.get(label):
                    yield language, words

    def _keys(self, collection: str, tags: Iterable[str], words: str) -> list[str]:
        return name_keys(dict.fromkeys(tags), stored_name(self._kinds[collection], words))

    def _visible(self, name: str, caller: Caller) -> Clause:
        """Match the records that a name may mean: those that the caller may read.

        A source means what is public and what its author owns: its events would tell of the rest.
        """
        if not self._kinds[name].has_status:
            return EVERYTHING
        reader = replace(caller, role="author") if caller.role == SOURCE_ROLE else caller
        return visible_to(without_sources(reader), _NOT_IN_TRASH)

    def same_named(self, plan: Plan, kind: Kind, edit: Edit) -> Record | None:
        """Return the record to be used again: it has that name in the language of the edit."""
        name = edit.changes.get("variants", {}).get(edit.language, {}).get(kind.label)
        if not kind.reused_by_name or not name:
            return None
        namesake = self._first_named(plan, kind.name, name, [edit.language], edit.caller)
        return namesake and plan.current(kind, namesake)

    def linked(
        self, plan: Plan, kind: Kind, edit: Edit, sender: Sender | None = None
    ) -> Record | None:
        """Return the existing record that matches the description of a linked one.

        Of several records of its name it is one that nothing contradicts; see ``meant``. Without a
        ``sender`` callers complete what they may edit.
        """
        name = edit.changes.get("variants", {}).get(edit.language, {}).get(kind.label)
        if not kind.reused_by_name or not name:
            return None
        tags = (edit.language, *self._languages)
        namesakes = [
            plan.current(kind, each)
            for each in self._named(plan, kind.name, name, tags, edit.caller)
        ]
        if sender is None:
            ties = Ties(completes=partial(may_edit, edit.caller))
        else:
            ties = Ties(
                partial(sender.own, plan, kind),
                partial(sender.completes, plan, kind),
                partial(sender.is_of_others, kind),
            )
        return meant(kind, namesakes, edit.changes, ties)

    def published_with(
        self, event: Record, unpublished: LinkedIds, caller: Caller
    ) -> Iterator[tuple[Kind, Record]]:
        """Yield those of the ``unpublished`` records that go public with an event that links them.

        They are drafts and pending ones still, and ``caller`` may publish them; what is private
        stays so. An event that is scheduled appears without a caller, so its links do not wait.
        """
        if event.get("status") not in (PUBLISH, FUTURE) or not caller.may(Right.PUBLISH):
            return
        for name, ids in unpublished.items():
            linked = sorted(set(ids).intersection(event[name]))
            waiting = all_of([one_of("_id", linked), one_of("status", (DRAFT, PENDING))])
            for record in self._store[name].find(waiting) if linked else ():
                if may_edit(caller, record):
                    yield self._kinds[name], record

    def _ids(
        self, plan: Plan, name: str, entries: Iterable[int | str | Record], edit: Edit
    ) -> list[int]:
        """Return ids in the order given, each once."""
        ids: dict[int, None] = {}
        for entry in entries:
            linked = self._term(plan, name, entry, edit) if isinstance(entry, str) else entry
            if not isinstance(linked, int):
                linked = self._make(plan, self._kinds[name], replace(edit, changes=linked))["_id"]
            ids[linked] = None
        return list(ids)

    def _term(self, plan: Plan, name: str, entry: str, edit: Edit) -> int | Record:
        """Return the id of a term, or the changes that create it."""
        tags = (edit.language, *self._languages)
        term = self._first_named(plan, name, entry, tags, edit.caller)
        return int(term["_id"]) if term else {"variants": {edit.language: {"name": entry}}}

    def _named(
        self, plan: Plan, collection: str, name: str, tags: Iterable[str], caller: Caller
    ) -> list[Record]:
        """Return all records of that name, those in the first language of ``tags`` first."""
        keys = self._keys(collection, tags, name)
        records = plan.stored_namesakes(collection, keys)
        if records is None:
            namesakes = all_of([one_of("names", keys), self._visible(collection, caller)])
            records = self._store[collection].find(namesakes, limit=_NAMESAKES)
        records = [*records, *plan.named(collection, keys)]
        return sorted(records, key=lambda each: keys[0] not in each["names"])

    def _first_named(
        self, plan: Plan, collection: str, name: str, tags: Iterable[str], caller: Caller
    ) -> Record | None:
        """Return the first record of that name, preferably in the first language of ``tags``."""
        keys = self._keys(collection, tags, name)
        records = plan.stored_namesakes(collection, keys)
        if records is None:
            namesakes = all_of([one_of("names", keys), self._visible(collection, caller)])
            stages = first_preferring("names", keys[0], namesakes)
            records = self._store[collection].aggregate(stages)
            if not records:
                plan.expect_names(collection, keys, ())
        records = [*records, *plan.named(collection, keys)]
        return next(
            (each for each in records if keys[0] in each["names"]), next(iter(records), None)
        )
