"""Presentation of an organizer; empty fields are omitted, as in the reference."""

from calendar_app.domain.kind import Record
from calendar_app.domain.richtext import escape, plain
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
from calendar_app.resources.organizers.kind import ORGANIZER


def present(organizer: Record, view: View, *, single: bool = False) -> JSONObject:
    """Present an organizer; ``single`` adds ``json_ld``."""
    cache_name = "organizers+" if single else "organizers"
    return view.cached(
        cache_name, organizer["_id"], lambda: _present(organizer, view, single=single)
    )


def describe(organizer: Record, view: View) -> Node:
    """Describe an organizer as a JSON-LD document."""
    described: Node = present(organizer, view, single=True)["json_ld"]
    return described


def _present(organizer: Record, view: View, *, single: bool) -> JSONObject:
    texts = localized(ORGANIZER, organizer, view)
    image = present_image(organizer, view)
    body = {
        "id": organizer["_id"],
        **authored(organizer, view),
        "url": page_address(ORGANIZER, organizer, texts, view),
        "organizer": escape(texts["organizer"]),
        "description": texts["description"],
        "slug": texts["slug"],
        "image": image or None,
        "phone": organizer["phone"],
        "website": texts["website"],
        "email": organizer["email"],
        **global_ids(organizer, view),
        **translation_state(ORGANIZER, organizer, texts, view),
    }
    if single:
        body["json_ld"] = document(_organization(body))
    return without_empty(body, ("organizer", "slug"))


def _organization(body: JSONObject) -> Node:
    """Return the schema.org Organization; the e-mail address is unencoded."""
    properties = {
        "name": plain(body["organizer"]),
        "description": plain(body["description"]),
        "image": pictures(body["image"]),
        "url": body["website"] or body["url"],
        "telephone": body["phone"],
        "email": body["email"],
        "sameAs": body["website"],
    }
    return node("Organization", properties)
