"""Presentation of venues, organizers and terms; empty fields are omitted, as in the reference."""

from collections.abc import Callable
from typing import Any

from calendar_app.api.presentation.json_ld import organization_node, place_node
from calendar_app.api.presentation.media import IMAGE, present_image
from calendar_app.api.presentation.nodes import document
from calendar_app.api.presentation.records import (
    AUTHORED,
    DISTANCE,
    GLOBAL_IDS,
    LANGUAGE,
    TRANSLATED,
    VARIANTS,
    Common,
    Presented,
    RecordView,
    escaped,
    json_ld,
    stored,
    text,
)
from calendar_app.api.presentation.shapes import (
    ABSENT,
    Field,
    JSONObject,
    Shape,
    ShapeFields,
    Type,
    by_name,
)
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, ORGANIZER, TAG, VENUE
from calendar_app.domain.kinds.linked import state_or_province
from calendar_app.readmodel.linked import ReadOrganizer, ReadTerm, ReadVenue


def _unless_empty(type_: Type, value: Callable[[Any], Any], meaning: str) -> Field[Any]:
    return Field(type_, value, meaning, unless_empty=True)


def _post(label: str, own: ShapeFields[Any], node: Callable[[Any], JSONObject]) -> ShapeFields[Any]:
    """Return the fields that venues and organizers share, and their ``own`` ones."""
    return {
        "id": Field("integer", stored("_id"), "The id of the record."),
        **AUTHORED,
        "url": Field("string", lambda it: it.read.url, "The page of the record."),
        label: Field("string", escaped(label), "The name, as HTML text."),
        "description": _unless_empty("string", text("description"), "The description, as HTML."),
        "slug": Field("string", text("slug"), "The name of the record in addresses."),
        "image": _unless_empty(
            IMAGE, lambda it: present_image(it.read, it.view) or None, "The picture."
        ),
        **own,
        **GLOBAL_IDS,
        **TRANSLATED,
        **json_ld(lambda it: document(node(it.read))),
    }


_LINES = {
    "address": "The street and its number.",
    "city": "The town.",
    "country": "The country.",
    "province": "The province, where the country has some.",
    "state": "The state, where the country has some.",
}


_PHONE, _WEBSITE = "The telephone number.", "Its website."


def _state_or_province(it: Presented[ReadVenue]) -> str:
    return it.texts.get("stateprovince") or state_or_province(it.texts)


def _coordinate(index: int, meaning: str) -> Field[Any]:
    return _unless_empty("number", lambda it: it.read.point and it.read.point[index], meaning)


_OF_VENUES: ShapeFields[Any] = {
    **{line: _unless_empty("string", text(line), meaning) for line, meaning in _LINES.items()},
    "zip": _unless_empty("string", stored("zip"), "The postal code."),
    "phone": _unless_empty("string", stored("phone"), _PHONE),
    "website": _unless_empty("string", text("website"), _WEBSITE),
    "stateprovince": _unless_empty("string", _state_or_province, "The province, else the state."),
    "geo_lat": _coordinate(1, "The latitude in degrees."),
    "geo_lng": _coordinate(0, "The longitude in degrees."),
    **DISTANCE,
    "show_map": Field("boolean", stored("show_map"), "Whether pages of its events show a map."),
    "show_map_link": Field(
        "boolean", stored("show_map_link"), "Whether pages of its events link to a map."
    ),
}
VENUE_SHAPE = Shape[Presented[ReadVenue]]("Venue", _post(VENUE.label, _OF_VENUES, place_node))
_OF_ORGANIZERS: ShapeFields[Any] = {
    "phone": _unless_empty("string", stored("phone"), _PHONE),
    "website": _unless_empty("string", text("website"), _WEBSITE),
    "email": _unless_empty("string", stored("email"), "The e-mail address."),
}
ORGANIZER_SHAPE = Shape[Presented[ReadOrganizer]](
    "Organizer", _post(ORGANIZER.label, _OF_ORGANIZERS, organization_node)
)


def present_venue(
    venue: Record, view: RecordView, *, single: bool = False, shape: Shape[Any] = VENUE_SHAPE
) -> JSONObject:
    """Present a venue; ``single`` adds ``json_ld``."""
    read = ReadVenue(venue, view.context)
    return shape.present(Presented(VENUE, read, view, single=single))


