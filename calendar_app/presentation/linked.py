"""Presentation of venues, organizers and terms; empty fields are omitted, as in the reference."""

from collections.abc import Callable
from typing import TypeVar

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.languages import Localized
from calendar_app.domain.richtext import escape
from calendar_app.kinds import ORGANIZER, VENUE
from calendar_app.kinds.linked import state_or_province
from calendar_app.presentation.json_ld import document, organization_node, place_node
from calendar_app.presentation.media import present_image
from calendar_app.presentation.records import (
    JSONObject,
    View,
    authored,
    distance,
    global_ids,
    stored_texts,
    translation_state,
    without_empty,
)
from calendar_app.readmodel.linked import ReadOrganizer, ReadTerm, ReadVenue

Post = TypeVar("Post", ReadVenue, ReadOrganizer)
_LINES = ("address", "city", "country", "province", "state")


def present_venue(venue: Record, view: View, *, single: bool = False) -> JSONObject:
    """Present a venue; ``single`` adds ``json_ld``."""
    read = ReadVenue(venue, view.context)
    return _post(VENUE, read, view, _of_venue, place_node if single else None)


def present_organizer(organizer: Record, view: View, *, single: bool = False) -> JSONObject:
    """Present an organizer; ``single`` adds ``json_ld``."""
    read = ReadOrganizer(organizer, view.context)
    return _post(ORGANIZER, read, view, _of_organizer, organization_node if single else None)


def _post(
    kind: Kind,
    read: Post,
    view: View,
    own: Callable[[Post, Localized], JSONObject],
    node: Callable[[Post], JSONObject] | None,
) -> JSONObject:
    """Present what venues and organizers have alike, and their ``own`` fields."""
    record, texts = read.record, read.localized(kind.translatable)
    body = {
        "id": read.id,
        **authored(record, view),
        "url": read.url,
        kind.label: escape(texts[kind.label]),
        "description": texts["description"],
        "slug": texts["slug"],
        "image": present_image(read, view) or None,
        **own(read, texts),
        **global_ids(record, view),
        **translation_state(kind, read, texts, view),
        **({"json_ld": document(node(read))} if node else {}),
    }
    return without_empty(body, (kind.label, "slug"))


def _of_venue(venue: ReadVenue, texts: Localized) -> JSONObject:
    record = venue.record
    longitude, latitude = venue.point or (None, None)
    return {
        **{name: texts[name] for name in _LINES},
        "zip": record["zip"],
        "phone": record["phone"],
        "website": texts["website"],
        "stateprovince": texts["stateprovince"] or state_or_province(texts),
        "geo_lat": latitude,
        "geo_lng": longitude,
        **distance(record),
        "show_map": record["show_map"],
        "show_map_link": record["show_map_link"],
    }


def _of_organizer(organizer: ReadOrganizer, texts: Localized) -> JSONObject:
    record = organizer.record
    return {"phone": record["phone"], "website": texts["website"], "email": record["email"]}


_TAXONOMIES = {"categories": "calendar_events_cat", "tags": "post_tag"}


def present_term(kind: Kind, term: Record, view: View, *, single: bool = False) -> JSONObject:
    """Present a term as its own routes do."""
    read = read_term(kind, term, view)
    texts = read.localized(kind.translatable)
    body: JSONObject = {
        "id": term["_id"],
        "count": term["count"],
        "description": texts["description"],
        "name": escape(texts["name"]),
        "slug": texts["slug"],
        "taxonomy": _TAXONOMIES[kind.name],
    }
    if "parent" in term:
        body["parent"] = term["parent"]
    body |= {
        "meta": [],
        "url": read.url,
        "urls": _term_addresses(kind, term, view),
        **translation_state(kind, read, texts, view),
    }
    if single:
        body["_links"] = _term_links(body["urls"])
    return body


def read_term(kind: Kind, term: Record, view: View) -> ReadTerm:
    return ReadTerm(term, view.context, kind.singular)


def present_term_in_event(kind: Kind, term: Record, view: View) -> JSONObject:
    """Present a term inside an event, in the shape of WordPress' raw record."""
    read = read_term(kind, term, view)
    texts = read.localized(kind.translatable)
    return {
        "name": escape(texts["name"]),
        "slug": texts["slug"],
        "term_group": 0,
        "term_taxonomy_id": term["_id"],
        "taxonomy": _TAXONOMIES[kind.name],
        "description": texts["description"],
        "parent": term.get("parent", 0),
        "count": term["count"],
        "filter": "raw",
        "id": term["_id"],
        "urls": _term_addresses(kind, term, view),
        "language": view.context.chain[0],
        "fallback_fields": list(texts.fallback_fields),
        **stored_texts(kind, read, view),
    }


def _term_addresses(kind: Kind, term: Record, view: View) -> JSONObject:
    urls = {
        "self": view.context.addresses.record(kind.name, term["_id"]),
        "collection": view.context.addresses.collection(kind.name),
    }
    if term.get("parent"):
        urls["up"] = view.context.addresses.record(kind.name, term["parent"])
    return urls


def _term_links(urls: JSONObject) -> JSONObject:
    """Return the addresses in the format of WordPress' link discovery."""
    return {
        relation: [{"href": address, **({"embeddable": True} if relation == "up" else {})}]
        for relation, address in urls.items()
    }
