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


def _unless_empty(type_: Type, value: Callable[[Any], Any]) -> Field[Any]:
    return Field(type_, value, unless_empty=True)


def _post(label: str, own: ShapeFields[Any], node: Callable[[Any], JSONObject]) -> ShapeFields[Any]:
    """Return the fields that venues and organizers share, and their ``own`` ones."""
    return {
        "id": Field("integer", stored("_id")),
        **AUTHORED,
        "url": Field("string", lambda it: it.read.url),
        label: Field("string", escaped(label)),
        "description": _unless_empty("string", text("description")),
        "slug": Field("string", text("slug")),
        "image": _unless_empty(IMAGE, lambda it: present_image(it.read, it.view) or None),
        **own,
        **GLOBAL_IDS,
        **TRANSLATED,
        **json_ld(lambda it: document(node(it.read))),
    }


_LINES = ("address", "city", "country", "province", "state")


def _state_or_province(it: Presented[ReadVenue]) -> str:
    return it.texts["stateprovince"] or state_or_province(it.texts)


def _coordinate(index: int) -> Field[Any]:
    return _unless_empty("number", lambda it: it.read.point and it.read.point[index])


_OF_VENUES: ShapeFields[Any] = {
    **{line: _unless_empty("string", text(line)) for line in _LINES},
    "zip": _unless_empty("string", stored("zip")),
    "phone": _unless_empty("string", stored("phone")),
    "website": _unless_empty("string", text("website")),
    "stateprovince": _unless_empty("string", _state_or_province),
    "geo_lat": _coordinate(1),
    "geo_lng": _coordinate(0),
    **DISTANCE,
    "show_map": Field("boolean", stored("show_map")),
    "show_map_link": Field("boolean", stored("show_map_link")),
}
VENUE_SHAPE = Shape[Presented[ReadVenue]]("Venue", _post(VENUE.label, _OF_VENUES, place_node))
_OF_ORGANIZERS: ShapeFields[Any] = {
    "phone": _unless_empty("string", stored("phone")),
    "website": _unless_empty("string", text("website")),
    "email": _unless_empty("string", stored("email")),
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
    "urls": Field(by_name("string"), lambda it: _term_addresses(it.kind, it.record, it.view))
}
_TAXONOMY: Common = {"taxonomy": Field("string", lambda it: _TAXONOMIES[it.kind.name])}
_PARENT: Common = {"parent": Field("integer", lambda it: it.record.get("parent", 0))}
_COUNT: Common = {"count": Field("integer", stored("count"))}


def _term(own: Common) -> ShapeFields[Presented[ReadTerm]]:
    """Return the fields that categories and tags share, and their ``own`` ones."""
    return {
        "id": Field("integer", stored("_id")),
        **_COUNT,
        "description": Field("string", text("description")),
        "name": Field("string", escaped("name")),
        "slug": Field("string", text("slug")),
        **_TAXONOMY,
        **own,
        "meta": Field([{}], lambda _: []),
        "url": Field("string", lambda it: it.read.url),
        **_ADDRESSES,
        **TRANSLATED,
        "_links": Field("object", _term_links, sometimes=True),
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
        "name": Field("string", escaped("name")),
        "slug": Field("string", text("slug")),
        "term_group": Field("integer", lambda _: 0),
        "term_taxonomy_id": Field("integer", stored("_id")),
        **_TAXONOMY,
        "description": Field("string", text("description")),
        **_PARENT,
        **_COUNT,
        "filter": Field("string", lambda _: "raw"),
        "id": Field("integer", stored("_id")),
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
