"""Survey of a feed's events by a few fields, before they are read."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from xxhash import xxh3_128_digest

from calendar_app.calendar.feeds.feed_series import FeedSeries
from calendar_app.calendar.reading.links import LINKS
from calendar_app.domain.kind import Record
from calendar_app.domain.stamps import TOUCHED, LinkVersion, LinkVersions, Stamp, stamp_of
from calendar_app.query.clauses import Clause

_BEGINNING = datetime(1970, 1, 1)  # noqa: DTZ001  # naive means UTC
# A write of the event raises its revision; what it links to may change without one.
_OWN = ("revision", TOUCHED, "timezone", "start", "modified", "status", "published")
_RIGHTS = ("password", "author", "status_before_trash")
IN_SERIES = ("series", "recurrence_id", "overrides")
TELLING = (*_OWN, *_RIGHTS, *IN_SERIES, "image", *LINKS)


class Item(NamedTuple):
    """An event of a feed, or its ``series``; ``off``: it was withdrawn.

    ``version`` stands for all that it shows; ``stamps`` are those of the event, or of each record
    of the series.
    """

    id: int
    off: bool
    version: bytes
    stamps: tuple[Stamp, ...]
    series: int = 0


@dataclass(frozen=True, slots=True)
class Selection:
    """The events of one feed: those that were withdrawn, then all others.

    ``zones`` has the first year in which the clocks of each zone matter, ``changed`` is the latest
    change of an event, naive in UTC. ``more`` says that there are further events, on the next page.
    """

    clause: Clause
    items: Sequence[Item]
    zones: dict[str, int]
    changed: datetime
    more: bool
    series: Mapping[int, FeedSeries]

    def __len__(self) -> int:
        """Return how many events the feed holds."""
        return len(self.items)

    def digest(self) -> bytes:
        """Return a digest of all events' versions."""
        return xxh3_128_digest(b"".join(item.version for item in self.items))


@dataclass(slots=True)
class Survey:
    """Becomes a selection, event by event; ``linked`` has the ids that events link to, by kind."""

    clause: Clause
    linked: dict[str, set[int]] = field(default_factory=dict)
    _events: list[tuple[Record, bool]] = field(default_factory=list)
    _zones: dict[str, int] = field(default_factory=dict)
    _more: bool = False
    _series: Mapping[int, FeedSeries] = field(default_factory=dict)

    def note(self, events: Iterable[Record], room: int) -> None:
        """Note the events, ``room`` of them; that there are more is all that is said of those."""
        for number, event in enumerate(events):
            if number == room:
                self._more = True
                return
            self._look_at(event)
            self._note_links(event)
            self._events.append((event, False))

    def note_withdrawn(self, events: Iterable[Record]) -> None:
        """Note events that are off, as they last were, with the time ``at`` which that ended."""
        for event in events:
            # The withdrawal is a change of its own.
            last = {**event, "revision": event["revision"] + 1, "modified": event["at"]}
            self._look_at(last)
            self._events.append((last, True))

    def series_ids(self) -> set[int]:
        """Return the series of the noted events; withdrawn ones do not count."""
        return {event["series"] for event, off in self._events if not off and "series" in event}

    def note_series(self, series: Mapping[int, FeedSeries]) -> None:
        """Note the series that stand in place of their events."""
        self._series = series
        for each in series.values():
            for record in each.records:
                self._look_at(record)
                self._note_links(record)

    def note_more(self) -> None:
        """Note that there are further events, none of which is read."""
        self._more = True

    def result(self, versions: LinkVersions, is_unlocked: Callable[[Record], bool]) -> Selection:
        """Return the selection; ``versions`` are those of visible linked records.

        Locked events show nothing that they link to.
        """
        items = list(self._items(versions, is_unlocked))
        changed = max((s.changed for item in items for s in item.stamps), default=_BEGINNING)
        return Selection(self.clause, items, self._zones, changed, self._more, self._series)

    def _items(
        self, versions: LinkVersions, is_unlocked: Callable[[Record], bool]
    ) -> Iterator[Item]:
        for event, off in self._events:
            number = 0 if off else event.get("series", 0)
            series = self._series.get(number)
            records = series.records if series else [event]
            links = [
                {} if off or not is_unlocked(record) else _links(record, versions)
                for record in records
            ]
            contents = [_shown(*each) for each in zip(records, links, strict=True)]
            version = xxh3_128_digest(repr((contents, series and series.dates)).encode())
            stamps = tuple(
                stamp_of(record, shown.values())
                for record, shown in zip(records, links, strict=True)
            )
            yield Item(event["_id"], off, version, stamps, number if series else 0)

    def _note_links(self, event: Record) -> None:
        for name in LINKS:
            self.linked.setdefault(name, set()).update(event[name])
        if isinstance(event.get("image"), int):
            self.linked.setdefault("media", set()).add(event["image"])

    def _look_at(self, event: Record) -> None:
        zone, year = event["timezone"], event["start"].year
        self._zones[zone] = min(self._zones.get(zone, year), year)


def _shown(event: Record, links: Mapping[tuple[str, int], LinkVersion]) -> tuple[object, ...]:
    """Return all that a feed shows of an event; withdrawn and locked ones show no links."""
    own = (event.get(name) for name in _OWN)
    # A picture at another site has an address alone.
    return event["_id"], event.get("at"), *own, event.get("image"), list(links.items())


def _links(event: Record, versions: LinkVersions) -> dict[tuple[str, int], LinkVersion]:
    """Return the versions of an event's linked records, its picture included."""
    pairs = [(name, linked) for name in LINKS for linked in event[name]]
    pairs += [("media", event["image"])] if isinstance(event.get("image"), int) else []
    return {
        (name, linked): versions[name][linked]
        for name, linked in pairs
        if linked in versions.get(name, {})
    }
