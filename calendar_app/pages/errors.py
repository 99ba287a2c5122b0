"""Errors as pages, for browsers and on every address of a page."""

from collections.abc import Mapping
from http import HTTPStatus

import orjson
from flask import Response

from calendar_app.errors import Message
from calendar_app.http.answers.answering import JSON
from calendar_app.http.request import current
from calendar_app.pages.answers import page
from calendar_app.pages.catalogues import told
from calendar_app.pages.languages import same_path

_HTML = "text/html"
_BLUEPRINT = "pages"
_DEFECT = HTTPStatus.INTERNAL_SERVER_ERROR
_REFUSED = Message("This does not work")
_FAILED = Message("Something is wrong here")
_TEXTS: Mapping[int, tuple[Message, Message]] = {
    HTTPStatus.NOT_FOUND: (
        Message("This page does not exist"),
        Message("Perhaps the address has a slip in it, or what was here is over."),
    ),
    HTTPStatus.GONE: (
        Message("This event is no longer there"),
        Message("It was withdrawn. Perhaps something else is on that you like."),
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        Message("The calendar cannot be reached at the moment"),
        Message("Try again in a few seconds."),
    ),
}
_KEPT_HEADERS = ("Allow", "Retry-After", "WWW-Authenticate")


def prefers_page() -> bool:
    """Say whether the client would rather have HTML than JSON."""
    accepted = current.request().accept_mimetypes
    return accepted.best_match([JSON, _HTML], default=JSON) == _HTML


def as_error_page(response: Response) -> Response:
    """Return a refusal outside the interface as a page, where a page is wanted."""
    if response.status_code < HTTPStatus.BAD_REQUEST or response.mimetype != JSON:
        return response
    is_page = current.context().request.blueprint == _BLUEPRINT
    return _as_page(response) if is_page or prefers_page() else response


def _as_page(response: Response) -> Response:
    current.settle_languages()
    body = orjson.loads(response.get_data())
    message = body.get("message", "") if isinstance(body, dict) else ""
    status = response.status_code
    usual = (_FAILED if status >= _DEFECT else _REFUSED, Message(message))
    heading, explanation = _TEXTS.get(status, usual)
    error_page = page(
        "error.html",
        status,
        number=status,
        heading=told(heading),
        explanation=told(explanation),
        alternates=same_path(),
    )
    for name in _KEPT_HEADERS:
        if name in response.headers:
            error_page.headers[name] = response.headers[name]
    return error_page
