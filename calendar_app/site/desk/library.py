"""Pictures and places that forms offer from the stock."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Response, request

from calendar_app.accounts.callers import Right
from calendar_app.api.http.request import current
from calendar_app.api.http.views import records
from calendar_app.api.resources.linked import VenueListSchema
from calendar_app.api.resources.media import MediaListSchema
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import MEDIA, VENUE
from calendar_app.domain.numbers import parse_digits
from calendar_app.readmodel.linked import ReadMedia
from calendar_app.site.desk.rendering import render
from calendar_app.site.desk.routing import page

_PER_PAGE = 12
_LONGEST = 100
_LAST_PAGE = 9999
_SEARCH, _PAGE = "picture_search", "picture_page"


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A picture to choose."""

    id: int
    url: str
    name: str
    alternative_text: str


@dataclass(frozen=True, slots=True)
class Library:
    """A page of the pictures that the caller sees, the newest first.

    ``is_asked`` tells that it was opened, and not the form alone.
    """

    thumbnails: list[Thumbnail]
    search: str
    number: int
    pages: int
    total: int
    is_asked: bool


@page("/media/library", needs=Right.EDIT)
def picture_library() -> Response:
    """Show pictures alone, for the script of a form."""
    return render("library_page.html", library=sent_library())


def asks_for_pictures() -> bool:
    """Return whether a form was sent to see other pictures, and not to be saved."""
    sent = request.form
    return sent.get("button") == "pictures" or _PAGE in sent


def sent_library() -> Library:
    """Return the pictures by the search and the page that were sent."""
    context = current.context()
    sent = request.values
    search, number = sent.get(_SEARCH, "").strip()[:_LONGEST], sent.get(_PAGE, "")
    page = min(parse_digits(number) or 1, _LAST_PAGE)
    parameters = {"page": str(page), "per_page": str(_PER_PAGE)}
    if search:
        parameters["search"] = search
    listing = MediaListSchema().load(parameters).listing
    matches = context.reader.search(MEDIA, listing, context.caller)
    shared = records.context_of(MEDIA, matches.items)
    thumbnails = [_thumbnail(ReadMedia(record, shared)) for record in matches.items]
    for_pictures = asks_for_pictures()
    return Library(
        thumbnails, search, matches.window.number, matches.pages, matches.total, for_pictures
    )


def picture_of(record: Record) -> str:
    """Return the address of the smallest file of a picture."""
    folder = current.context().addresses.picture_folder(record)
    sizes = sorted(record["sizes"].values(), key=lambda size: int(size["width"]))
    return f"{folder}/{sizes[0]['filename'] if sizes else record['filename']}"


def _thumbnail(media: ReadMedia) -> Thumbnail:
    name = media.name.text or media.record["filename"]
    return Thumbnail(media.id, picture_of(media.record), name, media.line("alt_text").text)


# Where the map of a form begins when no point is set yet.

_MOST = 50


def known_area() -> Sequence[float]:
    """Return west, south, east and north of the newest places; empty without tiles or places."""
    context = current.context()
    if not context.settings.map_tiles:
        return ()
    sent = {"geoloc": "true", "status": "any", "per_page": str(_MOST)}
    listing = VenueListSchema().load(sent).listing
    venues = context.reader.search(VENUE, listing, context.caller).items
    if not venues:
        return ()
    longitudes, latitudes = zip(*(each["location"]["coordinates"] for each in venues), strict=True)
    return (min(longitudes), min(latitudes), max(longitudes), max(latitudes))
