"""The pages at which people without an account send events, and follow and mend them."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from flask import Response, abort
from werkzeug.utils import redirect as redirected

from calendar_app.accounts.caller import ANYONE, SENDER
from calendar_app.accounts.form_stamps import SOONEST, Stamp
from calendar_app.calendar.submissions.submission import Submission
from calendar_app.domain.kind import Kind
from calendar_app.domain.richtext import decoded
from calendar_app.errors import (
    InvalidParameters,
    Message,
    NotFound,
    SubmissionDecided,
    TooManySubmissions,
)
from calendar_app.http.request import current
from calendar_app.http.views import records
from calendar_app.pages.answers import page
from calendar_app.pages.cards import Text, cards_of
from calendar_app.pages.languages import same_path
from calendar_app.pages.links import absolute, home
from calendar_app.pages.submission_forms import check_change, check_new, values_of
from calendar_app.pages.submission_values import FormValues, Problems, sent_values
from calendar_app.pages.terms import text_of
from calendar_app.query.list_query import ByText, Listing, Window
from calendar_app.resources.categories.kind import CATEGORY
from calendar_app.resources.events.kind import EVENT
from calendar_app.resources.events.presentation import present
from calendar_app.resources.organizers.kind import ORGANIZER
from calendar_app.resources.submissions.receiving import receive
from calendar_app.resources.venues.kind import VENUE

PATH = "events/submit/"
_SENT = "sent/"
# A field that people do not see; who fills it in is a robot.
TRAP = "subject"
_BAD = HTTPStatus.BAD_REQUEST
_MOST_NAMES, _MOST_CATEGORIES = 300, 60
_TOO_FAST = Message("That was very quick. Please look once more, then send it.")
_TOO_LATE = Message("This page has been open for long. Please send it once more.")


def submit() -> Response:
    """Show the form, or receive a contribution."""
    _begin()
    if current.request().method != "POST":
        language = current.language()
        return _form(FormValues({"language": language}), {}, current.services().form_stamps.issue())
    if current.body_parameters().get(TRAP):
        return page("submission_thanks.html", alternates=same_path())
    return _receive(sent_values())


def follow() -> Response:
    """Show a contribution to its sender, or store the sender's changes."""
    _begin()
    current.act_as(SENDER)
    token = current.parameter("token")
    if not isinstance(token, str) or not token:
        abort(HTTPStatus.NOT_FOUND)
    try:
        submission = current.services().submissions.find(token)
        if current.request().method == "POST":
            return _mend(token, submission)
    except NotFound:
        abort(HTTPStatus.NOT_FOUND)
    return _followed(token, submission)


def _begin() -> None:
    if not current.settings().submissions:
        abort(HTTPStatus.NOT_FOUND)
    current.settle_languages()
    # What these pages show depends on the time, so that no answer is remembered.
    current.now()


def _receive(values: FormValues) -> Response:
    stamps, sent = current.services().form_stamps, str(current.body_parameters().get("form", ""))
    stamp = stamps.read(sent)
    checked = check_new(values)
    if stamp is None or stamp.is_stale:
        return _refused(values, checked.problems, stamps.issue(SOONEST), _TOO_LATE)
    if checked.problems or stamp.is_hasty:
        return _refused(values, checked.problems, sent, _TOO_FAST if stamp.is_hasty else None)
    try:
        receive(checked.changes, values["language"], stamp.token)
    except TooManySubmissions as error:
        return _throttled(values, sent, error)
    except InvalidParameters as error:
        return _refused(values, _by_field(error), sent)
    return _see(stamp)


def _by_field(error: InvalidParameters) -> Problems:
    """Return the editor's reasons by field of the form."""
    names = {"start_date": "start_day", "end_date": "end_day"}
    return {names.get(name, name): reason for name, reason in error.reasons.items()}


def _see(stamp: Stamp) -> Response:
    """Lead to the page of the sender, so that nothing is sent twice by loading it again."""
    return _redirect(stamp.token, done="sent")


def _redirect(token: str, **query: str) -> Response:
    address = f"{home()}{PATH}{_SENT}?{urlencode({'token': token, **query})}"
    response: Any = redirected(address, HTTPStatus.SEE_OTHER, Response)
    response.headers["Cache-Control"] = "no-store"
    return response  # type: ignore[no-any-return]  # werkzeug types its own class


def _refused(
    values: FormValues, problems: Problems, stamp: str, notice: Message | None = None
) -> Response:
    # Who has something to mend need not read that they were quick.
    return _form(values, problems, stamp, None if problems else notice, _BAD)


def _throttled(values: FormValues, stamp: str, error: TooManySubmissions) -> Response:
    minutes = -(-error.retry_after // 60)
    notice = Message(
        "Many events have been sent of late. Please send yours again in {minutes} minutes.",
        minutes=minutes,
    )
    response = _form(values, {}, stamp, notice, HTTPStatus.TOO_MANY_REQUESTS)
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
        values=values,
        problems=problems,
        stamp=stamp,
        notice=notice,
        trap=TRAP,
        mail=current.services().mailer.enabled,
        alternates=same_path(),
        **_choices(),
    )
    # The stamp belongs to one reader.
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _choices() -> Mapping[str, Any]:
    """Return the names of public places and organizers, and the categories."""
    return {
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


def _mend(token: str, submission: Submission) -> Response:
    values = sent_values()
    checked = check_change(values, _stored_values(submission))
    if checked.problems:
        return _followed(token, submission, values, checked.problems)
    services = current.services()
    try:
        services.submissions.mend(token, checked.changes, submission.language)
    except InvalidParameters as error:
        return _followed(token, submission, values, _by_field(error))
    except SubmissionDecided:
        return _redirect(token)
    return _redirect(token, done="mended")


def _stored_values(submission: Submission) -> FormValues:
    if submission.event is None:
        return FormValues({})
    view = records.view_of(EVENT, [submission.event])
    event = present(submission.event, view, single=True)
    return values_of(submission.event, event, submission.language)


def _followed(
    token: str,
    submission: Submission,
    values: FormValues | None = None,
    problems: Problems | None = None,
) -> Response:
    query = urlencode({"token": token})
    address = f"{PATH}{_SENT}?{query}"
    done = "" if problems else current.parameter("done")
    return page(
        "submission.html",
        _BAD if problems else HTTPStatus.OK,
        submission=submission,
        card=cards_of([submission.event])[0] if submission.event else None,
        title=decoded(_title(submission)),
        address=absolute(f"{home()}{address}"),
        done=done,
        values=values or _stored_values(submission),
        problems=problems or {},
        mail=current.services().mailer.enabled,
        alternates=same_path(f"?{query}"),
        **_choices(),
    )


def _title(submission: Submission) -> str:
    variants = submission.event["variants"] if submission.event else {}
    own = (variants.get(tag, {}).get("title") for tag in (submission.language, *variants))
    return next((title for title in own if title), "")