def present_organizer(
    organizer: Record,
    view: RecordView,
    *,
    single: bool = False,
    shape: Shape[Any] = ORGANIZER_SHAPE,
) -> JSONObject:
    """Present an organizer; ``single`` adds ``json_ld``."""
    read = ReadOrganizer(organizer, view.context)
    return shape.present(Presented(ORGANIZER, read, view, single=single))


_TAXONOMIES = {"categories": "calendar_events_cat", "tags": "post_tag"}
_ADDRESSES: Common = {
    "urls": Field(
        by_name("string"),
        lambda it: _term_addresses(it.kind, it.record, it.view),
        "The pages of its events, by language.",
    )
}
_TAXONOMY: Common = {
    "taxonomy": Field(
        "string", lambda it: _TAXONOMIES[it.kind.name], "The taxonomy, as WordPress names it."
    )
}
_PARENT: Common = {
    "parent": Field(
        "integer",
        lambda it: it.record.get("parent", 0),
        "The id of the category above it; 0 for none.",
    )
}
_COUNT: Common = {
    "count": Field("integer", stored("count"), "The number of public events with it.")
}


def _term(own: Common) -> ShapeFields[Presented[ReadTerm]]:
    """Return the fields that categories and tags share, and their ``own`` ones."""
    return {
        "id": Field("integer", stored("_id"), "The id of the term."),
        **_COUNT,
        "description": Field("string", text("description"), "What the term means."),
        "name": Field("string", escaped("name"), "The name, as HTML text."),
        "slug": Field("string", text("slug"), "The name of the term in addresses."),
        **_TAXONOMY,
        **own,
        "meta": Field([{}], lambda _: [], "Always empty, for compatibility with WordPress."),
        "url": Field("string", lambda it: it.read.url, "The page of the events with this term."),
        **_ADDRESSES,
        **TRANSLATED,
        "_links": Field("object", _term_links, "Links to related routes.", sometimes=True),
    }


def _term_links(it: Presented[ReadTerm]) -> Any:
    """Return the addresses in the format of WordPress' link discovery."""
    if not it.single:
        return ABSENT
    return {
        relation: [{"href": address, **({"embeddable": True} if relation == "up" else {})}]
        for relation, address in _term_addresses(it.kind, it.record, it.view).items()
    }


TERM_SHAPES = {
    CATEGORY.name: Shape("Category", _term(_PARENT)),
    TAG.name: Shape("Tag", _term({})),
}
# In the shape of WordPress' raw record.
TERM_IN_EVENT = Shape[Presented[ReadTerm]](
    "TermInEvent",
    {
        "name": Field("string", escaped("name"), "The name, as HTML text."),
        "slug": Field("string", text("slug"), "The name of the term in addresses."),
        "term_group": Field("integer", lambda _: 0, "Always 0, for compatibility with WordPress."),
        "term_taxonomy_id": Field("integer", stored("_id"), "The id of the term."),
        **_TAXONOMY,
        "description": Field("string", text("description"), "What the term means."),
        **_PARENT,
        **_COUNT,
        "filter": Field("string", lambda _: "raw", "Always raw, for compatibility with WordPress."),
        "id": Field("integer", stored("_id"), "The id of the term."),
        **_ADDRESSES,
        **LANGUAGE,
        **VARIANTS,
    },
)


def present_term(
    kind: Kind,
    term: Record,
    view: RecordView,
    *,
    single: bool = False,
    shape: Shape[Any] | None = None,
) -> JSONObject:
    """Present a term as its own routes do."""
    shape = shape or TERM_SHAPES[kind.name]
    return shape.present(_presented(kind, term, view, single=single))


def present_term_in_event(kind: Kind, term: Record, view: RecordView) -> JSONObject:
    return TERM_IN_EVENT.present(_presented(kind, term, view))


def _presented(
    kind: Kind, term: Record, view: RecordView, *, single: bool = False
) -> Presented[ReadTerm]:
    return Presented(kind, ReadTerm(term, view.context, kind.singular), view, single=single)


def _term_addresses(kind: Kind, term: Record, view: RecordView) -> JSONObject:
    urls = {
        "self": view.context.addresses.record(kind.name, term["_id"]),
        "collection": view.context.addresses.collection(kind.name),
    }
    if term.get("parent"):
        urls["up"] = view.context.addresses.record(kind.name, term["parent"])
    return urls
