"""Places and people of VEVENTs, as records to find again by name, or to create."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from icalendar import Event

from calendar_app.domain.kind import Record
from calendar_app.domain.points import ANTIMERIDIAN, POLE
from calendar_app.domain.richtext import escape
from calendar_app.imports.ics.properties import line, parameter, text, value, values
from calendar_app.imports.ics.writing import Languages, address

_PHONE = re.compile(r"\+?[\d\s()/.-]{5,}")
_MAILTO = "mailto:"


def venues_of(event: Event, languages: Languages) -> list[Record]:
    """Return the venue: its name, what follows the first comma as address, and its point.

    A location that is an address of the web is none.
    """
    location = line(event, "LOCATION")
    if not location or address(location):
        return []
    name, _, rest = location.partition(", ")
    language = languages.of(value(event, "LOCATION"))
    texts = {"venue": escape(name)} | ({"address": rest} if rest else {})
    geo = _geo(value(event, "GEO"))
    return [{"variants": {language: texts}} | ({"geo": geo} if geo else {})]


def has_point(event: Event) -> bool:
    """Return whether the venue of an event has a point."""
    location = line(event, "LOCATION")
    return bool(location and not address(location) and _geo(value(event, "GEO")))


def organizers_of(event: Event, languages: Languages) -> list[Record]:
    """Return the organizers: ORGANIZER, and each CONTACT."""
    people = [*map(_organizer, values(event, "ORGANIZER")), *_contacts(event)]
    language = languages.of(value(event, "CONTACT"))
    organizers = []
    for person in people:
        name, website = person.pop("name"), person.pop("website", "")
        texts = {"organizer": escape(name)} | ({"website": website} if website else {})
        organizers.append({"variants": {language: texts}, **person})
    return organizers


def online_url_of(event: Event) -> str:
    """Return the address at which an event can be followed."""
    sources = [*values(event, "CONFERENCE"), *values(event, "X-GOOGLE-CONFERENCE")]
    words = [*map(str, sources), text(event, "LOCATION")]
    return next(filter(None, map(address, words)), "")


def _organizer(prop: Any) -> dict[str, str]:
    uri = str(prop)
    is_mail = uri.lower().startswith(_MAILTO)
    mail = unquote(uri[len(_MAILTO) :]) if is_mail else ""
    return {"name": parameter(prop, "CN") or mail or uri, "email": mail}


def _contacts(event: Event) -> Iterator[dict[str, str]]:
    for contact in values(event, "CONTACT"):
        name, *parts = str(contact).split(", ")
        person = {"name": name}
        for part in parts:
            if "@" in part:
                person["email"] = part
            elif address(part):
                person["website"] = address(part)
            elif _PHONE.fullmatch(part):
                person["phone"] = part
        if name.strip():
            yield person


def _geo(prop: Any) -> tuple[float, float] | None:
    if prop is None:
        return None
    latitude, longitude = prop.latitude, prop.longitude
    possible = abs(latitude) <= POLE and abs(longitude) <= ANTIMERIDIAN
    return (latitude, longitude) if possible else None
