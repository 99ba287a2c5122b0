"""Linked records of events, read in one query and cached until the next write."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from calendar_app.accounts.policy import Caller, may_read
from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import TRASH
from calendar_app.mongo import snapshots
from calendar_app.mongo.store import Store

# By kind and id; ``None`` for a missing record.
CachedRecords = snapshots.CachedValues
Linked = Mapping[str, Mapping[int, Record]]
# The fields of an event that hold ids, each also the name of the kind that they are of.
LINKED = ("venues", "organizers")
TAXONOMIES = ("categories", "tags")
LINKS = (*LINKED, *TAXONOMIES)


class Links:
    """Reads linked records through the cache."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def visible(
        self, events: Sequence[Record], caller: Caller, cached: CachedRecords | None = None
    ) -> dict[str, Mapping[int, Record]]:
        """Return the linked records that the caller may read, and all pictures."""
        linked = self._of(events, self._store.cached_values() if cached is None else cached)
        for name in LINKED:
            linked[name] = {
                key: record for key, record in linked[name].items() if is_shown(caller, record)
            }
        visible = [*events, *linked["venues"].values(), *linked["organizers"].values()]
        return {**linked, **self.pictures(visible)}

    def pictures(self, records: Iterable[Record]) -> Linked:
        """Return the pictures of the records; those at other sites have no record."""
        ids = {record["image"] for record in records if isinstance(record.get("image"), int)}
        return {"media": self._by_ids("media", ids)}

    def records(self, link_ids: Mapping[str, Collection[int]]) -> CachedRecords:
        """Return the records with these ids."""
        missing = {name: sorted(ids) for name, ids in link_ids.items() if ids}
        return _with({}, missing, self._store.find_by_ids(missing))

    def _of(self, events: Sequence[Record], cached: CachedRecords) -> dict[str, dict[int, Record]]:
        link_ids = {name: {link for event in events for link in event[name]} for name in LINKS}
        missing = {
            name: sorted(i for i in ids if (name, i) not in cached)
            for name, ids in link_ids.items()
        }
        missing = {name: ids for name, ids in missing.items() if ids}
        if missing:
            cached = _with(cached, missing, self._store.find_by_ids(missing))
        return {
            name: {i: cached[name, i] for i in sorted(ids) if cached[name, i]}
            for name, ids in link_ids.items()
        }

    def _by_ids(self, name: str, ids: Collection[int]) -> dict[int, Record]:
        cached = self._store.cached_values()
        missing = {name: sorted(i for i in ids if (name, i) not in cached)}
        if missing[name]:
            cached = _with(cached, missing, self._store.find_by_ids(missing))
        return {i: cached[name, i] for i in sorted(ids) if cached[name, i]}


def readable_overrides(event: Record, series: Record, linked: Linked) -> list[str]:
    """Return the paths that an event overrides, venues and organizers as far as ``linked``."""
    return [
        path
        for path in event["overrides"]
        if path not in LINKED or _readable(event, path, linked) != _readable(series, path, linked)
    ]


def _readable(record: Record, name: str, linked: Linked) -> list[int]:
    return [number for number in record[name] if number in linked[name]]


def is_shown(caller: Caller, record: Record) -> bool:
    """Return whether events show a linked venue or organizer to the caller."""
    return record["status"] != TRASH and may_read(caller, record)


def _with(
    cached: CachedRecords, ids_by_kind: Mapping[str, Sequence[int]], linked: Mapping[str, Any]
) -> CachedRecords:
    """Cache the linked records, and ``None`` for missing ones."""
    for name, ids in ids_by_kind.items():
        there = {record["_id"]: record for record in linked.get(name, ())}
        cached.update({(name, i): there.get(i) for i in ids})
    return cached
