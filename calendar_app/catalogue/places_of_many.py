"""Where many events take place, looked up at once."""

from collections.abc import Collection, Iterable
from typing import Any

from calendar_app.catalogue.places import Places
from calendar_app.domain.kind import Record


class PlacesOfMany(Places):
    """Knows the points of the venues of a whole batch."""

    _known: dict[int, Any]

    def expect(self, batch: Iterable[Record]) -> None:
        """Begin a batch of changes; their venues are ids."""
        firsts = {changes["venues"][0] for changes in batch if changes.get("venues")}
        self._known = self._shared(firsts, turn=0)

    def point_of(self, event: Record) -> Any:
        return self._known.get(event["venues"][0]) if event["venues"] else None


class PlacesRehearsed(PlacesOfMany):
    """Knows them for what is never written, and writes nothing itself."""

    def _shared(self, venues: Collection[int], turn: int) -> dict[int, Any]:
        del turn
        return self._seen(venues)
