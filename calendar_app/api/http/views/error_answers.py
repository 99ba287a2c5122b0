"""Answer every error in one format, whatever its cause."""

import structlog
from flask import Response, current_app
from werkzeug.exceptions import HTTPException, MethodNotAllowed, RequestedRangeNotSatisfiable

from calendar_app.api.http.answers.answering import add_vary, plain_answer
from calendar_app.api.http.errors.refusals import Refusal, refusal_of
from calendar_app.api.http.request import current
from calendar_app.api.http.request.bodies import BodyTooLarge, MalformedJson
from calendar_app.domain.texts.messages import catalog_language, translated
from calendar_app.errors import (
    CalendarError,
    Message,
    PasswordRequired,
    TooManyAttempts,
    UnknownUser,
    WrongSecret,
)

_NO_ROUTE = Message("No route was found matching the URL and request method.")
_CODES = {
    400: ("bad_request", Message("The request cannot be read.")),
    404: ("rest_no_route", _NO_ROUTE),
    405: ("rest_no_route", _NO_ROUTE),
    413: ("request_too_large", Message("The body is too large.")),
    415: ("unsupported_media_type", Message("The body must be JSON, a form or multipart.")),
    416: ("range_not_satisfiable", Message("The file has no such part.")),
}
_REFUSED_SECRETS = (UnknownUser, WrongSecret, TooManyAttempts)
# Errors whose headers say more, such as ``Allow`` and ``Content-Range``.
_ERRORS_WITH_HEADERS = (MethodNotAllowed, RequestedRangeNotSatisfiable)


def answer(refusal: Refusal) -> Response:
    context = current.context()
    chain = context.message_chain
    headers = {"Content-Language": catalog_language(chain), **refusal.headers}
    response = plain_answer(translated(refusal.body, chain), refusal.status, headers)
    if not context.settings.negotiate_language:
        # Of the language of a refusal; that of a site that negotiates is added to all answers.
        add_vary(response, "Accept-Language")
    return response


def answer_refusal(error: CalendarError) -> Response:
    if isinstance(error, _REFUSED_SECRETS) or _is_refused_password(error):
        current.context().exchange.refused_secret = True
    return answer(refusal_of(error))


def _is_refused_password(error: CalendarError) -> bool:
    """Return whether the request sent a wrong record password."""
    return isinstance(error, PasswordRequired) and bool(
        current.context().parameters.get("password")
    )


def answer_http(error: HTTPException) -> Response:
    """Answer an HTTP error, with the headers that HTTP requires, for example Allow."""
    if isinstance(error, MalformedJson):
        data = {"json_error_code": 4, "json_error_message": str(error.description)}
        return answer(Refusal(400, "rest_invalid_json", Message("Invalid JSON body passed."), data))
    if error.response is not None:
        return current_app.make_response(error.get_response())
    status = error.code or 500
    code, message = _CODES.get(status, _CODES[400])
    message = _detailed(error) or message
    headers = dict(error.get_headers()) if isinstance(error, _ERRORS_WITH_HEADERS) else {}
    headers.pop("Content-Type", None)
    return answer(Refusal(status, code, message, headers=headers))


def _detailed(error: HTTPException) -> Message | None:
    """Return the message of an error that names the remedy."""
    match error:
        case BodyTooLarge():
            return Message("The body has more than {most} bytes.", most=error.most)
        case MethodNotAllowed(valid_methods=[*methods]):
            return Message("This address only takes {methods}.", methods=", ".join(methods))
        case _:
            return None


def answer_defect(error: Exception) -> Response:
    """Answer 500 without details; the log has the traceback."""
    request_id = current.context().exchange.request_id
    structlog.get_logger().error("defect", request_id=request_id, exc_info=error)
    message = Message("Something went wrong here. The log knows this request by its id.")
    return answer(Refusal(500, "internal_error", message, {"request_id": request_id}))
