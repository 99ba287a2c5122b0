"""A venue as one reader sees it. What is empty is left out, as in the reference."""

from calendar_app.domain.kind import Record
from calendar_app.domain.richtext import escape, plain
from calendar_app.http.lists.geography import distance
from calendar_app.http.presentation.linked_data import Node, document, node, pictures
from calendar_app.http.presentation.presenting import (
    Shown,
    View,
    authored,
    global_ids,
    localized,
    page_address,
    standing,
    without_empty,
)
from calendar_app.resources.media.presentation import shown_image
from calendar_app.resources.venues.kind import VENUE, state_or_province

_LINES = ("address", "city", "country", "province", "state")


def present(venue: Record, view: View, *, single: bool = False) -> Shown:
    """Return the venue; ``json_ld`` only where it stands alone or in an event that does."""
    as_what = "venues+" if single else "venues"
    return view.once(as_what, venue["_id"], lambda: _present(venue, view, single=single))


def describe(venue: Record, view: View) -> Node:
    """Return the venue as a document of JSON-LD."""
    described: Node = present(venue, view, single=True)["json_ld"]
    return described


def _present(venue: Record, view: View, *, single: bool) -> Shown:
    texts = localized(VENUE, venue, view)
    shown = {
        "id": venue["_id"],
        **authored(venue, view),
        "url": page_address(VENUE, venue, texts, view),
        "venue": escape(texts["venue"]),
        "description": texts["description"],
        "slug": texts["slug"],
        "image": shown_image(venue, view) or None,
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
        **standing(VENUE, venue, texts, view),
    }
    if single:
        shown["json_ld"] = document(_place(shown))
    return without_empty(shown, ("venue", "slug"))


def _coordinates(venue: Record) -> Shown:
    if not venue["location"]:
        return {}
    longitude, latitude = venue["location"]["coordinates"]
    return {"geo_lat": latitude, "geo_lng": longitude}


def _place(shown: Shown) -> Node:
    """Return the venue as a schema.org Place."""
    address = {
        "streetAddress": shown["address"],
        "addressLocality": shown["city"],
        "addressRegion": shown["stateprovince"],
        "postalCode": shown["zip"],
        "addressCountry": shown["country"],
    }
    geo = {"latitude": shown.get("geo_lat"), "longitude": shown.get("geo_lng")}
    described = {
        "name": plain(shown["venue"]),
        "description": plain(shown["description"]),
        "image": pictures(shown["image"]),
        "url": shown["url"],
        "address": node("PostalAddress", address) if any(address.values()) else None,
        "geo": node("GeoCoordinates", geo) if "geo_lat" in shown else None,
        "telephone": shown["phone"],
        "sameAs": shown["website"],
    }
    return node("Place", described)
