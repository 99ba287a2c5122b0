"""Where many events take place, looked up at once."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from calendar_app.catalogue.places.points import Places
from calendar_app.domain.kind import Record
from calendar_app.storage.store import Store


class PlacesOfMany(Places):
    """Knows the points of the venues of a whole batch."""

    _most_remembered = 30_000

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._known: dict[int, Any] = {}

    def expect(self, batch: Iterable[Record]) -> None:
        """Begin a batch of changes; their venues are ids."""
        self._known = self._shared(_firsts(batch), turn=0)

    def point_of(self, event: Record) -> Any:
        """Return the point of a known event's first venue; new ones get theirs by ``place``."""
        return self._known.get(event["venues"][0]) if event["venues"] else None

    def place(self, made: Sequence[Record]) -> None:
        """Write their points into records that are about to be stored, those that are events."""
        points = self._shared(_firsts(made), turn=0)
        for event in made:
            if event.get("venues"):
                event["location"] = points.get(event["venues"][0])

    def _shared(self, venues: Collection[int], turn: int) -> dict[int, Any]:
        if not venues:
            return {}
        self._gates.share(venues, turn)
        return self._sealed(self._gates.seals(venues, turn))


def _firsts(batch: Iterable[Record]) -> set[int]:
    return {one["venues"][0] for one in batch if one.get("venues")}
