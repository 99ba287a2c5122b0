"""Counts of each term's published events without a password."""

from collections import Counter
from collections.abc import Mapping, Sequence

from calendar_app.calendar.reading.links import TAXONOMIES
from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import PUBLISH
from calendar_app.mongo.collection import LOCKED
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import one_of


def count_terms(store: Store, before: Record, after: Record) -> None:
    """Count an event's terms anew; an empty record stands for none. Other records have no terms.

    Added terms that were deleted meanwhile are removed from the event.
    """
    for taxonomy in TAXONOMIES:
        if taxonomy not in (before or after):
            continue
        old, new = _counted(before, taxonomy), _counted(after, taxonomy)
        _step(store, taxonomy, old - new, {"count": -1})
        counted = _step(store, taxonomy, new - old, {"count": 1})
        # The terms of a draft are not counted: a lock keeps them from being deleted.
        added = set(after.get(taxonomy, ())) - set(before.get(taxonomy, ())) - new
        if not (_step(store, taxonomy, added, LOCKED) and counted):
            there = store[taxonomy].find(one_of("_id", after[taxonomy]), fields=["_id"])
            existing = {term["_id"] for term in there}
            after[taxonomy] = [term for term in after[taxonomy] if term in existing]


def count_new(store: Store, events: Sequence[Record]) -> None:
    """Count the terms of many new events, with one update per step."""
    count_changes(store, [({}, event) for event in events])


def count_changes(store: Store, pairs: Sequence[tuple[Record, Record]]) -> None:
    """Count the terms of many events before and after a write, with one update per step."""
    for taxonomy in TAXONOMIES:
        steps: Counter[int] = Counter()
        for before, after in pairs:
            old, new = _counted(before, taxonomy), _counted(after, taxonomy)
            steps.update(dict.fromkeys(new - old, 1))
            steps.subtract(dict.fromkeys(old - new, 1))
        for step in sorted(set(steps.values()) - {0}):
            terms = sorted(term for term, counted in steps.items() if counted == step)
            store[taxonomy].change_all(one_of("_id", terms), {"$inc": {"count": step}})


def _step(store: Store, taxonomy: str, ids: set[int], steps: Mapping[str, int]) -> bool:
    """Write to each of the terms; say whether all were there."""
    if not ids:
        return True
    return store[taxonomy].change_all(one_of("_id", sorted(ids)), {"$inc": steps}) == len(ids)


def _counted(event: Record, taxonomy: str) -> set[int]:
    public = event.get("status") == PUBLISH and event.get("password") is None
    return set(event[taxonomy]) if public else set()
