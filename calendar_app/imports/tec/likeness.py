"""Likeness of records in two languages, by the fields that languages share."""

import re
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from calendar_app.domain.folding import fold
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.richtext import decoded
from calendar_app.resources.kinds import EVENT, ORGANIZER, VENUE

_METRE = 5  # decimals of a degree
# The digits of a telephone number behind the code of the country, or the zero instead of it.
_NATIONAL_DIGITS = 9
_MIN_DIGITS = 5
_NO_DIGIT = re.compile(r"[^0-9]+")
_SCHEME = re.compile(r"^[a-z]+://(www\.)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Traits:
    """Two records are alike if they share a mark and contradict in no fact."""

    marks: frozenset[tuple[str, Hashable]] = frozenset()
    facts: Mapping[str, Hashable] = field(default_factory=dict)

    def contradict(self, traits: "Traits") -> bool:
        shared = self.facts.keys() & traits.facts.keys()
        return any(self.facts[name] != traits.facts[name] for name in shared)


def traits_of(kind: Kind, record: Record) -> Traits:
    """Return the traits of a document, or of changes with its fields; terms have none."""
    texts = record["variants"].values()
    phone = _national(record.get("phone", ""))
    if kind is EVENT:
        event = (record["start"], record["end"], record.get("image"))
        return at_venues(_traits({}, {"event": [event]}), record.get("venues", ()))
    if kind is VENUE:
        addresses = [fold(each.get("address") or "") for each in texts]
        facts = {"point": _point(record), "phone": phone, "zip": record["zip"].strip()}
        return _traits(facts, {"point": [facts["point"]], "phone": [phone], "address": addresses})
    if kind is ORGANIZER:
        websites = [_SCHEME.sub("", each.get("website") or "").rstrip("/") for each in texts]
        facts = {"phone": phone, "email": record["email"].strip().casefold()}
        marks = {name: [fact] for name, fact in facts.items()}
        return _traits(facts, marks | {"website": [each.casefold() for each in websites]})
    return Traits()


def _traits(facts: Mapping[str, Hashable], marks: Mapping[str, Iterable[Hashable]]) -> Traits:
    """Return traits without empty texts and ``None``."""
    return Traits(
        frozenset((name, mark) for name, values in marks.items() for mark in values if mark),
        {name: fact for name, fact in facts.items() if fact},
    )


def at_venues(event: Traits, venues: Iterable[int]) -> Traits:
    return replace(event, facts={"venues": frozenset(venues)})


def traits_of_term(events: Collection[int]) -> Traits:
    return _traits({}, {"events": [frozenset(events)]})


def _point(record: Record) -> tuple[float, ...] | None:
    """Return latitude and longitude to about a metre, of a document or of changes."""
    longitude_first = (record.get("location") or {}).get("coordinates", ())
    point = record.get("geo") or longitude_first[::-1]
    return tuple(round(degrees, _METRE) for degrees in point) or None


def _national(phone: str) -> str:
    digits = _NO_DIGIT.sub("", phone)
    return digits[-_NATIONAL_DIGITS:] if len(digits) >= _MIN_DIGITS else ""


def names_in(kind: Kind, texts: Record) -> frozenset[str]:
    """Return the folded name and slug in some texts."""
    names = (texts.get(kind.label), texts.get("slug"))
    return frozenset(fold(decoded(name)) for name in names if name)
