"""Counts of each term's published events without a password."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from calendar_app.calendar.reading.links import TAXONOMIES
from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import PUBLISH
from calendar_app.mongo.collection import LOCKED
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import all_of, equals, identified, missing, one_of
from calendar_app.query.stages import occurring

_PUBLIC = all_of([equals("status", PUBLISH), missing("password")])
_PATIENCE = 60.0  # seconds, for the term of a large calendar


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


def miscounted(store: Store) -> Iterator[tuple[str, int]]:
    """Yield the terms, as taxonomy and id, whose count is not that of their events."""
    for taxonomy in TAXONOMIES:
        yield from store.in_snapshot(partial(_miscounted, store, taxonomy))


def recount(store: Store, taxonomy: str, term: int) -> None:
    """Count the events of one term anew."""

    def work() -> None:
        # Whoever counts meanwhile writes to the term as well, so that one of both begins again.
        store[taxonomy].change(identified(term), {"$inc": LOCKED})
        number = store["events"].count(all_of([_PUBLIC, equals(taxonomy, term)]))
        store[taxonomy].change(identified(term), {"$set": {"count": number}})

    store.transact(work, _PATIENCE)


def _miscounted(store: Store, taxonomy: str) -> list[tuple[str, int]]:
    events = store["events"].aggregate(occurring(taxonomy, _PUBLIC))
    numbers = {group["_id"]: group["number"] for group in events}
    terms = store[taxonomy].each([{"$project": {"count": 1}}])
    return [
        (taxonomy, term["_id"])
        for term in terms
        if term.get("count", 0) != numbers.get(term["_id"], 0)
    ]


def _step(store: Store, taxonomy: str, ids: set[int], steps: Mapping[str, int]) -> bool:
    """Write to each of the terms; say whether all were there."""
    if not ids:
        return True
    return store[taxonomy].change_all(one_of("_id", sorted(ids)), {"$inc": steps}) == len(ids)


def _counted(event: Record, taxonomy: str) -> set[int]:
    public = event.get("status") == PUBLISH and event.get("password") is None
    return set(event[taxonomy]) if public else set()
