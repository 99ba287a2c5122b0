"""The REST API and its blueprints: one parameter source, one error format for every cause."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import wraps
from itertools import islice
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

import flask_smorest
import marshmallow as ma
import structlog
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask, Response, current_app
from flask_smorest import Api as SmorestApi
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import HTTPException, MethodNotAllowed, RequestedRangeNotSatisfiable

from calendar_app.api.http.answers.answering import add_vary, plain_answer, selected_paths
from calendar_app.api.http.errors.problems import first_reasons
from calendar_app.api.http.errors.refusals import Refusal, refusal_of, refused_parameters
from calendar_app.api.http.fields.scalars import openapi_schema
from calendar_app.api.http.fields.schema import RequestSchema
from calendar_app.api.http.presentation import ERROR
from calendar_app.api.http.request import current
from calendar_app.api.http.request.parameters import BodyTooLarge, FormRequest, MalformedJson
from calendar_app.api.http.wsgi.addresses import Digits
from calendar_app.api.presentation.shapes import JSONObject, Shape, schema_of
from calendar_app.domain.texts.messages import catalogue_language, translated
from calendar_app.errors import (
    CalendarError,
    InvalidParameters,
    Message,
    PasswordRequired,
    TooManyAttempts,
    UnknownUser,
    WrongSecret,
)

# Names in requests that mean nothing: the header ``X-Calendar-Ignored``, and ``strict``.
#
# Each operation knows the names that the OpenAPI document describes.

# The names in an object, with those below each; ``None`` where any name has a meaning.
NameTree = dict[str, Any] | None
ALL_OTHERS = "*"

_EXTENSION = "calendar.known_names"
_HEADER = "X-Calendar-Ignored"
_FIELDS = "_fields"
_MOST_NAMES, _LONGEST_NAME, _LONGEST_HEADER = 20, 64, 1000
# Added to addresses on their way, by caches, trackers and WordPress' own scripts.
_ADDED_BY_OTHERS = re.compile(
    r"_|_locale|_wpnonce|_ga|_gl|(?:utm|mtm|pk)_\w+|mc_[ce]id|igshid"
    r"|(?:fb|g|d|msclk|tw|y)(?:clid|id)|[gw]braid",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The names that one operation takes in query and body, and those of its answer."""

    sent: NameTree
    answered: NameTree


@dataclass(frozen=True, slots=True)
class IgnoredName:
    """A name without a meaning, in ``parameter``; ``known`` could stand in its place."""

    parameter: str
    parents: tuple[str, ...]
    last: str
    known: Mapping[str, Any]

    @property
    def path(self) -> str:
        return self._below(self.last)

    @property
    def nearest(self) -> str:
        """Return the known name that is written most alike, if any is."""
        names = self.known.keys() - {ALL_OTHERS} if len(self.last) <= _LONGEST_NAME else ()
        likest = get_close_matches(self.last, sorted(names), 1)
        return self._below(likest[0]) if likest else ""

    def _below(self, name: str) -> str:
        return ".".join((*self.parents, name))


def report_ignored_names(app: Flask, names: Mapping[tuple[str, str], KnownNames]) -> None:
    """Attach the known names by rule and method, and list others in a header."""
    app.extensions[_EXTENSION] = names
    app.after_request(_list_ignored_names)


def refuse_ignored_names() -> None:
    """Raise ``InvalidParameters`` for names without a meaning, if the site is ``strict``."""
    if not current.context().settings.strict:
        return
    reasons = {name.parameter: _reason(name) for name in reversed(_ignored_names())}
    if reasons:
        raise InvalidParameters(dict(reversed(reasons.items())))


def _reason(ignored: IgnoredName) -> Message:
    name, nearest = ignored.path[:_LONGEST_NAME], ignored.nearest
    if nearest:
        return Message("{name} means nothing here. Is {nearest} meant?", name=name, nearest=nearest)
    return Message("{name} means nothing here.", name=name)


def _list_ignored_names(response: Response) -> Response:
    length, encoded_names = 0, []
    for ignored in _ignored_names():
        encoded = quote(ignored.path[:_LONGEST_NAME], safe="")
        length += len(encoded)
        if length <= _LONGEST_HEADER and encoded not in encoded_names:
            encoded_names.append(encoded)
    if encoded_names:
        response.headers[_HEADER] = ", ".join(encoded_names)
    return response


def _ignored_names() -> list[IgnoredName]:
    """Return the first names without a meaning; none if the parameters were not read."""
    request, sent = current.context().request, current.context().parameters_read
    if request.url_rule is None or not sent:
        return []
    method = "GET" if request.method == "HEAD" else request.method
    names = current_app.extensions[_EXTENSION].get((request.url_rule.rule, method))
    return list(islice(_unknown(names, sent), _MOST_NAMES)) if names else []


