"""Where many events take place, looked up at once."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from calendar_app.catalogue.places.points import Places
from calendar_app.domain.kind import Record
from calendar_app.storage.store import Store


class PlacesOfMany(Places):
    """Knows the points of the venues of a whole batch."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._points: dict[int, Any] = {}

    def expect(self, batch: Iterable[Record]) -> None:
        """Begin a batch of changes; their venues are ids."""
        self._points = self._lock(_first_venues(batch))

    def point_of(self, event: Record) -> Any:
        """Return the point of a known event's first venue; new ones get theirs by ``place``."""
        return self._points.get(event["venues"][0]) if event["venues"] else None

    def place(self, events: Sequence[Record]) -> None:
        """Write their points into events that are about to be stored."""
        points = self._lock(_first_venues(events))
        for event in events:
            if event.get("venues"):
                event["location"] = points.get(event["venues"][0])


def _first_venues(batch: Iterable[Record]) -> Collection[int]:
    return {record["venues"][0] for record in batch if record.get("venues")}
