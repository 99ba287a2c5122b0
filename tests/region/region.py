"""A random region from a seed: towns, halls, clubs, events, and their feeds."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date
from random import Random

from region import feeds as kinds
from region.entries import Entry, Timetable, drawn
from region.feeds import Feed, is_current
from region.places import CLUBS, Club, Place, Town, places_of, towns_of

# At scale 1.
TOWNS, FEEDS, EVENTS, NAMES = 40, 200, 12_000, 60
_HALLS_OF_A_TOWN = 12
# Of a hundred events so many are in a second feed, and so many of these in a third one.
_TWINS, _TRIPLETS = 0.08, 0.25
_KINDS = (
    *(kinds.ICS, kinds.CSV, kinds.ICS, kinds.TEC, kinds.ICS, kinds.PAGE, kinds.ICS, kinds.PUSH),
    *(kinds.CSV, kinds.ICS, kinds.TEC, kinds.PAGE, kinds.ICS, kinds.CSV, kinds.ICS, kinds.PUSH),
    *(kinds.ICS, kinds.PAGE, kinds.TEC, kinds.SITE),
)
_STYLES = (
    *(kinds.COMPLETE, kinds.TOWN, kinds.COMPLETE, kinds.STREET, kinds.COMPLETE, kinds.NAME),
    *(kinds.COMPLETE, kinds.STREET_IN_NAME, kinds.TOWN, kinds.COMPLETE, kinds.NAME),
)
_CONTACTS = ("all", "email", "all", "none")
_CLOCKS = ("local", "utc", "local", "windows", "floating")
_WINDOWS = (kinds.ALL, kinds.ALL, kinds.COMING, kinds.ALL, kinds.ALL, kinds.NEXT, kinds.ALL)
_VANISHED = ("trash", "cancel", "trash", "keep")
# Every so many feeds one has several towns.
_REGIONAL = 10


@dataclass
class Region:
    """The truth; ``day`` counts the days that have passed."""

    random: Random
    first: date
    towns: list[Town]
    places: list[Place]
    timetable: Timetable = field(default_factory=Timetable)
    entries: dict[int, Entry] = field(default_factory=dict)
    feeds: dict[int, Feed] = field(default_factory=dict)
    day: int = 0

    def __post_init__(self) -> None:
        self.halls: defaultdict[Town, list[Place]] = defaultdict(list)
        for place in self.places:
            self.halls[place.town].append(place)

    def feeds_of(self, entry: Entry) -> list[Feed]:
        return [feed for feed in self.feeds.values() if entry.number in feed.entries]

    def is_current(self, entry: Entry) -> bool:
        return is_current(entry, self.feeds_of(entry))

    def add(self, town: Town) -> Entry | None:
        """Add an event of a town to a feed, some to two or three; ``None`` if none is free."""
        place = self.random.choice(self.halls[town])
        club = Club(self.random.choice(CLUBS), town)
        entry = drawn(len(self.entries), place, club, self.first, self.random)
        own = [feed for feed in self.feeds.values() if self._takes(feed, entry)]
        if not own or not self.timetable.take(entry):
            return None
        entry.added = entry.changed = self.day
        self.entries[entry.number] = entry
        number = 1
        if self.random.random() < _TWINS:
            number += 1 + (self.random.random() < _TRIPLETS)
        chosen = self.random.sample(own, min(number, len(own)))
        for place_in_row, feed in enumerate(chosen):
            feed.add(entry, self.random.randrange(5) if place_in_row else 0)
        return entry

    def _takes(self, feed: Feed, entry: Entry) -> bool:
        """Say whether a feed can have an event; a feed with names alone has none of two halls."""
        place = entry.place
        if place.town not in feed.towns:
            return False
        namesakes = sum(each.name == place.name for each in self.halls[place.town])
        return namesakes == 1 or feed.style not in (kinds.NAME, kinds.TOWN)


def region_of(scale: float, seed: int, first: date) -> Region:
    """Return a region of so many times the full size."""
    random = Random(seed)  # noqa: S311  # no secret
    towns = towns_of(max(8, round(TOWNS * scale)))
    number = max(2 * len(towns), round(FEEDS * scale))
    names = max(15, round(NAMES * scale))
    places = places_of(towns, names, min(_HALLS_OF_A_TOWN, names * 2 // 3), random)
    region = Region(random, first, towns, places)
    for each in range(number):
        region.feeds[each] = feed_of(each, towns)
    while len(region.entries) < EVENTS * scale:
        region.add(random.choice(towns))
    return region


def feed_of(number: int, towns: list[Town]) -> Feed:
    """Return the feed of a number; each town has one of complete addresses."""
    round_number, place = divmod(number, len(towns))
    is_regional = number % _REGIONAL == _REGIONAL - 1
    own = (
        [towns[(place + each) % len(towns)] for each in range(4)] if is_regional else [towns[place]]
    )
    style = kinds.COMPLETE if is_regional or not round_number else _STYLES[number % len(_STYLES)]
    lacks_town = style not in (kinds.COMPLETE, kinds.TOWN)
    feed = Feed(number, _KINDS[number % len(_KINDS)], own, style)
    feed.has_town = not is_regional and (number % 3 == 0 or (lacks_town and number % 7 != 0))
    feed.short_streets = number % 4 == 1
    feed.contacts = _CONTACTS[number % len(_CONTACTS)]
    feed.clock = _CLOCKS[number % len(_CLOCKS)]
    feed.window = _WINDOWS[number % len(_WINDOWS)]
    feed.has_tags = number % 3 == 1
    feed.vanished = _VANISHED[number % len(_VANISHED)]
    if number % 9 == 4:
        feed.authority = {"title": "source", "times": "source"}
    return feed
