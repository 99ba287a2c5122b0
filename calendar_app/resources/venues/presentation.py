"""Presentation of a venue; empty fields are omitted, as in the reference."""

from calendar_app.domain.kind import Record
from calendar_app.domain.richtext import escape, plain
from calendar_app.http.lists.geography import distance
from calendar_app.http.presentation.linked_data import Node, document, node, pictures
from calendar_app.http.presentation.presenting import (
    JSONObject,
    View,
    authored,
    global_ids,
    localized,
    page_address,
    translation_state,
    without_empty,
)
from calendar_app.resources.media.presentation import present_image
from calendar_app.resources.venues.kind import VENUE, state_or_province

_LINES = ("address", "city", "country", "province", "state")


def present(venue: Record, view: View, *, single: bool = False) -> JSONObject:
    """Present a venue; ``single`` adds ``json_ld``."""
    cache_name = "venues+" if single else "venues"
    return view.cached(cache_name, venue["_id"], lambda: _present(venue, view, single=single))


def describe(venue: Record, view: View) -> Node:
    """Describe a venue as a JSON-LD document."""
    described: Node = present(venue, view, single=True)["json_ld"]
    return described


def _present(venue: Record, view: View, *, single: bool) -> JSONObject:
    texts = localized(VENUE, venue, view)
    body = {
        "id": venue["_id"],
        **authored(venue, view),
        "url": page_address(VENUE, venue, texts, view),
        "venue": escape(texts["venue"]),
        "description": texts["description"],
        "slug": texts["slug"],
        "image": present_image(venue, view) or None,
        **{name: texts[name] for name in _LINES},
        "zip": venue["zip"],
        "phone": venue["phone"],
        "website": texts["website"],
        "stateprovince": texts["stateprovince"] or state_or_province(dict(texts.texts)),
        **_coordinates(venue),
        **distance(venue),
        "show_map": venue["show_map"],
        "show_map_link": venue["show_map_link"],
        **global_ids(venue, view),
        **translation_state(VENUE, venue, texts, view),
    }
    if single:
        body["json_ld"] = document(_place(body))
    return without_empty(body, ("venue", "slug"))


def _coordinates(venue: Record) -> JSONObject:
    if not venue["location"]:
        return {}
    longitude, latitude = venue["location"]["coordinates"]
    return {"geo_lat": latitude, "geo_lng": longitude}


def _place(body: JSONObject) -> Node:
    """Return the schema.org Place."""
    address = {
        "streetAddress": body["address"],
        "addressLocality": body["city"],
        "addressRegion": body["stateprovince"],
        "postalCode": body["zip"],
        "addressCountry": body["country"],
    }
    geo = {"latitude": body.get("geo_lat"), "longitude": body.get("geo_lng")}
    properties = {
        "name": plain(body["venue"]),
        "description": plain(body["description"]),
        "image": pictures(body["image"]),
        "url": body["url"],
        "address": node("PostalAddress", address) if any(address.values()) else None,
        "geo": node("GeoCoordinates", geo) if "geo_lat" in body else None,
        "telephone": body["phone"],
        "sameAs": body["website"],
    }
    return node("Place", properties)
