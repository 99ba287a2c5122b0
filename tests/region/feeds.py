"""The feeds: which events each has, and how it writes places, contacts, times and identities."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import islice
from typing import NamedTuple

from region.entries import SERIES, WEEK, Entry, variants_of
from region.places import Place, Town

ICS, TEC, PAGE, SITE, CSV, PUSH = "ics", "tec", "page", "site", "csv", "push"
# Kinds of the service by kind of feed.
SOURCE_KINDS = {ICS: "ics", TEC: "tec", PAGE: "jsonld", SITE: "jsonld", CSV: "csv", PUSH: "push"}
# How a feed says where an event is.
COMPLETE, TOWN, STREET, STREET_IN_NAME, NAME = "complete", "town", "street", "in name", "name"
ALL, COMING, NEXT = "all", "coming", "next"
NEXT_NUMBER = 20
_LEAST_TO_HALVE, _TEC_PAGE = 24, 50
HALF, ERROR, LOGIN = "half", "error", "login"


class Location(NamedTuple):
    """A place in a feed, each part in its own field."""

    name: str
    street: str = ""
    zip: str = ""
    town: str = ""

    @property
    def line(self) -> str:
        """Return all of it in one line."""
        town = f"{self.zip} {self.town}".strip()
        return ", ".join(filter(None, (self.name, self.street, town)))


class Item(NamedTuple):
    """An event as a feed lists it; ``dates`` are those of a series where a feed lists them."""

    entry: Entry
    uid: str
    title: str
    location: Location
    start: datetime
    end: datetime
    count: int
    date: int = 0

    def next_start(self, today: datetime) -> datetime:
        """Return the start of its next date, else of its last one."""
        starts = [self.start + WEEK * number for number in range(self.count)]
        return next((each for each in starts if each >= today), starts[-1])

    @property
    def text(self) -> str:
        """Return the description, by which the event is recognized in the calendar."""
        return f"Alle sind willkommen. Ref {self.entry.number}."


@dataclass
class Feed:
    """A feed of one town, or of several: ``entries`` with their titles, in the order of a file.

    ``generation`` counts how often all UIDs were replaced; ``fault`` is what is wrong today.
    ``served`` tells on which day the calendar last took each entry from it, ``dates`` which dates
    it has ever taken, and ``windows`` the first and the last start on each day that it took the
    whole feed.
    """

    number: int
    kind: str
    towns: list[Town]
    style: str = COMPLETE
    short_streets: bool = False
    contacts: str = "all"
    clock: str = "local"
    window: str = ALL
    has_town: bool = False
    has_tags: bool = False
    vanished: str = "trash"
    authority: dict[str, str] = field(default_factory=dict)
    entries: dict[int, tuple[Entry, int]] = field(default_factory=dict)
    generation: int = 0
    fault: str = ""
    served: dict[int, int] = field(default_factory=dict)
    dates: set[tuple[int, date]] = field(default_factory=set)
    windows: dict[int, tuple[datetime, datetime]] = field(default_factory=dict)
    source: int = 0

    @property
    def name(self) -> str:
        places = "/".join(town.name for town in self.towns)
        return f"{self.number} {self.kind} {places} ({self.style}, {self.window})"

    @property
    def says_town(self) -> bool:
        """Whether an event's town follows from the feed, or from the settings of its source."""
        return self.has_town or self.style in (COMPLETE, TOWN)

    def add(self, entry: Entry, variant: int = 0) -> None:
        self.entries[entry.number] = entry, variant

    def location(self, place: Place) -> Location:
        street = place.street.replace("strasse", "str.") if self.short_streets else place.street
        match self.style:
            case "complete":
                return Location(place.name, street, place.town.zip, place.town.name)
            case "town":
                return Location(place.name, town=place.town.name)
            case "street":
                return Location(place.name, street)
            case "in name":
                return Location(f"{place.name}, {street}")
            case _:
                return Location(place.name)

    def items(self, today: datetime) -> list[Item]:
        """Return today's events of the feed by start."""
        every = sorted(self._items(), key=lambda item: (item.next_start(today), item.uid))
        if self.window == ALL:
            return every
        coming = (item for item in every if item.next_start(today) >= today)
        return list(islice(coming, NEXT_NUMBER)) if self.window == NEXT else list(coming)

    def _items(self) -> Iterator[Item]:
        for entry, variant in self.entries.values():
            if entry.removed:
                continue
            titles = list(variants_of(entry))
            title = titles[variant % len(titles)]
            uid = f"{entry.number}-{self.generation}"
            location = self.location(entry.place)
            if entry.kind != SERIES or self.kind == ICS:
                yield Item(entry, uid, title, location, *entry.dates()[0], entry.count)
                continue
            for number, (start, end) in enumerate(entry.dates()):
                own = f"{uid}-{number}"
                yield Item(entry, own, title, location, start, end, 1, number + 1)

    def can_be_halved(self, today: datetime) -> bool:
        """Say whether half of it is so much less that nobody can mistake it for the whole."""
        least = _TEC_PAGE + 1 if self.kind == TEC else _LEAST_TO_HALVE
        return self.window != NEXT and self.kind != PUSH and len(self.items(today)) >= least

    def note_served(self, today: datetime, day: int) -> None:
        """Record that the calendar has read today's events of the feed."""
        items = self.items(today)
        starts = [item.start for item in items]
        if starts:
            self.windows[day] = min(starts), max(starts)
        for item in items:
            self.served[item.entry.number] = day
            dates = (item.start + WEEK * number for number in range(item.count))
            self.dates |= {(item.entry.number, start.date()) for start in dates}


def is_current(entry: Entry, feeds: list[Feed]) -> bool:
    """Say whether the calendar has heard of an entry's last change from all feeds that have it."""
    days = [own.served[entry.number] for own in feeds if entry.number in own.served]
    return bool(days) and min(days) >= entry.changed
