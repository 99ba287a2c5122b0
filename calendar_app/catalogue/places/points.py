"""Where events take place: each carries the point of its first venue.

So one query filters and sorts events by place; the copy follows the venue when that one moves, in
the same transaction.
"""

from collections.abc import Collection
from typing import Any

from calendar_app.domain.kind import Record
from calendar_app.query.clauses import Clause, all_of, differs, equals, identified, one_of, reaches
from calendar_app.storage.store import Store


class Places:
    """Keeps the points of events in step with their venues, inside the transaction that runs.

    A venue that moves and an event that comes do not see each other while both are being written.
    So an event locks its venue: MongoDB lets one of the two begin again.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def point_of(self, event: Record) -> Any:
        """Return the point of an event's first venue, as GeoJSON; ``None`` where there is none.

        Where the first one has gone since it was looked up, the next one is the first.
        """
        while event["venues"]:
            venue, *others = event["venues"]
            locked = self._store["venues"].hold(identified(venue), ["location"])
            if locked:
                return locked["location"]
            event["venues"] = others
        return None

    def update_event_locations(self, venue: Record) -> None:
        """Give the events at a venue its point."""
        self._set(first_at(venue["_id"]), venue["location"])

    def clear_event_locations(self, venue: int) -> None:
        """Give the events at a venue that goes the point of their next one, or none."""
        here = first_at(venue)
        more = all_of([here, reaches("venues.1")])
        next_venues = {
            event["venues"][1] for event in self._store["events"].find(more, fields=["venues"])
        }
        points = self._lock(next_venues)
        for other in next_venues:
            self._set(all_of([here, equals("venues.1", other)]), points.get(other))
        self._set(all_of([here, reaches("venues.1", wanted=False)]), None)

    def _lock(self, venues: Collection[int]) -> dict[int, Any]:
        """Lock those venues that are there, and return their points."""
        if not venues:
            return {}
        listed = one_of("_id", sorted(venues))
        self._store["venues"].hold_all(listed)
        records = self._store["venues"].find(listed, fields=["location"])
        return {venue["_id"]: venue["location"] for venue in records}

    def _set(self, wanted: Clause, point: Any) -> None:
        stale = all_of([wanted, differs("location", point)])
        self._store["events"].change_all(stale, {"$set": {"location": point}})


def first_at(venue: int) -> Clause:
    """Match events whose first venue this is; the index is on all of them."""
    return all_of([equals("venues", venue), equals("venues.0", venue)])