def _unknown(names: KnownNames, sent: Mapping[str, Any]) -> Iterator[IgnoredName]:
    for path in current.context().foreign_names:
        *parents, last = path.split(".")
        yield IgnoredName(path[:_LONGEST_NAME], tuple(parents), last, {})
    for ignored in _unknown_members(sent, names.sent, ()):
        if ignored.parents or not _ADDED_BY_OTHERS.fullmatch(ignored.last):
            yield ignored
    if names.sent is not None and _FIELDS in names.sent:
        yield from filter(None, (_unknown_path(path, names.answered) for path in selected_paths()))


def _unknown_members(value: Any, tree: NameTree, parents: tuple[str, ...]) -> Iterator[IgnoredName]:
    """Yield unknown names at any depth; values that should have no members have the wrong type."""
    if not tree:
        return
    if isinstance(value, list):
        for member in value:
            yield from _unknown_members(member, tree, parents)
    elif isinstance(value, dict):
        for name, member in value.items():
            if name in tree or ALL_OTHERS in tree:
                below = tree[name if name in tree else ALL_OTHERS]
                yield from _unknown_members(member, below, (*parents, name))
            else:
                parameter = ".".join((*parents, name))[:_LONGEST_NAME]
                yield IgnoredName(parameter, parents, name, tree)


def _unknown_path(path: str, tree: NameTree) -> IgnoredName | None:
    """Return the first part of a path in ``_fields`` that no answer has."""
    parents: tuple[str, ...] = ()
    for name in path.split("."):
        if tree is None:
            break
        if name not in tree and ALL_OTHERS not in tree:
            return IgnoredName(_FIELDS, parents, name, tree)
        tree = tree[name if name in tree else ALL_OTHERS]
        parents = (*parents, name)
    return None


# Blueprint base: one parameter source, one error format.

View = Callable[..., Any]
# Where flask-smorest keeps the description of a view.
_DESCRIPTION = "_apidoc"


class Refused(Exception):
    """Rejected parameters, with the error response."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def _parameters(schema: Schema) -> Any:
    """Return the parameters, after validating their names and the requested languages.

    Query, form and JSON are merged, regardless of the documented location.
    """
    context = current.context()
    if isinstance(schema, RequestSchema):
        context.foreign_names = schema.foreign_names(context.parameters)
    refuse_ignored_names()
    return load_parameters(schema, context.parameters)


def load_parameters(
    schema: Schema, sent: Mapping[str, Any], names: Mapping[str, str] = MappingProxyType({})
) -> Any:
    """Return parameters as a schema loads them, after validating the requested languages.

    Raises ``Refused`` with all parameters that are wrong, under the ``names`` by which the client
    knows them.
    """
    try:
        loaded = schema.load(sent)
    except ValidationError as error:
        messages = {**error.messages_dict, **_wrong_languages()}
        reasons = {
            names.get(name, name): _renamed(reason, names)
            for name, reason in first_reasons(messages).items()
        }
        raise Refused(refused_parameters(reasons)) from error
    current.context().require_languages()
    return loaded


def _renamed(reason: str, names: Mapping[str, str]) -> str:
    """Return a reason that calls its parameter by the name that the client knows."""
    if not isinstance(reason, Message) or reason.gaps.get("name") not in names:
        return reason
    return type(reason)(reason.pattern, **{**reason.gaps, "name": names[str(reason.gaps["name"])]})


def _wrong_languages() -> Mapping[str, str]:
    """Return the errors of the requested languages."""
    try:
        current.context().require_languages()
    except InvalidParameters as error:
        return error.reasons
    return {}


class Blueprint(flask_smorest.Blueprint):
    """The routes of one resource."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # The schemas of answers, by name.
        self.components: JSONObject = {}

    def arguments(self, schema: type[Schema] | Schema, **options: Any) -> Callable[[View], View]:
        """Describe the parameters, and give the view their values.

        The schema is instantiated once, since that is slower than a request.
        """
        instance = schema() if isinstance(schema, type) else schema
        describe = super().arguments(instance, **options)

        def decorate(view: View) -> View:
            @wraps(view)
            def loaded(*args: Any, **path: Any) -> Any:
                return view(*args, _parameters(instance), **path)

            return _described(loaded, describe)

        return decorate

    def response(self, status: int, schema: Any, **options: Any) -> Callable[[View], View]:
        """Describe the answer, by its ``Shape`` or in JSON Schema."""
        if isinstance(schema, Shape):
            schema = schema_of(schema, self.components)
        describe = super().response(status, schema, **options)
        return lambda view: _described(view, describe)


def _described(view: View, describe: Callable[[View], View]) -> View:
    """Describe a view as flask-smorest does, without the function that it puts around it.

    Our views return responses, and load their parameters themselves.
    """
    vars(view)[_DESCRIPTION] = vars(describe(view))[_DESCRIPTION]
    return view


