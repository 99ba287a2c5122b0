"""Where many events take place, looked up at once."""

from collections.abc import Iterable
from typing import Any

from calendar_app.catalogue.places import Places
from calendar_app.domain.kind import Record
from calendar_app.query.clauses import one_of


class PlacesOfMany(Places):
    """Knows the points of the venues of a whole batch."""

    _points: dict[int, Any]

    def expect(self, batch: Iterable[Record]) -> None:
        """Begin a batch of changes; their venues are ids."""
        firsts = {changes["venues"][0] for changes in batch if changes.get("venues")}
        found = self._store["venues"].find(one_of("_id", firsts), fields=["location"])
        self._points = {venue["_id"]: venue["location"] for venue in found}

    def point_of(self, venues: list[int]) -> Any:
        return self._points.get(venues[0]) if venues else None
