"""The parts that the pages of contributions share."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from flask import abort
from werkzeug.exceptions import RequestEntityTooLarge

from calendar_app.accounts.policy import ANYONE
from calendar_app.calendar.pictures.uploads import Upload
from calendar_app.domain.kind import Kind
from calendar_app.errors import InvalidParameters, Message, TooManySubmissions
from calendar_app.http.request import current
from calendar_app.kinds import CATEGORY, ORGANIZER, VENUE
from calendar_app.pages.answers import page
from calendar_app.pages.places import same_path
from calendar_app.pages.submission_forms import in_page_order
from calendar_app.pages.submission_values import Problems
from calendar_app.query.list_query import ByText, Listing, Window
from calendar_app.readmodel.records import LocalText, local_text
from calendar_app.resources.submissions.handling import read_form, sent_picture

PATH = "events/submit/"
PICTURE_AGAIN = Message("Please choose the picture once more; everything else is still here.")
_TOO_LARGE = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
_MOST_NAMES, _MOST_CATEGORIES = 300, 60


def begin() -> None:
    if not current.settings().submissions:
        abort(HTTPStatus.NOT_FOUND)
    current.settle_languages()
    try:
        read_form(current.context())
    except RequestEntityTooLarge:
        # The fields have not been read; only the browser still has them.
        abort(
            page("submission_too_large.html", _TOO_LARGE, alternates=same_path(current.context()))
        )
    # What these pages show depends on the time, so that no answer is remembered.
    current.now()


def asks_for_language() -> bool:
    """Return whether a form was sent to be shown in another language, not to be received."""
    return bool(current.request().form.get("page_language"))


def lost_picture() -> Problems:
    """Return the problem of a picture that was sent along with a form that is shown again."""
    file = current.request().files.get("image")
    return {"image": PICTURE_AGAIN} if file and file.filename else {}


def checked_picture(problems: Problems) -> tuple[Upload | None, Problems]:
    """Return the picture that was sent, and the problems of the form with those of the picture.

    A browser does not send a file twice, so that one beside other problems is asked for again.
    """
    try:
        picture = sent_picture(current.context())
    except InvalidParameters as error:
        return None, in_page_order({**problems, **error.reasons})
    if picture is not None and problems:
        return None, in_page_order({**problems, "image": PICTURE_AGAIN})
    return picture, problems


def too_many(error: TooManySubmissions) -> Message:
    """Return when the next contribution is taken."""
    minutes = -(-error.retry_after // 60)
    return Message(
        "Many events have been sent of late. Please send yours again in {minutes} minutes.",
        minutes=minutes,
    )


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
    return [local_text(record, kind.label, current.chain()).text for record in listed]


def _categories() -> list[tuple[str, LocalText]]:
    listing = Listing(Window(1, _MOST_CATEGORIES), ByText("name", current.chain()))
    listed = current.reader().search(CATEGORY, listing, ANYONE).items
    return [(str(term["_id"]), local_text(term, "name", current.chain())) for term in listed]
