"""The page on which senders follow, correct and withdraw a contribution."""

from contextlib import suppress
from http import HTTPStatus
from urllib.parse import urlencode

from flask import Response, abort

from calendar_app.api.http.request import current
from calendar_app.api.resources.submissions.handling import answer_question, mend, preview
from calendar_app.api.resources.submissions.schemas import LONGEST_TEXT
from calendar_app.calendar.submissions import Submission
from calendar_app.domain.kind import Record
from calendar_app.errors import (
    InvalidParameters,
    Message,
    NotFound,
    SubmissionDecided,
    TooManySubmissions,
)
from calendar_app.site.pages.answers import page
from calendar_app.site.pages.events import read_events
from calendar_app.site.pages.forms import Problems
from calendar_app.site.pages.places import PageLinks, same_path
from calendar_app.site.pages.submission_form import (
    FormValues,
    by_field,
    check_change,
    labels_of,
    sent_values,
    values_of,
)
from calendar_app.site.pages.submitting import (
    PATH,
    SENT,
    asks_for_language,
    begin,
    checked_picture,
    choices,
    lost_picture,
    see_own_page,
    too_many,
)

_BAD = HTTPStatus.BAD_REQUEST


def follow() -> Response:
    """Show a contribution to its sender, or store the sender's change or withdrawal."""
    token, submission = _own_submission()
    try:
        if asks_for_language():
            return _followed(token, submission, sent_values(), lost_picture())
        if current.context().request.method == "POST":
            return _received(token, submission)
    except NotFound:
        abort(HTTPStatus.NOT_FOUND)
    return _followed(token, submission)


def show_picture() -> Response:
    """Show the picture of a contribution to its sender."""
    try:
        return preview(_own_submission()[1], current.context())
    except NotFound:
        abort(HTTPStatus.NOT_FOUND)


def _own_submission() -> tuple[str, Submission]:
    """Return the token that was sent, and its contribution."""
    begin()
    context = current.context()
    token = context.parameters.get("token")
    if not isinstance(token, str) or not token:
        abort(HTTPStatus.NOT_FOUND)
    try:
        submission = context.services.submissions.find(token)
    except NotFound:
        abort(HTTPStatus.NOT_FOUND)
    context.caller = context.services.submissions.sender(submission)
    return token, submission


def _mend(token: str, submission: Submission) -> Response:
    values = sent_values()
    checked = check_change(values, _stored_values(submission), submission.language)
    picture, problems = checked_picture(checked.problems)
    if problems:
        return _followed(token, submission, values, problems)
    try:
        mend(current.context(), token, checked.changes, submission.language, picture)
    except TooManySubmissions as error:
        return _followed(token, submission, values, {"image": too_many(error)})
    except InvalidParameters as error:
        return _followed(token, submission, values, by_field(error.reasons))
    except SubmissionDecided:
        return see_own_page(token)
    return see_own_page(token, done="mended")


def _received(token: str, submission: Submission) -> Response:
    """Take the form that was sent: an answer, a withdrawal, or a change."""
    body = current.context().sent.body
    if "withdraw" in body:
        return _withdraw(token)
    return _answer(token, submission) if "answer" in body else _mend(token, submission)


def _answer(token: str, submission: Submission) -> Response:
    text = str(current.context().sent.body["answer"]).strip()
    if not text or len(text) > LONGEST_TEXT:
        problem = Message("This is too long.") if text else Message("Please write your answer.")
        return _followed(token, submission, problems={"answer": problem}, answer=text)
    try:
        answer_question(current.context(), token, text)
    except TooManySubmissions as error:
        return _followed(token, submission, problems={"answer": too_many(error)}, answer=text)
    except SubmissionDecided:
        return see_own_page(token)
    return see_own_page(token, done="answered")


def _withdraw(token: str) -> Response:
    with suppress(SubmissionDecided):
        current.context().services.submissions.withdraw(token)
    return see_own_page(token)


def _picture(submission: Submission) -> Record | None:
    pictures = current.context().services.submissions.pictures
    return pictures.of_event(submission.event) if submission.event else None


def _stored_values(submission: Submission) -> FormValues:
    if submission.event is None:
        return FormValues()
    (event,) = read_events([submission.event])
    return values_of(event, _picture(submission))


def _followed(
    token: str,
    submission: Submission,
    values: FormValues | None = None,
    problems: Problems | None = None,
    answer: str = "",
) -> Response:
    context, shown_values = current.context(), values or _stored_values(submission)
    links, query = PageLinks(context), urlencode({"token": token})
    address = f"{PATH}{SENT}?{query}"
    notice = "" if problems else context.parameters.get("done")
    return page(
        "submission.html",
        _BAD if problems else HTTPStatus.OK,
        submission=submission,
        event=read_events([submission.event])[0] if submission.event else None,
        title=_title(submission),
        address=links.absolute(f"{links.home()}{address}"),
        done=notice,
        values=shown_values,
        picture=_picture(submission),
        picture_address=f"{links.home()}{PATH}{SENT}picture/?{query}",
        problems=problems or {},
        answer=answer,
        labels_of=labels_of,
        is_unsaved=values is not None,
        mail=context.services.mailer.enabled,
        alternates=same_path(context, f"?{query}"),
        **choices(shown_values.categories),
    )


def _title(submission: Submission) -> str:
    variants = submission.event["variants"] if submission.event else {}
    titles = (variants.get(tag, {}).get("title") for tag in (submission.language, *variants))
    return next((title for title in titles if title), "")
