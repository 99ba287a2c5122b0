"""A calendar of any size, record by record, as the changes that create them.

The same at each run: what number ``n`` is follows from ``n`` and the size alone.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

from zipf import text

from calendar_app.domain.kind import Record
from calendar_app.domain.moments import Moment

LANGUAGES = ("de", "rm")
# How many there are of a million events.
_VENUES, _ORGANIZERS, _CATEGORIES, _TAGS, _MILLION = 20_000, 10_000, 500, 5000, 1_000_000
_FEWEST, _FEWEST_CATEGORIES = 50, 5
_LEVELS = (0.02, 0.08, 0.25, 0.65)  # shares of the categories, the topmost first
_DAYS_BACK, _DAYS_AHEAD = 10 * 365, 5 * 365
_MINUTES_AHEAD = 365 * 24 * 60
_SHORTEST, _LONGEST, _PARAGRAPH, _EXCERPT = 60, 200, 50, 12
_EVENT_STATUS = {"scheduled": 97, "canceled": 2, "postponed": 1}
_ATTENDANCE = {"offline": 90, "online": 5, "mixed": 5}
_STATUS = {"publish": 95, "draft": 3, "private": 1, "pending": 1}
_LANGUAGE_SETS = {("de", "rm"): 85, ("de",): 10, ("rm",): 5}
_ALPS, _EUROPE = ((45.8, 47.8), (6.0, 10.5)), ((36.0, 60.0), (-10.0, 30.0))


@dataclass(frozen=True, slots=True)
class Population:
    """The size of a calendar; its dates lie around ``today`` (a midnight).

    Ids: venues from 1, organizers behind them, events behind those; categories, then tags.
    """

    events: int
    today: datetime

    @property
    def venues(self) -> int:
        return self._scaled(_VENUES)

    @property
    def organizers(self) -> int:
        return self._scaled(_ORGANIZERS)

    @property
    def categories(self) -> int:
        return self._scaled(_CATEGORIES, _FEWEST_CATEGORIES)

    @property
    def tags(self) -> int:
        return self._scaled(_TAGS)

    @property
    def first_event(self) -> int:
        return self.venues + self.organizers + 1

    def above(self, category: int) -> list[int]:
        """Return the ancestors of a category, the topmost first."""
        first, size, before = 1, self._on_level(_LEVELS[0]), (0, 0)
        for share in _LEVELS[1:]:
            if category < first + size:
                break
            before, first = (first, size), first + size
            size = self._on_level(share)
        if first == 1:
            return []
        parent = before[0] + (category - first) % before[1]
        return [*self.above(parent), parent]

    def place(self, venue: int) -> tuple[float, float]:
        """Return the latitude and longitude of a venue: half of them lie in the Alps."""
        random = _random("venue", venue)
        (south, north), (west, east) = _ALPS if venue % 2 else _EUROPE
        return random.uniform(south, north), random.uniform(west, east)

    def event(self, number: int) -> Record:
        """Return the changes that create an event."""
        random = _random("event", number)
        start = self.today + timedelta(
            days=random.randrange(-_DAYS_BACK, _DAYS_AHEAD), hours=random.randrange(8, 21)
        )
        return {
            "variants": {
                tag: _texts(random, tag, number) for tag in _choose(random, _LANGUAGE_SETS)
            },
            "status": _choose(random, _STATUS),
            "start": Moment(start),
            "end": Moment(start + timedelta(hours=random.choice((1, 2, 3, 26, 50)))),
            "venues": [random.randint(1, self.venues)],
            "organizers": [self.venues + random.randint(1, self.organizers)],
            "categories": _sample_ids(random, 1, self.categories, 2),
            "tags": _sample_ids(random, self.categories + 1, self.categories + self.tags, 3),
            "event_status": _choose(random, _EVENT_STATUS),
            "attendance_mode": _choose(random, _ATTENDANCE),
            "hidden": random.random() < 0.02,  # noqa: PLR2004
            "featured": random.random() < 0.05,  # noqa: PLR2004
            "ticketed": random.random() < 0.1,  # noqa: PLR2004
            "parent": self.first_event if number and number % 200 == 0 else 0,
        }

    def modified(self, number: int, start: datetime) -> datetime:
        """Return when the event of this number was last changed: less than a year before it."""
        ahead = timedelta(minutes=_random("modified", number).randrange(_MINUTES_AHEAD))
        return min(self.today, start - ahead)

    def _on_level(self, share: float) -> int:
        return max(1, round(share * self.categories))

    def _scaled(self, of_a_million: int, fewest: int = _FEWEST) -> int:
        return max(fewest, of_a_million * self.events // _MILLION)


def linked(label: str, name: str, number: int) -> Record:
    """Return the texts of a venue, an organizer or a term."""
    random = _random(name, number)
    texts = {tag: {label: f"{text(random, tag, 2)} {number}"} for tag in LANGUAGES}
    return {"variants": texts}


def _texts(random: Random, language: str, number: int) -> dict[str, str]:
    length = random.randint(_SHORTEST, _LONGEST)
    lengths = [min(_PARAGRAPH, length - at) for at in range(0, length, _PARAGRAPH)]
    return {
        "title": f"{text(random, language, 3)} {number}",
        "description": "".join(f"<p>{text(random, language, size)}.</p>" for size in lengths),
        "excerpt": f"<p>{text(random, language, _EXCERPT)}.</p>",
    }


def _sample_ids(random: Random, first: int, last: int, most: int) -> list[int]:
    return random.sample(range(first, last + 1), random.randint(1, most))


def _choose(random: Random, shares: dict[Any, int]) -> Any:
    (chosen,) = random.choices(list(shares), list(shares.values()))
    return chosen


def _random(*of: object) -> Random:
    return Random(repr(of))  # noqa: S311 - nothing secret, and the same at each run
