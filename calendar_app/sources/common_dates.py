"""Which series share all their coming dates: one can stand for the other only then."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import TRASH
from calendar_app.sources.likeness import ComparedEvent
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import after, all_of, differs, one_of


def with_other_dates(
    store: Store,
    kind: Kind,
    events: Iterable[Record],
    pairs: Sequence[tuple[ComparedEvent, ComparedEvent]],
    now: datetime,
) -> set[frozenset[int]]:
    """Return the owners of pairs of series of which one takes place on further dates than both.

    ``events`` are the dates of the first of each pair; those of the other are stored. ``kind`` is
    that of dates.
    """
    coming = {each["_id"]: each["series"] for each in events if _is_coming_date(each, now)}
    shared = Counter((own.owner, other.owner) for own, other in pairs if own.id in coming)
    if not shared:
        return set()
    numbers = Counter(coming.values()), _numbers(store, kind, {other for _, other in shared}, now)
    return {
        frozenset((own, other))
        for (own, other), common in shared.items()
        if numbers[1][other] and common < max(numbers[0][own], numbers[1][other])
    }


def _is_coming_date(event: Record, now: datetime) -> bool:
    return bool(event.get("series")) and event["start"] > now


def _numbers(store: Store, kind: Kind, series: Iterable[int], now: datetime) -> Counter[int]:
    """Return how many coming dates each series has; a single event has none."""
    coming = all_of([one_of("series", series), differs("status", TRASH), after("start", now)])
    return Counter(each["series"] for each in store.of(kind).find(coming, fields=["series"]))
