"""An organizer as one reader sees it. What is empty is left out, as in the reference."""

from calendar_app.domain.kind import Record
from calendar_app.domain.richtext import escape, plain
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
from calendar_app.resources.organizers.kind import ORGANIZER


def present(organizer: Record, view: View, *, single: bool = False) -> Shown:
    """Return the organizer; ``json_ld`` only where it stands alone or in an event that does."""
    as_what = "organizers+" if single else "organizers"
    return view.once(as_what, organizer["_id"], lambda: _present(organizer, view, single=single))


def describe(organizer: Record, view: View) -> Node:
    """Return the organizer as a document of JSON-LD."""
    described: Node = present(organizer, view, single=True)["json_ld"]
    return described


def _present(organizer: Record, view: View, *, single: bool) -> Shown:
    texts = localized(ORGANIZER, organizer, view)
    image = shown_image(organizer, view)
    shown = {
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
        **standing(ORGANIZER, organizer, texts, view),
    }
    if single:
        shown["json_ld"] = document(_organization(shown))
    return without_empty(shown, ("organizer", "slug"))


def _organization(shown: Shown) -> Node:
    """Return the organizer as a schema.org Organization; the address of the mail stands plain."""
    described = {
        "name": plain(shown["organizer"]),
        "description": plain(shown["description"]),
        "image": pictures(shown["image"]),
        "url": shown["website"] or shown["url"],
        "telephone": shown["phone"],
        "email": shown["email"],
        "sameAs": shown["website"],
    }
    return node("Organization", described)
