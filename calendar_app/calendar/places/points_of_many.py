"""Where many events take place, looked up at once."""

from collections.abc import Iterable, Mapping, Sequence

from calendar_app.calendar.places.points import Places, place_at
from calendar_app.domain.kind import Record
from calendar_app.mongo.store import Store


class PlacesOfMany(Places):
    """Knows the venues of a whole batch."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._venues: dict[int, Record] = {}

    def expect(self, batch: Iterable[Record]) -> None:
        """Begin a batch of changes; their venues are ids."""
        self._venues = self._lock(_venues(batch))

    def place_of(self, event: Record) -> Record:
        """Return where an existing event is; new ones get that by ``place``."""
        return _place(event, self._venues)

    def place(self, events: Sequence[Record]) -> None:
        """Write into events that are about to be stored where they are."""
        venues = self._lock(_venues(events))
        for event in events:
            if event.get("venues"):
                event.update(_place(event, venues))


def _venues(batch: Iterable[Record]) -> set[int]:
    return {venue for record in batch for venue in record.get("venues") or ()}


def _place(event: Record, venues: Mapping[int, Record]) -> Record:
    return place_at([venues[each] for each in event["venues"] if each in venues])
