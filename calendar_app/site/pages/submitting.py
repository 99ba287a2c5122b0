"""The page at which people without an account send events."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from flask import Response, abort
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.utils import redirect as redirected

from calendar_app.accounts.callers import ANYONE
from calendar_app.accounts.secrets import SOONEST, FormStamp
from calendar_app.api.http.request import current
from calendar_app.api.resources.submissions.handling import read_form, receive, sent_picture
from calendar_app.calendar.pictures.uploads import Upload
from calendar_app.domain.kind import Kind
from calendar_app.domain.kinds import CATEGORY, ORGANIZER, VENUE
from calendar_app.domain.numbers import parse_digits
from calendar_app.errors import InvalidParameters, Message, TooManySubmissions
from calendar_app.readmodel.records import LocalText, local_text, shown
from calendar_app.site.pages.answers import page
from calendar_app.site.pages.forms import Problems
from calendar_app.site.pages.places import PageLinks, same_path
from calendar_app.site.pages.submission_form import (
    FormValues,
    by_field,
    check_new,
    in_page_order,
    labels_of,
    sent_values,
)
from calendar_app.storage.query.list_query import ByText, Listing, Window

PATH = "events/submit/"
PICTURE_AGAIN = Message("Please choose the picture once more; everything else is still here.")
_TOO_LARGE = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
_MOST_NAMES, _MOST_CATEGORIES = 300, 2_000
# A field that people do not see; who fills it in is a robot.
TRAP = "subject"
_BAD = HTTPStatus.BAD_REQUEST
_TOO_FAST = Message("That was very quick. Please look once more, then send it.")
_TOO_LATE = Message("This page has been open for long. Please send it once more.")
SENT = "sent/"


def submit() -> Response:
    """Show the form, or receive a contribution."""
    context = current.context()
    begin()
    if context.request.method != "POST":
        values = FormValues(languages=(context.language,))
        return _form(values, {}, context.services.form_stamps.issue())
    if context.sent.body.get(TRAP):
        return page("submission_thanks.html", alternates=same_path(current.context()))
    if asks_for_language():
        return _translated(sent_values())
    return _receive(sent_values())


def _translated(values: FormValues) -> Response:
    """Show the inputs in the other language of the page."""
    stamp = str(current.context().sent.body.get("form", ""))
    return _form(values, lost_picture(), stamp)


def _receive(values: FormValues) -> Response:
    context = current.context()
    stamps, sent = context.services.form_stamps, str(context.sent.body.get("form", ""))
    stamp = stamps.read(sent)
    checked = check_new(values)
    picture, problems = checked_picture(checked.problems)
    lost: Problems = {"image": PICTURE_AGAIN} if picture else {}
    if stamp is None or stamp.is_stale:
        return _refused(values, problems or lost, stamps.issue(SOONEST), _TOO_LATE)
    if problems or stamp.is_hasty:
        return _refused(values, problems or lost, sent, _TOO_FAST if stamp.is_hasty else None)
    try:
        receive(current.context(), checked.changes, values.language, stamp.token, picture)
    except TooManySubmissions as error:
        return _throttled(values, lost, sent, error)
    except InvalidParameters as error:
        return _refused(values, lost | by_field(error.reasons), sent)
    return _see(stamp)


def _see(stamp: FormStamp) -> Response:
    """Lead to the page of the sender, so that nothing is sent twice by loading it again."""
    return see_own_page(stamp.token, done="sent")


def _refused(
    values: FormValues, problems: Problems, stamp: str, notice: Message | None = None
) -> Response:
    # Who has something to mend need not read that they were quick.
    return _form(values, problems, stamp, None if problems else notice, _BAD)


def _throttled(
    values: FormValues, problems: Problems, stamp: str, error: TooManySubmissions
) -> Response:
    notice = too_many(error)
    response = _form(values, problems, stamp, notice, HTTPStatus.TOO_MANY_REQUESTS)
    response.headers["Retry-After"] = str(error.retry_after)
    return response


def _form(
    values: FormValues,
    problems: Problems,
    stamp: str,
    notice: Message | None = None,
    status: int = HTTPStatus.OK,
) -> Response:
    response = page(
        "submit.html",
        status,
        is_unsaved=values.has_texts,
        values=values,
        problems=problems,
        labels_of=labels_of,
        stamp=stamp,
        notice=notice,
        trap=TRAP,
        picture=None,
        mail=current.context().services.mailer.enabled,
        alternates=same_path(current.context()),
        **choices(values.categories),
    )
    # The stamp belongs to one reader.
    response.headers["Cache-Control"] = "private, no-store"
    return response


# What the page of the sender has too


def begin() -> None:
    context = current.context()
    if not context.site.submissions:
        abort(HTTPStatus.NOT_FOUND)
    context.settle_languages()
    try:
        read_form(current.context())
    except RequestEntityTooLarge:
        # The fields have not been read; only the browser still has them.
        abort(
            page("submission_too_large.html", _TOO_LARGE, alternates=same_path(current.context()))
        )
    # What these pages show depends on the time, so that no answer is remembered.
    current.context().now()


def asks_for_language() -> bool:
    """Return whether a form was sent to be shown in another language, not to be received."""
    return bool(current.context().request.form.get("page_language"))


def lost_picture() -> Problems:
    """Return the problem of a picture that was sent along with a form that is shown again."""
    file = current.context().request.files.get("image")
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
        "Many events have been sent recently. Please send yours again in {minutes} minutes.",
        minutes=minutes,
    )


def choices(chosen: Iterable[str]) -> Mapping[str, Any]:
    """Return the languages, names of public places and organizers, and the categories.

    The ``chosen`` categories are always among them.
    """
    context = current.context()
    page_language = context.language
    return {
        "written_languages": sorted(
            context.settings.languages, key=lambda tag: tag != page_language
        ),
        "venues": _names(VENUE),
        "organizers": _names(ORGANIZER),
        "categories": _categories(chosen),
    }


def _names(kind: Kind) -> list[str]:
    context = current.context()
    order = ByText(kind.label, context.chain)
    listing = Listing(Window(1, _MOST_NAMES), order, statuses=("publish",))
    listed = context.reader.search(kind, listing, ANYONE).items
    records = (shown(record, context.settings) for record in listed)
    return [local_text(record, kind.label, context.chain).text for record in records]


def _categories(chosen: Iterable[str]) -> list[tuple[str, LocalText]]:
    context = current.context()
    listing = Listing(Window(1, _MOST_CATEGORIES), ByText("name", context.chain))
    listed = context.reader.search(CATEGORY, listing, ANYONE).items
    ids = {number for number in map(parse_digits, chosen) if number}
    records = context.reader.with_chosen(CATEGORY, listed, ids)
    terms = (shown(term, context.settings) for term in records)
    return [(str(term["_id"]), local_text(term, "name", context.chain)) for term in terms]


def see_own_page(token: str, **query: str) -> Response:
    home = PageLinks(current.context()).home()
    address = f"{home}{PATH}{SENT}?{urlencode({'token': token, **query})}"
    response: Any = redirected(address, HTTPStatus.SEE_OTHER, Response)
    response.headers["Cache-Control"] = "no-store"
    return response  # type: ignore[no-any-return]  # werkzeug types its own class
