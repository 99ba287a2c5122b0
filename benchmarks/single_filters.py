"""Each filter of the event list by itself, with values that a calendar has."""

from collections.abc import Mapping
from datetime import timedelta

from population import LANGUAGES, Population
from zipf import COMMON, words

from calendar_app.domain.kind import Record

Query = Mapping[str, str | float]

_PAGE = 12


def filters(population: Population) -> dict[str, Query]:
    """Return the parameters of each filter alone, by a name for the table."""
    return {
        "default list": {},
        **_dates(population),
        **_links(population),
        **_states(),
        "search": {"search": words(LANGUAGES[0])[COMMON]},
        "another language": {"translation_language": LANGUAGES[1]},
        "no fallback": {"translation_language": LANGUAGES[1], "fallback": "none"},
        "geoloc=true": {"geoloc": "true"},
        "geoloc=false": {"geoloc": "false"},
        **_places(population),
    }


def event_of(population: Population) -> Record:
    """Return an event that anybody may see, as the changes that create it."""
    events = map(population.event, range(population.events))
    return next(event for event in events if event["status"] == "publish" and not event["hidden"])


def _dates(population: Population) -> dict[str, Query]:
    today, year = population.today, timedelta(days=365)
    alone = (
        *("starts_before", "starts_after", "ends_before", "ends_after"),
        *("overlaps_from", "overlaps_to"),
    )
    months = {"start_date": f"{today + year}", "end_date": f"{today + 1.25 * year}"}
    return {
        **{name: {name: f"{today}"} for name in alone},
        "at any time": {"start_date": f"{today - 20 * year}", "end_date": f"{today + 20 * year}"},
        "three months": months,
        "strict_dates": months | {"strict_dates": "true"},
    }


def _links(population: Population) -> dict[str, Query]:
    event = event_of(population)
    several = range(population.first_event, population.first_event + _PAGE)
    return {
        "category": {"categories": population.categories},
        "topmost category": {"categories": 1},
        "tag": {"tags": event["tags"][0]},
        "venue": {"venue": event["venues"][0]},
        "organizer": {"organizer": event["organizers"][0]},
        "include": {"include": ",".join(map(str, several))},
        "post_parent": {"post_parent": population.first_event},
    }


def _places(population: Population) -> dict[str, Query]:
    """Return circles and a box around a venue in the Alps."""
    latitude, longitude = population.place(1)
    near = {"geoloc_lat": latitude, "geoloc_lng": longitude}
    return {
        "10 km": near,
        "100 km": near | {"geoloc_radius": 100},
        "box": {"geoloc_bbox": f"{longitude - 0.3},{latitude - 0.2},{longitude},{latitude + 0.2}"},
    }


def _states() -> dict[str, Query]:
    states = {
        "featured": ("true", "false"),
        "ticketed": ("true", "false"),
        "status": ("publish",),
        "event_status": ("canceled", "scheduled"),
        "attendance_mode": ("online", "offline"),
    }
    return {f"{name}={word}": {name: word} for name, words_ in states.items() for word in words_}
