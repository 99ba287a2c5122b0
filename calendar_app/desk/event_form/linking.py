"""Venues and organizers that a form names: chosen, found by their name, or entered in place."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from marshmallow import Schema

from calendar_app.calendar.reading.links import is_shown
from calendar_app.desk.event_form.values import Values
from calendar_app.domain.addresses import whole_address
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.words import fold
from calendar_app.errors import Message
from calendar_app.http.request import current
from calendar_app.kinds import ORGANIZER, VENUE
from calendar_app.readmodel.records import local_text
from calendar_app.resources.linked import VenueListSchema, list_schema

_MOST = 20
_LISTS: Mapping[str, tuple[Kind, Schema]] = MappingProxyType(
    {"venue": (VENUE, VenueListSchema()), "organizer": (ORGANIZER, list_schema(ORGANIZER)())}
)


class Suggestion(NamedTuple):
    """A record that can be linked; ``place`` tells namesakes apart."""

    id: int
    name: str
    place: str = ""

    @property
    def label(self) -> str:
        return f"{self.name}, {self.place}" if self.place else self.name


def linked(name: str, values: Values) -> list[Any]:
    """Return the links of a form: ids, and the data of a new record.

    Raises ``ValueError`` where a typed name is that of no record, or of several.
    """
    typed = values.get(f"{name}_find", "").strip()
    new = {**(values.get(f"{name}_new") or {})}
    if "website" in new:
        new["website"] = whole_address(new["website"])
    links: list[Any] = [*values[name]]
    if typed and not new:
        links.append(_find(name, typed))
    return [*links, new] if new else links


def suggest(name: str, text: str = "", most: int = _MOST) -> list[Suggestion]:
    """Return the records of a kind that match a text and that the caller may read."""
    kind, schema = _LISTS[name]
    sent = {"per_page": str(most), "status": "any"} | ({"search": text} if text else {})
    page = current.reader().search(kind, schema.load(sent).listing, current.caller())
    return _suggestions(kind, page.items)


def names_of(name: str, ids: list[str]) -> list[Suggestion]:
    """Return the linked records of a form that events show to the caller, in their order."""
    kind, _ = _LISTS[name]
    numbers = [number for number in map(parse_digits, ids) if number is not None]
    found = current.reader().records_of({kind.name: set(numbers)})
    existing = [found[kind.name, number] for number in numbers if found.get((kind.name, number))]
    caller = current.caller()
    return _suggestions(kind, [record for record in existing if is_shown(caller, record)])


def _suggestions(kind: Kind, found: list[Record]) -> list[Suggestion]:
    return [_suggestion(kind, record) for record in found]


def _suggestion(kind: Kind, record: Record) -> Suggestion:
    name, city = (local_text(record, field, current.chain()).text for field in (kind.label, "city"))
    return Suggestion(record["_id"], name, city)


def _find(name: str, typed: str) -> int:
    named = fold(typed)
    matches = [
        each
        for each in suggest(name, typed.partition(",")[0])
        if named in (fold(each.name), fold(each.label))
    ]
    if len(matches) == 1:
        return matches[0].id
    if matches:
        raise ValueError(Message("Several have this name. Choose one from the list."))
    raise ValueError(
        Message(
            "Nothing here is called «{text}». Choose from the list, or enter it as new.", text=typed
        )
    )
