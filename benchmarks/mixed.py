"""Requests of all sorts in a random order, as programs, people and editors send them."""

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from urllib.parse import urlencode

from calls import BASE, Call, signed
from filling import Filled

_SHARES = {
    "list": 30, "page": 10, "search": 15, "event": 20, "linked": 8, "feed": 5, "near": 4,
    "changed": 4, "created": 3, "removed": 1,
}  # fmt: skip
_LINKED = ("venues", "organizers", "categories", "tags")
_FEEDS = ("ics", "atom", "geojson", "csv")
_LANGUAGES = ("de", "rm", "all")
_LETTERS = 4  # of words that are searched by a part
_PAGES, _RADIUS = 20, 50


def mixed(filled: Filled, seed: int) -> Iterator[Call]:
    """Yield calls without end; the same for the same ``seed``."""
    random = Random(seed)  # noqa: S311 - nothing secret, and the same at each run
    while True:
        (sort,) = random.choices(list(_SHARES), list(_SHARES.values()))
        yield replace(_call(sort, filled, random), name=sort)


def _call(sort: str, filled: Filled, random: Random) -> Call:
    match sort:
        case "event":
            event = f"{BASE}/events/{random.choice(filled.events)}"
            return _read(event, translation_language=random.choice(_LANGUAGES))
        case "linked":
            return _read(f"{BASE}/{random.choice(_LINKED)}", per_page=random.randint(1, 50))
        case "feed":
            return _read(f"{BASE}/events.{random.choice(_FEEDS)}", categories=filled.category)
        case "changed" | "created" | "removed":
            return _write(sort, filled, random)
        case _:
            return _read(f"{BASE}/events", **_asked(sort, filled, random))


def _write(sort: str, filled: Filled, random: Random) -> Call:
    event = f"{BASE}/events/{random.choice(filled.events)}"
    match sort:
        case "changed":
            return _written(filled, "PATCH", event, title=f"Changed {random.random()}")
        case "created":
            told = _told(filled, random)
            return replace(_written(filled, "POST", f"{BASE}/events", **told), status=201)
        case _:
            return _written(
                filled, "DELETE", f"{event}?translation_only=true&translation_language=rm"
            )


def _asked(sort: str, filled: Filled, random: Random) -> dict[str, object]:
    """Return the parameters of a list."""
    match sort:
        case "page":
            return {"page": random.randint(1, _PAGES), "start_date": "2000-01-01"}
        case "search":
            word = random.choice(filled.words)
            return {"search": word if random.random() < 1 / 2 else word[:_LETTERS]}
        case "near":
            place = {"geoloc_lat": random.uniform(46, 47), "geoloc_lng": random.uniform(8, 10)}
            return place | {"geoloc_radius": random.randint(1, _RADIUS), "orderby": "distance"}
        case _:
            named = {"categories": filled.category, "venue": filled.venue}
            some = random.sample(sorted(named), random.randint(0, len(named)))
            return {"per_page": random.randint(1, 50)} | {name: named[name] for name in some}


def _told(filled: Filled, random: Random) -> dict[str, object]:
    return {
        "title": f"{random.choice(filled.words)} {random.random()}",
        "start_date": f"2030-05-{random.randint(1, 28)} 19:00:00",
        "end_date": "2030-06-01 21:00:00",
        "venue": filled.venue,
    }


def _read(path: str, **asked: object) -> Call:
    return Call("", f"{path}?{urlencode(asked)}" if asked else path)


def _written(filled: Filled, method: str, path: str, **told: object) -> Call:
    return Call("", path, method=method, headers=signed(filled), body=json.dumps(told))
