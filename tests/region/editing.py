"""An editor of the calendar, who corrects texts and venues, and decides on duplicates."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from region.goals import Finding
from region.observed import Calendar, ObservedEvent
from region.region import Region

_TEXTS, _MOVES, _VENUES, _PAIRS = 4, 1, 2, 40


@dataclass(frozen=True)
class Edit:
    """A field of an event or a venue as the editor has written it; ``entry`` is the true event."""

    collection: str
    id: int
    entry: int
    name: str
    value: Any


class EditorAtWork:
    """Edits by REST as one user, and remembers the edits."""

    def __init__(self, client: Any, region: Region, seed: int) -> None:
        self._client = client
        self._region = region
        self._random = Random(seed)  # noqa: S311  # no secret
        self._serial = 0
        self.edits: list[Edit] = []
        self.moved: set[int] = set()

    def work(self, calendar: Calendar) -> None:
        """Correct some texts, put an event into another hall, and complete some venues."""
        events = [each for each in calendar.events if self._is_ours(each)]
        self._random.shuffle(events)
        for event in events[:_TEXTS]:
            name = self._random.choice(("title", "excerpt"))
            self._serial += 1
            self._write(event, name, f"Von uns {self._serial}")
        for event in events[_TEXTS : _TEXTS + _MOVES]:
            self._move(event, events)
        for event in events[_TEXTS + _MOVES : _TEXTS + _MOVES + _VENUES]:
            self._complete(event)

    def _is_ours(self, event: ObservedEvent) -> bool:
        """Say whether edits of an event stay: a source may have the last word."""
        entry = self._region.entries.get(event.entry)
        if entry is None or not entry.takes_place or event.id in self.moved or not event.venue:
            return False
        return not any(feed.authority for feed in self._region.feeds_of(entry))

    def _write(self, event: ObservedEvent, name: str, value: Any) -> None:
        others = {e.id for e in self.edits if (e.entry, e.name) == (event.entry, name)}
        if others - {event.id}:
            return  # Of two events that become one only one title can stay.
        self._send(f"/events/{event.id}", **{name: value})
        self.edits = [e for e in self.edits if (e.id, e.name) != (event.id, name)]
        self.edits.append(Edit("events", event.id, event.entry, name, value))

    def _move(self, event: ObservedEvent, events: list[ObservedEvent]) -> None:
        town = self._region.entries[event.entry].place.town
        others = [
            each.venue["id"]
            for each in events
            if self._region.entries[each.entry].place.town == town
            and each.venue["id"] != event.venue["id"]
        ]
        if others:
            self._write(event, "venue", self._random.choice(others))
            self.moved.add(event.id)

    def _complete(self, event: ObservedEvent) -> None:
        """Give a venue its whole address and a name of its own."""
        place = self._region.entries[event.entry].place
        venue = event.venue["id"]
        values = {
            "venue": f"{place.name} {place.town.name}",
            "address": place.street,
            "zip": place.town.zip,
            "city": place.town.name,
        }
        self._send(f"/venues/{venue}", **values)
        self.edits = [
            each for each in self.edits if (each.collection, each.id) != ("venues", venue)
        ]
        self.edits += [Edit("venues", venue, event.entry, *each) for each in values.items()]

    def _send(self, path: str, **values: Any) -> None:
        answer = self._client.put(path, **values)
        assert answer.status_code == 200, answer.json

    def decisions(
        self, pairs: list[tuple[int, int]], calendar: Calendar
    ) -> Iterator[tuple[tuple[int, int], bool]]:
        """Yield some pairs, and whether they are one event; the others remain open."""
        for number, pair in enumerate(pairs[:_PAIRS]):
            are_two = len({calendar.entry_of.get(each, -1) for each in pair}) == 2
            if are_two or number % 2:
                yield pair, not are_two

    def lost(self, calendar: Calendar) -> Iterator[Finding]:
        """Yield the edits that are lost."""
        shown = {each.id: each for each in calendar.events}
        venues = {each.venue["id"]: each.venue for each in calendar.events if each.venue}
        for edit in self.edits:
            entry = self._region.entries[edit.entry]
            if edit.collection == "venues":
                value = venues.get(edit.id, {edit.name: edit.value}).get(edit.name)
            elif edit.id in shown:
                value = _value(calendar.raw[edit.id], edit.name)
            elif entry.takes_place:
                # Of two events that were united the other may remain.
                values = [
                    _value(calendar.raw[e.id], edit.name) for e in calendar.by_entry[edit.entry]
                ]
                value = edit.value if edit.value in values else f"no event {edit.id}, {values}"
            else:
                continue
            if value != edit.value:
                label = f"{edit.collection} {edit.id} {edit.name}: {entry.title} {entry.start}"
                feeds = " + ".join(feed.name for feed in self._region.feeds_of(entry))
                yield Finding(label, feeds, f"edited: {edit.value}", str(value))


def _value(event: Any, name: str) -> Any:
    if name == "venue":
        return (event["venue"] or {}).get("id")
    return event[name].removeprefix("<p>").removesuffix("</p>\n").removesuffix("</p>")
