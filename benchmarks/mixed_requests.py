"""Requests of all sorts in a random order, as programs, people and editors send them."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from urllib.parse import urlencode

from calls import BASE, Call, signed
from small_calendar import SampleCalendar

_SHARES = {
    "list": 20, "page": 8, "search": 12, "event": 14, "linked": 6, "feed": 6, "near": 4,
    "site": 22, "changed": 4, "created": 3, "removed": 1,
}  # fmt: skip
_LINKED = ("venues", "organizers", "categories", "tags")
_FEEDS = ("ics", "atom", "geojson", "csv")
_LANGUAGES = ("de", "rm", "all")
# In which pages are read: those with texts of their own, and others.
SITE_LANGUAGES = ("de", "rm", "fr", "it", "en")
_SITE = ("list", "list", "month", "day", "event", "event")
_LETTERS = 4  # of words that are searched by a part
_PAGES, _RADIUS = 20, 50
_FEW, _DAYS = 3, 600


def mixed_requests(calendar: SampleCalendar, seed: int) -> Iterator[Call]:
    """Yield calls without end; the same for the same ``seed``."""
    random = Random(seed)  # noqa: S311 - nothing secret, and the same at each run
    while True:
        (sort,) = random.choices(list(_SHARES), list(_SHARES.values()))
        yield replace(_call(sort, calendar, random), name=sort)


def _call(sort: str, calendar: SampleCalendar, random: Random) -> Call:
    match sort:
        case "event":
            event = f"{BASE}/events/{random.choice(calendar.events)}"
            return _read(event, translation_language=random.choice(_LANGUAGES))
        case "linked":
            return _read(f"{BASE}/{random.choice(_LINKED)}", per_page=random.randint(1, 50))
        case "feed":
            filters = {"categories": calendar.category, "venue": random.choice(calendar.venues)}
            name = random.choice(sorted(filters))
            return _read(f"{BASE}/events.{random.choice(_FEEDS)}", **{name: filters[name]})
        case "site":
            return _site_page(calendar, random)
        case "changed" | "created" | "removed":
            return _write(sort, calendar, random)
        case _:
            return _read(f"{BASE}/events", **_list_parameters(sort, calendar, random))


def _site_page(calendar: SampleCalendar, random: Random) -> Call:
    """Return a page as people read it, in one of many languages, months and selections."""
    language, today = random.choice(SITE_LANGUAGES), datetime.now(UTC).date()
    day = today + timedelta(days=random.randrange(_DAYS))
    match random.choice(_SITE):
        case "event":
            return _read(f"/{language}/event/{random.choice(calendar.slugs)}/")
        case "month":
            return _read(f"/{language}/events/month/{day:%Y-%m}/")
        case "day":
            return _read(f"/{language}/events/{day}/")
        case _:
            selection = {"venue": random.choice(calendar.venues)} if random.random() < 1 / 2 else {}
            return _read(f"/{language}/events/list/", page=random.randint(1, _FEW), **selection)


def _write(sort: str, calendar: SampleCalendar, random: Random) -> Call:
    event = f"{BASE}/events/{random.choice(calendar.events)}"
    match sort:
        case "changed":
            return _write_call(calendar, "PATCH", event, title=f"Changed {random.random()}")
        case "created":
            event_fields = _event_fields(calendar, random)
            return replace(
                _write_call(calendar, "POST", f"{BASE}/events", **event_fields), status=201
            )
        case _:
            return _write_call(
                calendar, "DELETE", f"{event}?translation_only=true&translation_language=rm"
            )


def _list_parameters(sort: str, calendar: SampleCalendar, random: Random) -> dict[str, object]:
    """Return the parameters of a list."""
    match sort:
        case "page":
            return {"page": random.randint(1, _PAGES), "start_date": "2000-01-01"}
        case "search":
            word = random.choice(calendar.words)
            return {"search": word if random.random() < 1 / 2 else word[:_LETTERS]}
        case "near":
            place = {"geoloc_lat": random.uniform(46, 47), "geoloc_lng": random.uniform(8, 10)}
            return place | {"geoloc_radius": random.randint(1, _RADIUS), "orderby": "distance"}
        case _:
            filters: dict[str, object]
            filters = {"categories": calendar.category, "venue": calendar.venue}
            filter_names = random.sample(sorted(filters), random.randint(0, len(filters)))
            return {"per_page": random.randint(1, 50)} | {
                name: filters[name] for name in filter_names
            }


def _event_fields(calendar: SampleCalendar, random: Random) -> dict[str, object]:
    return {
        "title": f"{random.choice(calendar.words)} {random.random()}",
        "start_date": f"2030-05-{random.randint(1, 28)} 19:00:00",
        "end_date": "2030-06-01 21:00:00",
        "venue": calendar.venue,
    }


def _read(path: str, **parameters: object) -> Call:
    return Call("", f"{path}?{urlencode(parameters)}" if parameters else path)


def _write_call(calendar: SampleCalendar, method: str, path: str, **fields: object) -> Call:
    return Call("", path, method=method, headers=signed(calendar), body=json.dumps(fields))