# The REST API: one error format for every cause.

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
    name = type(instance).__name__.removesuffix("Schema")
    return name.replace("Change", "Update") if instance.partial else name


class Service(Flask):
    """Flask, where every view and every hook is a plain function, so that none has to be asked."""

    request_class = FormRequest

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func


def surround_pages(
    app: Flask,
    before: Sequence[Callable[[], Response | None]],
    after: Sequence[Callable[[Response], Response]],
) -> None:
    """Run hooks ``before`` and ``after`` all requests but those of the interface."""

    @app.before_request
    def begin() -> Response | None:
        if current.context().is_interface:
            return None
        return next(filter(None, (hook() for hook in before)), None)

    @app.after_request
    def finish(response: Response) -> Response:
        if not current.context().is_interface:
            for hook in after:
                response = hook(response)
        return response


# By blueprints, with what their routes begin with.
_DECLARED: dict[tuple[tuple[Blueprint, str], ...], Mapping[str, Any]] = {}


class Api(SmorestApi):
    """flask-smorest's API with our error format."""

    ERROR_SCHEMA = None
    DEFAULT_ERROR_RESPONSE_NAME = None

    def init_app(self, app: Flask, **options: Any) -> None:
        self._blueprints: list[tuple[Blueprint, str]] = []
        spec = {"marshmallow_plugin": MarshmallowPlugin(schema_name_resolver=_schema_name)}
        super().init_app(app, spec_kwargs=spec, **options)
        components: JSONObject = {}
        schema_of(ERROR, components)
        self._add_schemas(components)
        self.ma_plugin.converter.add_attribute_function(openapi_schema)
        self.register_converter(Digits, lambda _: {"type": "integer", "minimum": 0})

    def register_blueprint(self, blueprint: Blueprint, **options: Any) -> None:
        """Register the routes of a blueprint, which ``declared`` describes."""
        self._app.extensions["flask-smorest"]["blp_name_to_api"][blueprint.name] = self
        self._app.register_blueprint(blueprint, **options)
        self._blueprints.append((blueprint, options.get("url_prefix", "")))

    def declared(self) -> Mapping[str, Any]:
        """Return the description of the routes and of the schemas of their answers.

        Nobody may change it: applications with the same routes share it, since it takes longer to
        make than all else that they need.
        """
        if (key := tuple(self._blueprints)) not in _DECLARED:
            for blueprint, _ in self._blueprints:
                self._add_schemas(blueprint.components)
                blueprint.register_views_in_doc(
                    self, self._app, self.spec, name=blueprint.name, parameters=None
                )
                self.spec.tag({"name": blueprint.name, "description": blueprint.description})
            _DECLARED[key] = self.spec.to_dict()
        return _DECLARED[key]

    def _add_schemas(self, components: JSONObject) -> None:
        for name in components.keys() - self.spec.components.schemas.keys():
            self.spec.components.schema(name, components[name])

    def _register_pagination_header(self) -> None:
        """Omit flask-smorest's pagination header; lists have totals in the body."""

    def _register_error_handlers(self) -> None:
        """Register handlers for our errors, HTTP errors and defects."""
        self._app.register_error_handler(CalendarError, _answer_refusal)
        self._app.register_error_handler(Refused, lambda error: _answer(error.refusal))
        self._app.register_error_handler(HTTPException, _answer_http)
        self._app.register_error_handler(Exception, _answer_defect)


def _answer(refusal: Refusal) -> Response:
    context = current.context()
    chain = context.message_chain
    headers = {"Content-Language": catalogue_language(chain), **refusal.headers}
    response = plain_answer(translated(refusal.body, chain), refusal.status, headers)
    if not context.settings.negotiate_language:
        # Of the language of a refusal; that of a site that negotiates is added to all answers.
        add_vary(response, "Accept-Language")
    return response


def _answer_refusal(error: CalendarError) -> Response:
    if isinstance(error, _REFUSED_SECRETS) or _is_refused_password(error):
        current.context().exchange.refused_secret = True
    return _answer(refusal_of(error))


def _is_refused_password(error: CalendarError) -> bool:
    """Return whether the request sent a wrong record password."""
    return isinstance(error, PasswordRequired) and bool(
        current.context().parameters.get("password")
    )


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
    """Return the message of an error that names the remedy."""
    match error:
        case BodyTooLarge():
            return Message("The body has more than {most} bytes.", most=error.most)
        case MethodNotAllowed(valid_methods=[*methods]):
            return Message("This address takes {methods} alone.", methods=", ".join(methods))
        case _:
            return None


def _answer_defect(error: Exception) -> Response:
    """Answer 500 without details; the log has the traceback."""
    request_id = current.context().exchange.request_id
    structlog.get_logger().error("defect", request_id=request_id, exc_info=error)
    message = Message("Something went wrong here. The log knows this request by its id.")
    return _answer(Refusal(500, "internal_error", message, {"request_id": request_id}))
