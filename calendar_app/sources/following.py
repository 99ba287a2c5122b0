"""Venues and organizers follow their source, field by field.

As with events, what was edited here stays, unless the source has the authority over venues or
organizers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calendar_app.accounts.callers import Caller
from calendar_app.calendar.editor import EditOf, Editor
from calendar_app.calendar.writing.changes import Plan
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import BY_NAME
from calendar_app.domain.provenance import NOTES
from calendar_app.sources.calendar_events import EXTERNAL_ID
from calendar_app.sources.merging import (
    HERE,
    Merge,
    MergeMemory,
    changes_at,
    digests,
    field_of,
    merge,
    said_values,
    stored_values,
)
from calendar_app.sources.preparing import Preparation
from calendar_app.sources.register import (
    REGISTER_KEY,
    Register,
    RegisterEntry,
    named_entries,
    register_key,
)
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import one_of

# What is no field of a record, or none that its source decides.
_APART = (NOTES, "status", "modified", EXTERNAL_ID, REGISTER_KEY)


@dataclass(frozen=True, slots=True)
class Following:
    """A merged venue or organizer, with the changes that its source sent."""

    key: str
    kind: Kind
    sent: Record
    record: Record
    merged: Merge

    @property
    def fields(self) -> list[str]:
        """Return the names of changed fields, such as ``venues.address``."""
        return self._paths(self.merged.taken)

    @property
    def kept(self) -> list[str]:
        """Return the fields that stay as they were edited here."""
        return self._paths(self.merged.reported)

    @property
    def memory(self) -> MergeMemory:
        return memory_after(self.kind, self.record, self.merged)

    def _paths(self, paths: Iterable[str]) -> list[str]:
        return sorted({f"{self.kind.name}.{field_of(path)}" for path in paths})


def memory_after(kind: Kind, record: Record, merged: Merge) -> MergeMemory:
    """Return the memory of a record after a write."""
    stands = _stands(kind, record, merged.now)
    fresh = {path: text for path, text in stands.items() if path not in merged.kept}
    memory = merged.memory
    return MergeMemory({**memory.said, **merged.now}, {**memory.wrote, **fresh})


def first_memory(kind: Kind, entry: Record, record: Record, *, is_new: bool) -> MergeMemory:
    """Return the memory of a record at its first mention.

    Where it was there before, everything that differs from the source counts as edited here.
    """
    now = digests(_sent_values(entry))
    stands = _stands(kind, record, now)
    wrote = {path: text for path, text in stands.items() if is_new or text == now[path]}
    return MergeMemory(now, wrote)


@dataclass(frozen=True, slots=True)
class LinkedFollower:
    """Plans the changes of the venues and organizers that a source names; see ``Following``."""

    store: Store
    editor: Editor
    preparation: Preparation
    caller: Caller
    register: Register

    def plan(self, plan: Plan, changes: Sequence[Record]) -> dict[str, Following]:
        """Plan the changes of registered records; return them by key."""
        anew: dict[str, tuple[RegisterEntry, Record]] = {}
        for own in changes:
            for kind, linked in named_entries(own):
                entry = self.preparation.register.get(register_key(kind, linked))
                sent = self.preparation.placed(kind, linked)
                if entry is not None and _differs(entry.memory, digests(_sent_values(sent))):
                    anew[entry.key] = entry, sent
        records = self._records([entry for entry, _ in anew.values()])
        return {
            key: self._planned(plan, entry, sent, records[entry.kind, entry.record])
            for key, (entry, sent) in anew.items()
        }

    def keep(self, plan: Plan, followings: Iterable[Following]) -> None:
        """Let a plan store the new memories in the register."""
        for each in followings:
            sent = {**each.sent, REGISTER_KEY: each.key}
            self.register.remember(plan, each.kind, sent, each.record, each.memory)

    def _planned(self, plan: Plan, entry: RegisterEntry, sent: Record, before: Record) -> Following:
        kind = BY_NAME[entry.kind]
        before = plan.current(kind, before)
        source, values = self.preparation.source, _sent_values(sent)
        now, stands = digests(values), _stands(kind, before, values)
        memory = entry.memory or first_memory(kind, sent, before, is_new=True)
        authority = source.authority.get(kind.name, HERE)
        merged = merge(values, now, memory, stands, dict.fromkeys(map(field_of, values), authority))
        changes, record = changes_at(sent, merged.taken), before
        if changes:
            language = next(iter(sent["variants"]), source.language)
            stated = self.preparation.with_origins(changes)
            edit = EditOf(kind, before, stated, language)
            record = self.editor.plan_linked(plan, edit, self.caller)
        return Following(entry.key, kind, sent, record, merged)

    def _records(self, entries: Sequence[RegisterEntry]) -> dict[tuple[str, int], Record]:
        ids: dict[str, set[int]] = {}
        for entry in entries:
            ids.setdefault(entry.kind, set()).add(entry.record)
        return {
            (kind, record["_id"]): record
            for kind, own in ids.items()
            for record in self.store[kind].find(one_of("_id", sorted(own)))
        }


def _differs(memory: MergeMemory | None, now: Mapping[str, str]) -> bool:
    return memory is None or any(memory.said.get(path, "") != text for path, text in now.items())


def _sent_values(entry: Record) -> dict[str, Any]:
    own = {name: value for name, value in entry.items() if name not in _APART}
    return said_values(own)


def _stands(kind: Kind, record: Record, paths: Iterable[str]) -> Mapping[str, str]:
    """Return the digests of the stored values; a point is a pair of numbers, as in changes."""
    values = stored_values(record, paths, kind.usual)
    if "geo" in values:
        location = record.get("location") or {}
        values["geo"] = [location["latitude"], location["longitude"]] if location else None
    return digests(values)
