"""How records of two languages are recognised as one thing, by what the languages share."""

import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from calendar_app.domain.folding import fold
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.richtext import decoded
from calendar_app.domain.timespan import settle
from calendar_app.imports.tec import values
from calendar_app.imports.tec.values import Raw
from calendar_app.resources.kinds import EVENT, ORGANIZER, VENUE

Mark = tuple[str, Hashable]

_METRE = 5  # decimals of a degree
# Of a telephone number: what follows the code of the country, or the zero instead of it.
_NATIONAL = 9
_SHORTEST_NUMBER = 5
_NO_DIGIT = re.compile(r"[^0-9]+")
_SCHEME = re.compile(r"^[a-z]+://(www\.)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Likeness:
    """Two records are alike that share one of their ``marks`` and contradict in no fact."""

    marks: frozenset[Mark] = frozenset()
    facts: Mapping[str, Hashable] = field(default_factory=dict)

    def contradicts(self, other: "Likeness") -> bool:
        both = self.facts.keys() & other.facts.keys()
        return any(self.facts[name] != other.facts[name] for name in both)


UNLIKE = Likeness()


def likeness_of(kind: Kind, record: Record) -> Likeness:
    """Return that of a stored record; terms have none of their own."""
    texts = record["variants"].values()
    if kind is EVENT:
        likeness = _of_event(record["start"], record["end"], record["image"])
        return at_venues(likeness, record["venues"])
    if kind is VENUE:
        longitude, latitude = (record["location"] or {}).get("coordinates", (None, None))
        place = None if latitude is None else (latitude, longitude)
        return _of_venue(place, [one.get("address", "") for one in texts], record)
    if kind is ORGANIZER:
        return _of_organizer([one.get("website", "") for one in texts], record)
    return UNLIKE


def likeness_told(kind: Kind, raw: Raw, site_timezone: str) -> Likeness:
    """Return that of a record of a site, for an event without its venues.

    Raises ``ValueError`` on what cannot be read.
    """
    if kind is EVENT:
        return _of_event(*_span(raw, site_timezone), values.picture(raw))
    if kind is VENUE:
        shared = {name: values.line(raw, name) for name in ("zip", "phone")}
        return _of_venue(values.coordinates(raw), [values.line(raw, "address")], shared)
    if kind is ORGANIZER:
        shared = {name: values.line(raw, name) for name in ("email", "phone")}
        return _of_organizer([values.address(raw, "website")], shared)
    return UNLIKE


def names_in(kind: Kind, texts: Raw) -> frozenset[str]:
    """Return the name and the slug in the texts of a record, as far as there are any."""
    told = (texts.get(name) for name in (kind.label, "slug"))
    return frozenset(fold(decoded(one)) for one in told if one and isinstance(one, str))


def at_venues(event: Likeness, venues: Iterable[int]) -> Likeness:
    """Return the likeness of an event that takes place there; ids of this calendar."""
    return replace(event, facts={"venues": frozenset(venues)})


def with_events(events: Iterable[int]) -> Likeness:
    """Return the likeness of a term by the events that have it; ids of this calendar."""
    having = frozenset(events)
    return _marked({}, events=[having] if having else [])


def _of_event(start: Hashable, end: Hashable, image: Hashable) -> Likeness:
    return _marked({}, event=[(start, end, image)])


def _of_venue(
    place: tuple[float, float] | None, addresses: Iterable[str], shared: Record
) -> Likeness:
    point = tuple(round(degrees, _METRE) for degrees in place) if place else None
    facts = {"point": point, "phone": _national(shared["phone"]), "zip": shared["zip"].strip()}
    return _marked(
        facts, point=[point], phone=[facts["phone"]], address=[fold(one) for one in addresses]
    )


def _of_organizer(websites: Iterable[str], shared: Record) -> Likeness:
    facts = {"phone": _national(shared["phone"]), "email": shared["email"].strip().casefold()}
    sites = [_SCHEME.sub("", one).rstrip("/").casefold() for one in websites]
    return _marked(facts, phone=[facts["phone"]], email=[facts["email"]], website=sites)


def _marked(facts: Mapping[str, Hashable], **marks: Iterable[Hashable]) -> Likeness:
    """Join what was told; empty texts and ``None`` are nothing that two records share."""
    return Likeness(
        frozenset((name, mark) for name, told in marks.items() for mark in told if mark),
        {name: fact for name, fact in facts.items() if fact},
    )


def _national(phone: str) -> str:
    digits = _NO_DIGIT.sub("", phone)
    return digits[-_NATIONAL:] if len(digits) >= _SHORTEST_NUMBER else ""


def _span(raw: Raw, site_timezone: str) -> tuple[datetime, datetime]:
    """Return when an event starts and ends, as it would be stored."""
    span = settle(
        None,
        start=values.moment(raw, "start_date"),
        end=values.moment(raw, "end_date"),
        timezone=values.text(raw, "timezone"),
        all_day=values.flag(raw, "all_day"),
        site_timezone=site_timezone,
    )
    return span.start, span.end
