"""The page of the desk and the short address of the feed, with the settings for both.

``[plugins.jsonfeed]`` may have ``author``: who is named in the feed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, redirect
from markupsafe import Markup
from werkzeug.wrappers import Response

from calendar_app.plugins import DeskPage, DeskVisit, Right

FEED = "/calendar/events/v1/events.json"
TITLE = {"de": "JSON Feed", "en": "JSON Feed"}
_WORDS = {
    "de": ("Für Leseprogramme, die kein Atom lesen.", "Adresse", "Wer genannt wird", "niemand"),
    "en": ("For readers that do not read Atom.", "Address", "Who is named", "nobody"),
}
_PAGE = Markup(
    '<section class="card"><p>{}</p><h2>{}</h2><p><a href="{}">events.json</a></p>'
    "<h2>{}</h2><p>{}</p></section>"
)


@dataclass(slots=True)
class _Chosen:
    """The settings of this plugin."""

    author: str = ""


CHOSEN = _Chosen()


def configure(own: Mapping[str, Any]) -> None:
    """Take the settings; raise ``TypeError`` for a value that is no text."""
    author = own.get("author", "")
    if not isinstance(author, str):
        raise TypeError("The author must be a text.")
    CHOSEN.author = author


def _show(visit: DeskVisit) -> str:
    words = next((_WORDS[each] for each in visit.languages if each in _WORDS), _WORDS["en"])
    about, address, named, nobody = words
    return _PAGE.format(about, address, FEED, named, CHOSEN.author or nobody)


PAGE = DeskPage("about", TITLE, Right.EDIT, _show)
ROUTES = Blueprint("jsonfeed", __name__)


@ROUTES.get("/feed")
def feed() -> Response:
    """Lead to the feed, from an address that can be said on the phone."""
    return redirect(FEED)
