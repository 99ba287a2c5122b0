"""What is known of the events of a feed before any of them is read as a whole."""

from array import array
from collections.abc import Iterable, MutableSequence, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b

from calendar_app.catalogue.reading.links import LINKS
from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import PUBLISH
from calendar_app.query.clauses import Clause

_BYTES = 16
_BEGINNING = datetime(1970, 1, 1)  # noqa: DTZ001  # naive means UTC
# What tells whether an event reads as it did. A write of the event raises its revision; what it
# links to, and where that is, may change without one.
_APART = ("revision", *LINKS, "image", "location")
TELLING = (*_APART, "timezone", "start", "modified", "status", "published")


@dataclass(frozen=True, slots=True)
class Selection:
    """The events of one feed, by id: those that were withdrawn, then all others.

    ``zones`` has the first year in which the clocks of each zone matter, ``changed`` is the latest
    change of an event, naive in UTC. ``more`` says that there are further events, on the next page.
    ``digest`` stands for all that the events show.
    """

    clause: Clause
    withdrawn: Sequence[int]
    ids: Sequence[int]
    zones: dict[str, int]
    changed: datetime
    more: bool
    digest: bytes

    def __len__(self) -> int:
        """Return how many events the feed holds."""
        return len(self.withdrawn) + len(self.ids)


@dataclass(slots=True)
class Survey:
    """Becomes a selection, event by event; ``linked`` has the ids that events link to, by kind."""

    clause: Clause
    linked: dict[str, set[int]] = field(default_factory=dict)
    _withdrawn: MutableSequence[int] = field(default_factory=lambda: array("q"))
    _ids: MutableSequence[int] = field(default_factory=lambda: array("q"))
    _zones: dict[str, int] = field(default_factory=dict)
    _changed: datetime = _BEGINNING
    _more: bool = False
    _digest: blake2b = field(default_factory=lambda: blake2b(digest_size=_BYTES))

    def note(self, events: Iterable[Record], room: int) -> None:
        """Note the events, ``room`` of them; that there are more is all that is said of those."""
        for number, event in enumerate(events):
            if number == room:
                self._more = True
                return
            self._ids.append(event["_id"])
            self._look_at(event)

    def note_withdrawn(self, events: Iterable[Record]) -> None:
        """Note events that are off, as they last were, with the time ``at`` which that ended."""
        for event in events:
            self._withdrawn.append(event["_id"])
            self._look_at({**event, "modified": event["at"]})
            self._digest.update(repr(event["at"]).encode())

    def note_more(self) -> None:
        """Note that there are further events, none of which is read."""
        self._more = True

    def note_linked(self, name: str, records: Iterable[Record]) -> None:
        """Note how the records of one kind are that events link to."""
        told = sorted((one["_id"], one.get("revision"), one.get("status")) for one in records)
        self._digest.update(repr((name, told)).encode())

    def result(self) -> Selection:
        return Selection(
            self.clause,
            self._withdrawn,
            self._ids,
            self._zones,
            self._changed,
            self._more,
            self._digest.digest(),
        )

    def _look_at(self, event: Record) -> None:
        told = (event["_id"], *(event.get(name) for name in _APART))
        self._digest.update(repr(told).encode())
        for name in LINKS:
            self.linked.setdefault(name, set()).update(event[name])
        if isinstance(event.get("image"), int):
            self.linked.setdefault("media", set()).add(event["image"])
        zone, year = event["timezone"], event["start"].year
        self._zones[zone] = min(self._zones.get(zone, year), year)
        self._changed = max(self._changed, last_change(event))


def last_change(event: Record) -> datetime:
    """Return when an event changed last, naive in UTC; what was scheduled did when it appeared."""
    written: datetime = event["modified"]
    return max(written, event["published"]) if event["status"] == PUBLISH else written
