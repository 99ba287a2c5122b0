"""The calendar after a day: what the public sees, and what else is stored."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from region.places import TOWNS
from region.writing import ZONE

_REFERENCE = re.compile(r"\bRef (\d+)\b")
_TOWN = re.compile(r"(\d{4})\s+(\D+)")
_TOWNS = frozenset(name for name, _ in TOWNS)


@dataclass(frozen=True)
class ObservedEvent:
    """An event of the public calendar; ``entry`` is the number of the true event.

    ``start`` is by the clock of the region, and ``sources`` are those that brought it.
    """

    id: int
    entry: int
    title: str
    start: datetime
    is_canceled: bool
    venue: Mapping[str, Any]
    organizers: list[Mapping[str, Any]]
    sources: frozenset[int]

    @property
    def town(self) -> tuple[str, str]:
        """Return zip and town of its venue, from their fields, else from the end of the street."""
        line = str(self.venue.get("address") or "").rpartition(", ")[2]
        address = _TOWN.fullmatch(line)
        number, name = address.groups() if address else ("", line if line in _TOWNS else "")
        return str(self.venue.get("zip") or number), str(self.venue.get("city") or name)

    @property
    def place(self) -> str:
        if not self.venue:
            return "no venue"
        parts = [self.venue.get(each) for each in ("venue", "address", "zip", "city")]
        return f"venue {self.venue['id']}: {', '.join(str(each) for each in parts if each)}"


class Calendar:
    """Public events by the number of their true event, and the states of the others."""

    def __init__(self, database: Any, public: Mapping[int, Mapping[str, Any]]) -> None:
        self._notes: dict[int, frozenset[int]] = {}
        self.states: defaultdict[int, set[str]] = defaultdict(set)
        self.entry_of: dict[int, int] = {}
        self._look_up(database)
        self.raw = public
        self.events = [self._observed(each) for each in public.values()]
        self.by_entry: defaultdict[int, list[ObservedEvent]] = defaultdict(list)
        for event in self.events:
            self.by_entry[event.entry].append(event)

    def _look_up(self, database: Any) -> None:
        """Note sources, state and true event of each stored event; dates have those of series."""
        fields = dict.fromkeys(("status", "event_status", "series", "variants", "from_sources"), 1)
        series = {each["_id"]: each for each in database["series"].find({}, fields)}
        for record in database["events"].find({}, fields):
            owner = series.get(record.get("series"), record)
            notes = record.get("from_sources") or owner.get("from_sources", ())
            self._notes[record["_id"]] = frozenset(each["source"] for each in notes)
            entry = max(_entry_in(record), _entry_in(owner))
            self.entry_of[record["_id"]] = entry
            state = record.get("status") or owner["status"]
            is_canceled = record.get("event_status") == "canceled"
            self.states[entry].add("canceled" if is_canceled and state == "publish" else state)

    def _observed(self, event: Mapping[str, Any]) -> ObservedEvent:
        begin = datetime.fromisoformat(event["utc_start_date"]).replace(tzinfo=UTC)
        start = begin.astimezone(ZONE).replace(tzinfo=None)
        if event["all_day"]:
            start = datetime.fromisoformat(event["start_date"])
        venue = event["venue"]
        return ObservedEvent(
            event["id"],
            _number_in(event["description"]),
            event["title"],
            start,
            event.get("event_status") == "canceled",
            (venue[0] if venue else {}) if isinstance(venue, list) else venue,
            event["organizer"] or [],
            self._notes.get(event["id"], frozenset()),
        )


def _entry_in(record: Mapping[str, Any]) -> int:
    texts = record.get("variants", {}).values()
    return max((_number_in(each.get("description", "")) for each in texts), default=-1)


def _number_in(text: Any) -> int:
    """Return the number of the true event in a description; -1 without one."""
    reference = _REFERENCE.search(str(text))
    return int(reference[1]) if reference else -1
