"""Refusals and failures as pages of the desk."""

from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus

import structlog
from flask import Response
from marshmallow import ValidationError
from werkzeug.exceptions import HTTPException

from calendar_app.api.http.errors.refusals import Refusal, refusal_of
from calendar_app.api.http.request import current
from calendar_app.api.http.views.loading import Refused
from calendar_app.errors import CalendarError, InvalidParameters, Message, NotFound
from calendar_app.site.desk.login import ask_for_login, resume_sent
from calendar_app.site.desk.rendering import render, settle_language
from calendar_app.site.desk.routing import LoginRequired, blueprint
from calendar_app.site.desk.sessions import StaleForm

_HEADINGS: Mapping[int, Message] = {
    400: Message("This does not work"),
    403: Message("This is not for you"),
    404: Message("This page does not exist"),
    405: Message("This does not work"),
    409: Message("Somebody else has changed this"),
    410: Message("This is no longer there"),
    412: Message("Somebody else has changed this"),
    413: Message("This is too large"),
    429: Message("Too many attempts"),
    503: Message("The calendar cannot be reached at the moment"),
}
_FAILED = Message("Something is wrong here")
_TEXTS: Mapping[int, Message] = {
    400: Message("The request cannot be read."),
    404: Message("Perhaps there is a mistake in the address, or what was here has been deleted."),
    405: Message("The page cannot be opened in this way."),
    413: Message("What was sent is larger than this calendar takes."),
}
_DEFECT = Message("The log knows this request by its number: {id}")


@blueprint.errorhandler(LoginRequired)
def answer_stranger(error: LoginRequired) -> Response:
    del error
    return ask_for_login()


@blueprint.errorhandler(StaleForm)
def answer_stale_form(error: StaleForm) -> Response:
    del error
    return resume_sent()


@blueprint.errorhandler(Refused)
def answer_refused(error: Refused) -> Response:
    return _page_of(error.refusal)


@blueprint.errorhandler(CalendarError)
def answer_refusal(error: CalendarError) -> Response:
    refusal = refusal_of(error)
    # The interface answers 400 to unknown ids, as the reference does.
    return _page_of(replace(refusal, status=404) if isinstance(error, NotFound) else refusal)


@blueprint.errorhandler(ValidationError)
def answer_invalid(error: ValidationError) -> Response:
    """Tell the first reason, where a page has no field beside which to tell it."""
    reasons = {name: reasons[0] for name, reasons in error.messages_dict.items()}
    return _page_of(refusal_of(InvalidParameters(reasons)))


@blueprint.errorhandler(HTTPException)
def answer_http_error(error: HTTPException) -> Response:
    status = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
    headers = {name: value for name, value in error.get_headers() if name == "Allow"}
    return _page(status, _TEXTS.get(status, _TEXTS[400]), headers)


@blueprint.errorhandler(Exception)
def answer_defect(error: Exception) -> Response:
    """Answer 500 without details; the log has the traceback."""
    request_id = current.context().exchange.request_id
    structlog.get_logger().error("defect", request_id=request_id, exc_info=error)
    return _page(HTTPStatus.INTERNAL_SERVER_ERROR, Message(_DEFECT, id=request_id), {})


def _page_of(refusal: Refusal) -> Response:
    status = refusal.status
    # The challenge would make browsers ask for a password of their own.
    if status == HTTPStatus.UNAUTHORIZED:
        status = HTTPStatus.FORBIDDEN
    retry = {name: text for name, text in refusal.headers.items() if name == "Retry-After"}
    return _page(status, _reason(refusal), retry)


def _reason(refusal: Refusal) -> str:
    """Return the message, or the first reason of a parameter, which says more."""
    params = refusal.data.get("params")
    return next(iter(params.values())) if isinstance(params, dict) and params else refusal.message


def _page(status: int, text: str, headers: Mapping[str, str]) -> Response:
    settle_language()
    heading = _HEADINGS.get(status, _FAILED)
    response = render("error.html", status, number=status, heading=heading, explanation=text)
    response.headers.update(headers)
    return response
