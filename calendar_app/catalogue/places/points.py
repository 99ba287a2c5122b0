"""Where events take place: each carries the point of its first venue.

So one query filters and sorts events by place; the copy follows the venue when that one moves, in
the same transaction.
"""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from calendar_app.catalogue.places.gates import Gates
from calendar_app.domain.kind import Record
from calendar_app.query.clauses import Clause, all_of, differs, equals, one_of, reaches
from calendar_app.storage.store import Store
from calendar_app.storage.transactions import once_stored


class Places:
    """Keeps the points of events in step with their venues, inside the transaction that runs.

    A venue that moves and an event that comes do not see each other while both are being written.
    So the venue closes its gates, and each event passes one of them. The seal on the gate tells
    whether the point is still the one that was read there before.
    """

    _most_remembered = 2000

    def __init__(self, store: Store) -> None:
        self._store = store
        self._gates = Gates(store)
        # By venue, and the seal of its gates: it changes with the point.
        self._points: dict[tuple[int, str], Any] = {}

    def point_of(self, event: Record) -> Any:
        """Return the point of an event's first venue, as GeoJSON; ``None`` where there is none.

        Where the first one has gone since it was looked up, the next one is the first.
        """
        while event["venues"]:
            venue, *others = event["venues"]
            points = self._sealed({venue: self._gates.share_one(venue, turn=event["_id"])})
            if venue in points:
                return points[venue]
            event["venues"] = others
        return None

    def follow(self, venue: Record) -> None:
        """Let the events at a venue have its point."""
        self._gates.close(venue["_id"])
        self._set(first_at(venue["_id"]), venue["location"])

    def leave(self, venue: int) -> None:
        """Let the events at a venue that goes have the point of their next one, or none."""
        self._gates.close(venue)
        here = first_at(venue)
        more = all_of([here, reaches("venues.1")])
        following = {
            event["venues"][1] for event in self._store["events"].find(more, fields=["venues"])
        }
        points = self._shared(following, turn=venue)
        for other in following:
            self._set(all_of([here, equals("venues.1", other)]), points.get(other))
        self._set(all_of([here, reaches("venues.1", wanted=False)]), None)

    def _shared(self, venues: Collection[int], turn: int) -> dict[int, Any]:
        """Return the points of those of the venues that are there; they stay until the end."""
        if not venues:
            return {}
        self._gates.share(venues, turn)
        return self._seen(venues)

    def _sealed(self, seals: Mapping[int, str]) -> dict[int, Any]:
        """Return the points of those of the venues that are there, each behind its seal."""
        known = {
            venue: self._points[one]
            for venue, seal in seals.items()
            if (one := (venue, seal)) in self._points
        }
        unknown = seals.keys() - known.keys()
        found = self._seen(unknown) if unknown else {}
        for venue, point in found.items():
            once_stored(partial(self._remember, venue, seals[venue], point))
        return known | found

    def _seen(self, venues: Collection[int]) -> dict[int, Any]:
        found = self._store["venues"].find(one_of("_id", venues), fields=["location"])
        return {venue["_id"]: venue["location"] for venue in found}

    def _remember(self, venue: int, seal: str, point: Any) -> None:
        if len(self._points) >= self._most_remembered:
            self._points.clear()
        self._points[venue, seal] = point

    def _set(self, wanted: Clause, point: Any) -> None:
        stale = all_of([wanted, differs("location", point)])
        self._store["events"].change_all(stale, {"$set": {"location": point}})


def first_at(venue: int) -> Clause:
    """Match events whose first venue this is; the index is on all of them."""
    return all_of([equals("venues", venue), equals("venues.0", venue)])
