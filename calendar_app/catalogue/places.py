"""Where events take place: each carries the point of its first venue.

So one query filters and sorts events by place; the copy follows the venue when that one moves.
"""

from typing import Any

from calendar_app.domain.kind import Record
from calendar_app.query.clauses import Clause, all_of, differs, equals
from calendar_app.storage.store import Store


class Places:
    """Keeps the points of events in step with their venues.

    A venue that moves and an event that comes do not see each other while both are being written.
    So each looks again when its transaction is over: whichever is done later sees the other. To
    lock the venue would do as well, but then all who add events at one venue would have to wait
    for each other.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def point_of(self, venues: list[int]) -> Any:
        """Return the point of the first venue, as GeoJSON; ``None`` where there is none."""
        if not venues:
            return None
        first = self._store["venues"].first(equals("_id", venues[0]), ["location"])
        return first["location"] if first else None

    def follow(self, venue: Record) -> None:
        """Let the events at a venue have its point."""
        self._set(first_at(venue["_id"]), venue["location"])

    def look_again(self, event: Record) -> None:
        """Give an event that has just been written the point that its venue has by now."""
        if not event["venues"]:
            return
        point = self.point_of(event["venues"])
        if point != event["location"]:
            here = all_of([equals("_id", event["_id"]), first_at(event["venues"][0])])
            self._set(here, point)
            event["location"] = point

    def _set(self, wanted: Clause, point: Any) -> None:
        stale = all_of([wanted, differs("location", point)])
        self._store["events"].change_all(stale, {"$set": {"location": point}})


def first_at(venue: int) -> Clause:
    """Match events whose first venue this is; the index is on all of them."""
    return all_of([equals("venues", venue), equals("venues.0", venue)])
