"""The REST API: one error format for every cause."""

from collections.abc import Callable
from typing import Any

import marshmallow as ma
import structlog
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask, Response, current_app
from flask_smorest import Api as SmorestApi
from werkzeug.exceptions import HTTPException, MethodNotAllowed, RequestedRangeNotSatisfiable

from calendar_app.content.messages import catalogue_language, translated
from calendar_app.errors import (
    CalendarError,
    Message,
    PasswordRequired,
    TooManyAttempts,
    UnknownUser,
    WrongSecret,
)
from calendar_app.http.answers.answering import add_vary, plain_answer
from calendar_app.http.errors.refusals import Refusal, refusal_of
from calendar_app.http.fields.scalars import openapi_schema
from calendar_app.http.presentation.shapes import ErrorShape
from calendar_app.http.request import current
from calendar_app.http.request.bodies import BodyTooLarge, MalformedJson
from calendar_app.http.request.forms import FormRequest
from calendar_app.http.views.blueprint import Refused
from calendar_app.http.wsgi.routing import Digits

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


def _schema_name(schema: type[ma.Schema] | ma.Schema) -> str:
    """Return the name of a schema in the document; partial ones become ``…Update``."""
    instance = schema() if isinstance(schema, type) else schema
    name = type(instance).__name__.removesuffix("Schema").removesuffix("Shape")
    return name.replace("Change", "Update") if instance.partial else name


class Service(Flask):
    """Flask, where every view and every hook is a plain function, so that none has to be asked."""

    request_class = FormRequest

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func


class Api(SmorestApi):
    """flask-smorest's API with our error format."""

    ERROR_SCHEMA = ErrorShape
    DEFAULT_ERROR_RESPONSE_NAME = None

    def init_app(self, app: Flask, **options: Any) -> None:
        spec = {"marshmallow_plugin": MarshmallowPlugin(schema_name_resolver=_schema_name)}
        super().init_app(app, spec_kwargs=spec, **options)
        self.ma_plugin.converter.add_attribute_function(openapi_schema)
        self.register_converter(Digits, lambda _: {"type": "integer", "minimum": 0})

    def _register_pagination_header(self) -> None:
        """Omit flask-smorest's pagination header; lists have totals in the body."""

    def _register_error_handlers(self) -> None:
        """Register handlers for our errors, HTTP errors and defects."""
        self._app.register_error_handler(CalendarError, _answer_refusal)
        self._app.register_error_handler(Refused, lambda error: _answer(error.refusal))
        self._app.register_error_handler(HTTPException, _answer_http)
        self._app.register_error_handler(Exception, _answer_defect)


def _answer(refusal: Refusal) -> Response:
    chain = current.message_chain()
    headers = {"Content-Language": catalogue_language(chain), **refusal.headers}
    response = plain_answer(translated(refusal.body, chain), refusal.status, headers)
    if not current.settings().negotiate_language:
        # Of the language of a refusal; that of a site that negotiates is added to all answers.
        add_vary(response, "Accept-Language")
    return response


def _answer_refusal(error: CalendarError) -> Response:
    if isinstance(error, _REFUSED_SECRETS) or _is_refused_password(error):
        current.context().refused_secret = True
    return _answer(refusal_of(error))


def _is_refused_password(error: CalendarError) -> bool:
    """Return whether the request sent a wrong record password."""
    return isinstance(error, PasswordRequired) and bool(current.parameter("password"))


def _answer_http(error: HTTPException) -> Response:
    """Answer an HTTP error, with the headers that HTTP requires, for example Allow."""
    if isinstance(error, MalformedJson):
        data = {"json_error_code": 4, "json_error_message": str(error.description)}
        return _answer(
            Refusal(400, "rest_invalid_json", Message("Invalid JSON body passed."), data)
        )
    if error.response is not None:
        return current_app.make_response(error.get_response())
    status = error.code or 500
    code, message = _CODES.get(status, _CODES[400])
    message = _detailed(error) or message
    headers = dict(error.get_headers()) if isinstance(error, _ERRORS_WITH_HEADERS) else {}
    headers.pop("Content-Type", None)
    return _answer(Refusal(status, code, message, headers=headers))


def _detailed(error: HTTPException) -> Message | None:
    """Return the message of an error that knows what would be right."""
    match error:
        case BodyTooLarge():
            return Message("The body has more than {most} bytes.", most=error.most)
        case MethodNotAllowed(valid_methods=[*methods]):
            return Message("This address takes {methods} alone.", methods=", ".join(methods))
        case _:
            return None


def _answer_defect(error: Exception) -> Response:
    """Answer 500 without details; the log has the traceback."""
    request_id = current.context().request_id
    structlog.get_logger().error("defect", request_id=request_id, exc_info=error)
    message = Message("Something went wrong here. The log knows this request by its id.")
    return _answer(Refusal(500, "internal_error", message, {"request_id": request_id}))
