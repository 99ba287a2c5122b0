"""Where events take place: each carries the point of its first public venue as ``location``.

So one query filters and sorts events by place; the copy follows the venue when that one moves or
changes its status, in the same transaction. Where the first venue is hidden, its point stands in
``restricted_place``, beside the ``author`` of the venue: editors and that author find it there.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from random import randrange

from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import PUBLISH, TRASH
from calendar_app.storage.mongo.store import LookUpQuery, Store
from calendar_app.storage.query.clauses import all_of, any_of, differs, equals, one_of

_COLLECTION = "place_locks"
# Venues share the rows, so that nobody has to remove them.
_ROWS, _COLUMNS = 128, 16


class VenueLocks:
    """Takes locks that last until the current transaction ends."""

    def __init__(self, store: Store) -> None:
        self._documents = store[_COLLECTION]

    def share(self, venues: Collection[int]) -> None:
        """Keep these venues where they are; others may do so too."""
        column = randrange(_COLUMNS)  # noqa: S311 - nothing secret
        self._documents.lock_ids({_key(venue, column) for venue in venues})

    def take(self, venue: int) -> None:
        """Keep all others from placing events at a venue."""
        self._documents.lock_ids({_key(venue, column) for column in range(_COLUMNS)})


def _key(venue: int, column: int) -> int:
    return venue % _ROWS * _COLUMNS + column


# What of a venue decides where its events are found, and by whom.
DECISIVE = ("location", "status", "author")


class Places:
    """Says where the events of one plan take place; their venues are locked and read once.

    A venue that moves and an event that comes do not see each other while both are being written.
    So both lock the venue: MongoDB lets one of the two begin again.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._venues: dict[int, Record] = {}
        self._looked_up: set[int] = set()
        self._planned: dict[int, Record] = {}

    def questions(self, venues: Collection[int]) -> list[LookUpQuery]:
        """Lock the venues of events that are not known yet, and return the question for them."""
        unknown = set(venues) - self._looked_up
        if not unknown:
            return []
        self._looked_up |= unknown
        VenueLocks(self._store).share(unknown)
        return [("venues", one_of("_id", sorted(unknown)), DECISIVE)]

    def expect(self, venues: Iterable[Record]) -> None:
        """Note venues that were locked and read."""
        self._venues |= {venue["_id"]: venue for venue in venues}

    def plan(self, venue: Record) -> None:
        """Note a venue as the plan is going to store it; a new one nobody else can move."""
        self._planned[venue["_id"]] = venue
        if not venue.get("revision"):
            self._looked_up.add(venue["_id"])

    def place_of(self, event: Record) -> Record:
        """Return the fields of an event that say where it is; venues that have gone are left out.

        Venues behind the first public one are not looked up, as they decide nothing.
        """
        venues: list[Record] = []
        for number in tuple(event["venues"]):
            for venues_read in self._store.find_each(self.questions([number])):
                self.expect(venues_read)
            venue = self._planned.get(number) or self._venues.get(number)
            if not venue:
                event["venues"] = [each for each in event["venues"] if each != number]
                continue
            venues.append(venue)
            if venue["status"] == PUBLISH:
                break
        return place_at(venues)


class PlacedEvents:
    """Keeps the points of stored events in step with their venues."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._locks = VenueLocks(store)

    def follow(self, venue: Record) -> None:
        """Place the events at a venue that has moved or has another status."""
        self._place_events_at(venue["_id"], {venue["_id"]: venue})

    def clear(self, venue: int) -> None:
        """Place the events at a venue that goes at their other ones, or nowhere."""
        self._place_events_at(venue, {})

    def _place_events_at(self, venue: int, changed: dict[int, Record]) -> None:
        """Place the events at a venue, and the series; those with the same venues all at once."""
        self._locks.take(venue)
        for name in ("events", "series"):
            self._place_records_at(name, venue, changed)

    def _place_records_at(self, name: str, venue: int, changed: dict[int, Record]) -> None:
        at_venue = equals("venues", venue)
        grouped = self._store[name].aggregate(
            [{"$match": at_venue}, {"$group": {"_id": "$venues"}}]
        )
        lists = [group["_id"] for group in grouped]
        other_venues = {each for venues in lists for each in venues} - {venue}
        venues_read = self._store.find_each(Places(self._store).questions(other_venues))
        records = {each["_id"]: each for each in chain.from_iterable(venues_read)} | changed
        for venues in lists:
            place = place_at([records[each] for each in venues if each in records])
            stale = any_of(differs(field, value) for field, value in place.items())
            outdated = all_of([at_venue, equals("venues", venues), stale])
            self._store[name].change_all(outdated, {"$set": place})


def place_at(venues: Sequence[Record]) -> Record:
    """Return the fields of an event at these venues that say where it is.

    For who sees hidden venues the first one counts that is not in the trash, if there is one.
    """
    public = next((venue for venue in venues if venue["status"] == PUBLISH), None)
    untrashed = (venue for venue in venues if venue["status"] != TRASH)
    first = next(untrashed, None) or next(iter(venues), None)
    restricted = None
    if first is not None and first is not public:
        restricted = {"author": first["author"], "location": first["location"]}
    return {"location": public and public["location"], "restricted_place": restricted}
