"""Measures the calendar after a day against the truth."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime

from region import goals
from region.entries import EXHIBITION, SERIES, Entry
from region.feeds import ALL, NAME, Feed
from region.goals import Figures, Finding
from region.observed import Calendar, ObservedEvent
from region.region import Region

_SETTLED = 2  # good readings, a day apart, after which what has vanished is away
_MOST_NAMES = 3


class Measuring:
    """The measures of one day; ``now`` is by the clock of the region.

    ``moved`` are the ids of events that an editor has put into another hall.
    """

    def __init__(
        self, region: Region, calendar: Calendar, now: datetime, moved: set[int], figures: Figures
    ) -> None:
        self._region, self._calendar, self._now = region, calendar, now
        self._moved, self._figures = moved, figures
        self._feeds = {feed.source: feed for feed in region.feeds.values()}
        self._current = {n for n, entry in region.entries.items() if region.is_current(entry)}

    def note(self) -> None:
        """Note all figures of the day."""
        day = self._region.day
        for goal, cases in (
            (goals.WRONG_TOWN, self._wrong_towns()),
            (goals.NO_TOWN, self._without_town()),
            (goals.WRONG_CONTACT, self._wrong_contacts()),
            (goals.LACKS_ADDRESS, self._lacking_addresses()),
            (goals.DOUBLES, self._doubles()),
            (goals.WRONG_START, self._wrong_starts()),
            (goals.STALE, self._stale()),
        ):
            self._figures.count(goal, list(cases), day)
        self._note_losses()
        self._note_precision()
        self._note_recall()

    # Towns and fields, event by event.

    def _placed(self) -> Iterator[tuple[ObservedEvent, Entry]]:
        """Yield the events that are at the place of which their feeds speak."""
        for event in self._calendar.events:
            entry = self._region.entries.get(event.entry)
            if entry is not None and event.id not in self._moved:
                yield event, entry

    def _wrong_towns(self) -> Iterator[Finding]:
        for event, entry in self._placed():
            number, name = event.town
            town = entry.place.town
            if (number and number != town.zip) or (name and name != town.name):
                yield self._finding(entry, event)

    def _without_town(self) -> Iterator[Finding]:
        for event, entry in self._placed():
            if self._says_town(event) and event.town == ("", ""):
                yield self._finding(entry, event)

    def _wrong_contacts(self) -> Iterator[Finding]:
        for event, entry in self._placed():
            for each in event.organizers:
                email = each.get("email")
                if email and email != entry.club.email:
                    yield self._finding(entry, event)._replace(
                        says=f"{entry.club.name} {entry.club.email}, {self._contacts_of(event)}",
                        has=f"organizer {each['id']}: {each['organizer']} {email}",
                    )

    def _contacts_of(self, event: ObservedEvent) -> str:
        contacts = {
            "all": "with e-mail and telephone",
            "email": "with e-mail",
            "none": "name alone",
        }
        return " | ".join(contacts[feed.contacts] for feed in self._feeds_of(event))

    def _lacking_addresses(self) -> Iterator[Finding]:
        """Yield events without a part of the address that all their feeds say."""
        for event, entry in self._placed():
            feeds = self._feeds_of(event)
            if entry.number not in self._current or not feeds:
                continue
            locations = [feed.location(entry.place) for feed in feeds]
            has = _in_short(event.place)
            parts = [part for part in list(zip(*locations, strict=True))[1:] if all(part)]
            if any(all(_in_short(each) not in has for each in part) for part in parts):
                yield self._finding(entry, event)

    def _says_town(self, event: ObservedEvent) -> bool:
        feeds = self._feeds_of(event)
        return bool(feeds) and all(feed.says_town for feed in feeds)

    # Venues.

    def _note_precision(self) -> None:
        places = defaultdict(set)
        for event, entry in self._placed():
            if event.venue and entry.number in self._current:
                places[event.venue["id"]].add(entry.place)
        fused = {venue: own for venue, own in places.items() if len(own) > 1}
        self._figures.note(goals.PRECISION, 1 - len(fused) / max(1, len(places)))
        cases = []
        for event, _ in self._placed():
            if event.venue and (own := fused.pop(event.venue["id"], None)):
                says = " | ".join(map(str, list(own)[:_MOST_NAMES]))
                cases.append(
                    Finding(event.place, self._names(self._feeds_of(event)), says, event.place)
                )
        self._figures.list(goals.PRECISION, cases, self._region.day)

    def _note_recall(self) -> None:
        venues = defaultdict(dict)
        for event, entry in self._placed():
            if entry.number in self._current and self._says_town(event):
                venue = event.venue.get("id", 0) if event.venue else 0
                venues[entry.place].setdefault(venue, event)
        torn = {place: own for place, own in venues.items() if len(own) > 1}
        self._figures.note(goals.RECALL, 1 - len(torn) / max(1, len(venues)))
        cases = []
        for place, own in torn.items():
            feeds = " | ".join(self._names(self._feeds_of(each)) for each in own.values())
            says = " | ".join(
                feed.location(place).line
                for each in own.values()
                for feed in self._feeds_of(each)[:1]
            )
            cases.append(
                Finding(str(place), feeds, says, " | ".join(e.place for e in own.values()))
            )
        self._figures.list(goals.RECALL, cases, self._region.day)

    # Doubles, times, and what is or is not public.

    def _doubles(self) -> Iterator[Finding]:
        for number, events in self._calendar.by_entry.items():
            entry = self._region.entries.get(number)
            if entry is None:
                continue
            days = Counter(self._date_of(entry, each) for each in events)
            for day, count in days.items():
                if count > 1:
                    own = [each for each in events if self._date_of(entry, each) == day]
                    has = " | ".join(f"{e.id} {e.title} {e.start} {e.place}" for e in own)
                    yield self._finding(entry, own[0])._replace(has=has)

    def _date_of(self, entry: Entry, event: ObservedEvent) -> str:
        return str(event.start.date()) if entry.kind == SERIES else ""

    def _wrong_starts(self) -> Iterator[Finding]:
        for number in self._current:
            entry = self._region.entries[number]
            starts = {start for start, _ in entry.dates()}
            for event in self._calendar.by_entry.get(number, ()):
                if event.start >= self._now and event.start not in starts and entry.takes_place:
                    says = " ".join(map(str, sorted(starts)))
                    yield self._finding(entry, event)._replace(says=says, has=str(event.start))

    def _note_losses(self) -> None:
        """Note what takes place and is not public: taken away, or held back or never taken."""
        away, hidden = [], []
        for number in sorted(self._current):
            entry = self._region.entries[number]
            if not entry.takes_place:
                continue
            own = [each for each in self._calendar.by_entry.get(number, ()) if not each.is_canceled]
            public = {self._date_of(entry, each) for each in own}
            due = self._due(entry)
            if due <= public:
                continue
            states = self._calendar.states.get(number, set())
            if "pending" in states and self._looks_like_another(entry):
                continue
            case = self._finding(entry)._replace(
                has=f"{len(due - public)} dates lacking, {states or 'nothing'}"
            )
            (away if states & {"trash", "canceled"} else hidden).append(case)
        self._figures.count(goals.TAKEN_AWAY, away, self._region.day)
        self._figures.count(goals.NOT_PUBLIC, hidden, self._region.day)

    def _looks_like_another(self, entry: Entry) -> bool:
        """Say whether nobody can tell an event from that of another town, so that it waits.

        Both have one title at one time in halls of one name, and no feed says more of its place.
        """
        feeds = self._region.feeds_of(entry)
        if any(feed.says_town or feed.style != NAME for feed in feeds):
            return False
        starts = dict(entry.dates()).keys()
        return any(
            other is not entry
            and (other.title, other.place.name) == (entry.title, entry.place.name)
            and not starts.isdisjoint(dict(other.dates()))
            for other in self._region.entries.values()
        )

    def _due(self, entry: Entry) -> set[str]:
        """Return the coming dates that a feed has shown to the calendar."""
        starts = [start for start, _ in entry.dates()]
        if entry.kind == SERIES:
            shown = set().union(*(feed.dates for feed in self._region.feeds_of(entry)))
            starts = [start for start in starts if (entry.number, start.date()) in shown]
        is_coming = entry.kind == EXHIBITION
        return {
            str(start.date()) if entry.kind == SERIES else ""
            for start in starts
            if start > self._now or is_coming
        }

    def _stale(self) -> Iterator[Finding]:
        for event in self._calendar.events:
            entry = self._region.entries.get(event.entry)
            if entry is None or entry.takes_place or event.is_canceled or event.start < self._now:
                continue
            if self._ought_to_be_away(entry, self._feeds_of(event)):
                what = "canceled" if entry.canceled else "removed"
                yield self._finding(entry, event)._replace(says=f"{what} on day {entry.changed}")

    def _ought_to_be_away(self, entry: Entry, feeds: list[Feed]) -> bool:
        if entry.canceled:
            return entry.number in self._current
        return all(self._lacks(feed, entry) for feed in feeds)

    def _lacks(self, feed: Feed, entry: Entry) -> bool:
        """Say whether a feed has shown often enough that an event is gone.

        Whole lists alone show it, and of what lies between their first and their last event.
        """
        if feed.window != ALL or feed.vanished == "keep":
            return False
        days = (
            first < entry.start < last
            for day, (first, last) in feed.windows.items()
            if day >= entry.changed
        )
        return sum(days) > _SETTLED

    # Words.

    def _feeds_of(self, event: ObservedEvent) -> list[Feed]:
        return [self._feeds[each] for each in sorted(event.sources) if each in self._feeds]

    def _names(self, feeds: list[Feed]) -> str:
        return " + ".join(
            f"{feed.name}{' town' if feed.has_town else ''}" for feed in feeds[:_MOST_NAMES]
        )

    def _finding(self, entry: Entry, event: ObservedEvent | None = None) -> Finding:
        feeds = self._feeds_of(event) if event else self._region.feeds_of(entry)
        says = " | ".join(feed.location(entry.place).line for feed in feeds[:_MOST_NAMES])
        label = f"{entry.number} {entry.kind} {entry.title} {entry.start}, {entry.place}"
        return Finding(label, self._names(feeds), says, event.place if event else "")


def _in_short(address: str) -> str:
    return address.replace("strasse", "str.")
