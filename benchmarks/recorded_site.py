"""Recorded pages of an invented site with The Events Calendar, as ``import tec`` reads them.

The same at each run: what number ``n`` is follows from ``n`` and the size alone.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import orjson
from population import Population
from zipf import text

JSONObject = dict[str, Any]

LANGUAGE = "de"
_SITE = "site.example"
_BASE = f"https://{_SITE}/wp-json/tribe/events/v1"
_PER_PAGE = 50
_TODAY = datetime(2026, 6, 1)  # noqa: DTZ001 - a wall clock
_ZONE = ZoneInfo("Europe/Zurich")
_DAYS_BACK, _DAYS_AHEAD = 10 * 365, 5 * 365
_SHORTEST, _LONGEST, _PARAGRAPH, _EXCERPT = 60, 200, 50, 12
_COSTS = ("", "", "20", "10 - 25", "Free")


def record(path: Path, events: int) -> int:
    """Write the pages of a site with so many events; return how many records they have."""
    site = RecordedSite(Population(events, _TODAY))
    with path.open("wb") as file:
        file.writelines(orjson.dumps(page) + b"\n" for page in site.pages())
    return site.records


class RecordedSite:
    """Generate the records of a ``population``, in one language."""

    def __init__(self, population: Population) -> None:
        self._population = population
        self._lists: dict[str, tuple[int, Callable[[int], JSONObject]]] = {
            "categories": (population.categories, self._category),
            "tags": (population.tags, self._tag),
            "venues": (population.venues, self._venue),
            "organizers": (population.organizers, self._organizer),
            "events": (population.events, self._event),
        }

    @property
    def records(self) -> int:
        return sum(count for count, _ in self._lists.values())

    def pages(self) -> Iterator[JSONObject]:
        """Yield the pages of all lists, one after the other."""
        for name, (count, tell) in self._lists.items():
            pages = -(-count // _PER_PAGE)
            for page in range(pages):
                numbers = range(page * _PER_PAGE, min((page + 1) * _PER_PAGE, count))
                body = {name: [tell(n) for n in numbers], "total": count, "total_pages": pages}
                yield {"path": f"/{name}?per_page={_PER_PAGE}&page={page + 1}", "body": body}

    def _category(self, number: int) -> JSONObject:
        above = self._population.above(number + 1)
        return _term("categories", number + 1, parent=above[-1] if above else 0)

    def _tag(self, number: int) -> JSONObject:
        return _term("tags", self._population.categories + number + 1, parent=0)

    def _venue(self, number: int) -> JSONObject:
        latitude, longitude = self._population.place(number + 1)
        venue = _post("venue", number + 1, _name("venue", number))
        place = {"address": f"Street {number}", "city": "Chur", "country": "Switzerland"}
        return venue | place | {"zip": "7000", "geo_lat": latitude, "geo_lng": longitude}

    def _organizer(self, number: int) -> JSONObject:
        organizer = _post(
            "organizer", self._population.venues + number + 1, _name("organizer", number)
        )
        return organizer | {"phone": f"+41 81 {number:07}", "email": f"o{number}@{_SITE}"}

    def _event(self, number: int) -> JSONObject:
        random = _random("event", number)
        event = _post("event", self._population.first_event + number, _title(random, number))
        return event | {
            "title": event["event"],
            "description": _description(random),
            "excerpt": f"<p>{text(random, LANGUAGE, _EXCERPT)}.</p>\n",
            "image": False,
            "all_day": False,
            **_times(random),
            "cost": random.choice(_COSTS),
            "website": event["url"],
            "featured": random.random() < 0.05,  # noqa: PLR2004
            "categories": [self._category(n) for n in self._sample(random, "categories", 2)],
            "tags": [self._tag(n) for n in self._sample(random, "tags", 3)],
            "venue": self._venue(random.randrange(self._population.venues)),
            "organizer": [self._organizer(random.randrange(self._population.organizers))],
        }

    def _sample(self, random: Random, name: str, most: int) -> list[int]:
        return random.sample(range(self._lists[name][0]), random.randint(1, most))


def _term(taxonomy: str, number: int, parent: int) -> JSONObject:
    name = _name(taxonomy, number)
    return {
        "name": name,
        "slug": name.lower().replace(" ", "-"),
        "description": "",
        "parent": parent,
        "id": number,
        "urls": {"self": f"{_BASE}/{taxonomy}/{number}", "collection": f"{_BASE}/{taxonomy}"},
    }


def _post(singular: str, number: int, name: str) -> JSONObject:
    slug = name.lower().replace(" ", "-")
    return {
        "id": number,
        "global_id": f"{_SITE}?id={number}",
        "global_id_lineage": [f"{_SITE}?id={number}"],
        "author": "1",
        "status": "publish",
        "date_utc": "2026-05-01 10:00:00",
        "modified_utc": "2026-05-02 10:00:00",
        "url": f"https://{_SITE}/{singular}/{slug}/",
        singular: name,
        "slug": slug,
    }


def _times(random: Random) -> JSONObject:
    days = random.randrange(-_DAYS_BACK, _DAYS_AHEAD)
    start = _TODAY + timedelta(days=days, hours=random.randrange(8, 21))
    end = start + timedelta(hours=random.choice((1, 2, 3, 26, 50)))
    moments = {
        "start_date": start,
        "end_date": end,
        "utc_start_date": start.replace(tzinfo=_ZONE).astimezone(UTC),
        "utc_end_date": end.replace(tzinfo=_ZONE).astimezone(UTC),
    }
    times: JSONObject = {"timezone": _ZONE.key}
    for name, moment in moments.items():
        times |= {name: f"{moment:%Y-%m-%d %H:%M:%S}", f"{name}_details": _details(moment)}
    return times


def _details(moment: datetime) -> dict[str, str]:
    parts = ("year", "month", "day", "hour", "minutes", "seconds")
    return dict(zip(parts, f"{moment:%Y %m %d %H %M %S}".split(), strict=True))


def _description(random: Random) -> str:
    length = random.randint(_SHORTEST, _LONGEST)
    lengths = [min(_PARAGRAPH, length - at) for at in range(0, length, _PARAGRAPH)]
    return "\n".join(f"<p>{text(random, LANGUAGE, size)}.</p>" for size in lengths)


def _title(random: Random, number: int) -> str:
    return f"{text(random, LANGUAGE, 3)} {number}".capitalize()


def _name(name: str, number: int) -> str:
    return f"{text(_random(name, number), LANGUAGE, 2)} {number}".capitalize()


def _random(*of: object) -> Random:
    return Random(repr(of))  # noqa: S311 - nothing secret, and the same at each run
