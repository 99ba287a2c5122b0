"""The page at which people without an account send events."""

from http import HTTPStatus

from flask import Response

from calendar_app.accounts.secrets import SOONEST, Stamp
from calendar_app.errors import InvalidParameters, Message, TooManySubmissions
from calendar_app.http.request import current
from calendar_app.pages.answers import page
from calendar_app.pages.following import see_own_page
from calendar_app.pages.places import same_path
from calendar_app.pages.submission_forms import by_field, check_new
from calendar_app.pages.submission_pages import (
    PICTURE_AGAIN,
    asks_for_language,
    begin,
    checked_picture,
    choices,
    lost_picture,
    too_many,
)
from calendar_app.pages.submission_values import FormValues, Problems, sent_values
from calendar_app.resources.submissions.handling import receive

# A field that people do not see; who fills it in is a robot.
TRAP = "subject"
_BAD = HTTPStatus.BAD_REQUEST
_TOO_FAST = Message("That was very quick. Please look once more, then send it.")
_TOO_LATE = Message("This page has been open for long. Please send it once more.")


def submit() -> Response:
    """Show the form, or receive a contribution."""
    begin()
    if current.request().method != "POST":
        values = FormValues(languages=(current.language(),))
        return _form(values, {}, current.services().form_stamps.issue())
    if current.body_parameters().get(TRAP):
        return page("submission_thanks.html", alternates=same_path(current.context()))
    if asks_for_language():
        return _translated(sent_values())
    return _receive(sent_values())


def _translated(values: FormValues) -> Response:
    """Show what was typed in the other language of the page."""
    stamp = str(current.body_parameters().get("form", ""))
    return _form(values, lost_picture(), stamp)


def _receive(values: FormValues) -> Response:
    stamps, sent = current.services().form_stamps, str(current.body_parameters().get("form", ""))
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
        return _refused(values, lost | by_field(error), sent)
    return _see(stamp)


def _see(stamp: Stamp) -> Response:
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
        stamp=stamp,
        notice=notice,
        trap=TRAP,
        picture=None,
        mail=current.services().mailer.enabled,
        alternates=same_path(current.context()),
        **choices(),
    )
    # The stamp belongs to one reader.
    response.headers["Cache-Control"] = "private, no-store"
    return response
