"""The parts that the pages of contributions share."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from flask import abort

from calendar_app.accounts.caller import ANYONE
from calendar_app.domain.kind import Kind
from calendar_app.http.request import current
from calendar_app.pages.cards import Text
from calendar_app.pages.terms import text_of
from calendar_app.query.list_query import ByText, Listing, Window
from calendar_app.resources.categories.kind import CATEGORY
from calendar_app.resources.organizers.kind import ORGANIZER
from calendar_app.resources.venues.kind import VENUE

PATH = "events/submit/"
_MOST_NAMES, _MOST_CATEGORIES = 300, 60


def begin() -> None:
    if not current.settings().submissions:
        abort(HTTPStatus.NOT_FOUND)
    current.settle_languages()
    # What these pages show depends on the time, so that no answer is remembered.
    current.now()


def choices() -> Mapping[str, Any]:
    """Return the languages, names of public places and organizers, and the categories."""
    own = current.language()
    return {
        "written_languages": sorted(current.settings().languages, key=lambda tag: tag != own),
        "venues": _names(VENUE),
        "organizers": _names(ORGANIZER),
        "categories": _categories(),
    }


def _names(kind: Kind) -> list[str]:
    order = ByText(kind.label, current.chain())
    listing = Listing(Window(1, _MOST_NAMES), order, statuses=("publish",))
    listed = current.reader().search(kind, listing, ANYONE).items
    return [text_of(record, kind.label, current.chain()).text for record in listed]


def _categories() -> list[tuple[str, Text]]:
    listing = Listing(Window(1, _MOST_CATEGORIES), ByText("name", current.chain()))
    listed = current.reader().search(CATEGORY, listing, ANYONE).items
    return [(str(term["_id"]), text_of(term, "name", current.chain())) for term in listed]
