"""How many published events each term has, kept in step with the events."""

from collections import Counter
from collections.abc import Sequence

from calendar_app.catalogue.reading.links import TAXONOMIES
from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import PUBLISH
from calendar_app.query.clauses import one_of
from calendar_app.storage.store import Store


def count_terms(store: Store, before: Record, after: Record) -> None:
    """Count the event's terms anew; an empty record stands for none."""
    for taxonomy in TAXONOMIES:
        old, new = _counted(before, taxonomy), _counted(after, taxonomy)
        for ids, step in ((new - old, 1), (old - new, -1)):
            if ids:
                store[taxonomy].change_all(one_of("_id", sorted(ids)), {"$inc": {"count": step}})


def count_new(store: Store, events: Sequence[Record]) -> None:
    """Count the terms of many new events; those that have as many of them all at once."""
    for taxonomy in TAXONOMIES:
        steps = Counter(term for event in events for term in _counted(event, taxonomy))
        for step in sorted(set(steps.values())):
            terms = sorted(term for term, counted in steps.items() if counted == step)
            store[taxonomy].change_all(one_of("_id", terms), {"$inc": {"count": step}})


def _counted(event: Record, taxonomy: str) -> set[int]:
    return set(event[taxonomy]) if event.get("status") == PUBLISH else set()
