"""What events point to: read in one query, and remembered until something is written."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from calendar_app.accounts.caller import Caller
from calendar_app.accounts.policy import may_read
from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import TRASH
from calendar_app.mongo import snapshot_cache
from calendar_app.mongo.store import Store

# By kind and id; ``None`` stands for a record that is not there.
Known = snapshot_cache.CachedValues
Linked = Mapping[str, Mapping[int, Record]]
# The fields of an event that hold ids, each also the name of the kind that they are of.
LINKED = ("venues", "organizers")
TAXONOMIES = ("categories", "tags")
LINKS = (*LINKED, *TAXONOMIES)


class Links:
    """Reads linked records, but for those that are known."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def shown(
        self, events: Sequence[Record], caller: Caller, known: Known | None = None
    ) -> dict[str, Mapping[int, Record]]:
        """Return what the events point to and the caller may read, and the pictures of all."""
        found = self._of(events, self._store.cached_values() if known is None else known)
        for name in LINKED:
            found[name] = {
                key: record for key, record in found[name].items() if is_shown(caller, record)
            }
        shown = [*events, *found["venues"].values(), *found["organizers"].values()]
        return {**found, **self.pictures(shown)}

    def pictures(self, records: Iterable[Record]) -> Linked:
        """Return the pictures of the records; one that stands elsewhere is no record."""
        ids = {record["image"] for record in records if isinstance(record.get("image"), int)}
        return {"media": self._by_ids("media", ids)}

    def records(self, wanted: Mapping[str, Collection[int]]) -> Known:
        """Return the records with these ids."""
        some = {name: sorted(ids) for name, ids in wanted.items() if ids}
        return _with({}, some, self._store.find_by_ids(some))

    def _of(self, events: Sequence[Record], known: Known) -> dict[str, dict[int, Record]]:
        wanted = {name: {link for event in events for link in event[name]} for name in LINKS}
        unknown = {
            name: sorted(i for i in ids if (name, i) not in known) for name, ids in wanted.items()
        }
        some = {name: ids for name, ids in unknown.items() if ids}
        if some:
            known = _with(known, some, self._store.find_by_ids(some))
        return {
            name: {i: known[name, i] for i in sorted(ids) if known[name, i]}
            for name, ids in wanted.items()
        }

    def _by_ids(self, name: str, ids: Collection[int]) -> dict[int, Record]:
        known = self._store.cached_values()
        unknown = {name: sorted(i for i in ids if (name, i) not in known)}
        if unknown[name]:
            known = _with(known, unknown, self._store.find_by_ids(unknown))
        return {i: known[name, i] for i in sorted(ids) if known[name, i]}


def is_shown(caller: Caller, record: Record) -> bool:
    """Tell whether events show a linked venue or organizer to the caller."""
    return record["status"] != TRASH and may_read(caller, record)


def _with(known: Known, asked: Mapping[str, Sequence[int]], found: Mapping[str, Any]) -> Known:
    """Add what was found of what was asked for."""
    for name, ids in asked.items():
        there = {record["_id"]: record for record in found.get(name, ())}
        known.update({(name, i): there.get(i) for i in ids})
    return known
