"""The interface described to its clients: the index of routes, OpenAPI, and Swagger UI.

All files of the page are served from here, so that it works offline.
"""

from collections.abc import Collection, Mapping
from contextlib import suppress
from html import escape
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from string import Template
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

import flask
import marshmallow as ma
from flask import Response, request, send_file, send_from_directory
from xxhash import xxh3_64_hexdigest

from calendar_app.api.http.answers.answering import JSON, add_vary, answer, plain_answer
from calendar_app.api.http.answers.headers import discovery_headers
from calendar_app.api.http.errors.problems import refuse
from calendar_app.api.http.errors.refusals import Refusal
from calendar_app.api.http.fields.scalars import Text, listed
from calendar_app.api.http.fields.schema import Parameter, RequestSchema
from calendar_app.api.http.openapi.document import base_path
from calendar_app.api.http.openapi.groups import PUBLIC, part_of, public_tags
from calendar_app.api.http.openapi.interface import Route, interface
from calendar_app.api.http.openapi.operations import HTML
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.loading import Refused, load_parameters
from calendar_app.api.http.views.resource_view import load_owned_record
from calendar_app.api.presentation.records import date_text
from calendar_app.api.presentation.shapes import Field, Shape, by_name
from calendar_app.domain.kind import Record
from calendar_app.domain.moments import default_window
from calendar_app.errors import CalendarError, Message

index_routes = Blueprint("index", __name__, description="What this service offers")


class IndexQuerySchema(RequestSchema):
    """Parameters of the index."""

    namespace = Text(description="The namespace; there is one.")
    context = ma.fields.Raw(
        metadata={
            "description": "Accepted for compatibility; it has no effect.",
            "type": "string",
            "default": "view",
        }
    )


_INDEX = Shape[object](
    "Index",
    {
        "namespace": Field("string", meaning="The namespace of the routes, as WordPress names it."),
        "version": Field("string", meaning="The version of the interface."),
        "routes": Field(
            by_name("object"),
            meaning="The routes by their path, each with its methods and arguments.",
        ),
        "_links": Field("object", meaning="Links to related routes."),
    },
)


@index_routes.route("")
@index_routes.arguments(IndexQuerySchema, location="query")
@index_routes.response(200, _INDEX)
def index(sent: Record) -> Response:
    """List the routes, and the version of the service."""
    context, described = current.context(), interface()
    context.require_languages()
    namespace = described.settings.namespace
    if sent.get("namespace", namespace) != namespace:
        raise Refused(
            Refusal(404, "rest_invalid_namespace", Message("There is no such namespace."))
        )
    version = interface().document["info"]["version"]
    return answer({**namespace_index(namespace), "version": version})


def namespace_index(namespace: str) -> dict[str, Any]:
    """Return the routes of a namespace."""
    context = current.context()
    up = [{"href": context.addresses.index}]
    routes = _routes(interface().namespaces[namespace], context)
    return {"namespace": namespace, "routes": routes, "_links": {"up": up}}


def site_index(api_prefix: str) -> flask.Blueprint:
    """Return the index of the site, above all namespaces and at the root."""
    site = flask.Blueprint("site", __name__)
    for path in dict.fromkeys((api_prefix or "/", "/")):
        site.add_url_rule(path, view_func=_index_of_site)
    return site


def describe_route() -> Response | None:
    """Answer OPTIONS on any path, before all checks."""
    context = current.context()
    if context.request.method != "OPTIONS":
        return None
    context.ignore_body()
    # The header Allow depends on the caller and the record, as far as they are known.
    with suppress(CalendarError):
        load_owned_record(context.caller)
    described = interface()
    rule = context.request.url_rule
    pattern = described.pattern_of(rule.rule) if rule else None
    if pattern is None:
        return plain_answer([])
    return answer(_linked(pattern, described.routes[pattern], context))


def _index_of_site() -> Response:
    described, context = interface(), current.context()
    context.caller  # noqa: B018  # Refuses wrong credentials.
    context.require_languages()
    settings, addresses = described.settings, context.addresses
    offset = context.now().utcoffset()
    return answer(
        {
            "name": settings.site_name,
            "description": "",
            "url": addresses.site,
            "home": addresses.site,
            "gmt_offset": offset.total_seconds() / 3600 if offset else 0,
            "timezone_string": settings.timezone,
            "namespaces": list(described.namespaces),
            # Programs look here for a page that makes application passwords; there is none.
            "authentication": [],
            "routes": {
                pattern: route
                for routes in described.namespaces.values()
                for pattern, route in _routes(routes, context).items()
            },
            "_links": {"help": [{"href": f"{addresses.base}/doc"}]},
        },
        headers=discovery_headers(addresses) if context.request.path == "/" else None,
    )


def _routes(routes: Mapping[str, Route], context: Context) -> dict[str, Route]:
    return {pattern: _linked(pattern, route, context) for pattern, route in routes.items()}


def _linked(pattern: str, route: Route, context: Context) -> Route:
    """Add the parts that depend on the request: addresses and default dates."""
    endpoints = [
        {**endpoint, "args": _with_dates(endpoint["args"], context)}
        if "GET" in endpoint["methods"]
        else endpoint
        for endpoint in route["endpoints"]
    ]
    linked = {**route, "endpoints": endpoints}
    if "(" in pattern:
        return linked
    address = context.addresses.index + pattern.removeprefix("/")
    return {**linked, "_links": {"self": [{"href": address}]}}


def _with_dates(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """Add the default dates of the event list."""
    window = default_window(context.today(), context.zone)
    bounds = dict(zip(("start_date", "end_date"), map(date_text, window), strict=True))
    return {
        name: {**argument, "default": bounds[name]} if name in bounds else argument
        for name, argument in arguments.items()
    }


_DIRECTORY = Path(__file__).parent
_SCRIPT = "documentation.js"
_SCRIPT_TEXT = (_DIRECTORY / _SCRIPT).read_bytes()
_SCRIPT_TAG = xxh3_64_hexdigest(_SCRIPT_TEXT)
_SWAGGER_UI = str(files("flask_swagger_ui").joinpath("dist"))
_PAGE = Template((_DIRECTORY / "documentation.html").read_text(encoding="utf-8"))
# Swagger UI writes styles into its elements, and has pictures in its stylesheet.
_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; frame-ancestors 'self'; connect-src 'self' {}"
)

document_routes = Blueprint("doc", __name__, description="The description of this interface")
swagger_ui = flask.Blueprint("documentation", __name__, url_prefix="/doc")


class PublicTags(Parameter):
    """Tags of public reading, as a list or comma-separated; ``public`` stands for all of them."""

    schema: Mapping[str, Any] = MappingProxyType({"type": "array", "items": {"type": "string"}})

    def read(self, value: Any, _context: Context) -> list[str]:
        names, public = [str(each) for each in listed(value)], public_tags(interface().document)
        unknown = [name for name in names if name not in (*public, PUBLIC)]
        if unknown or not names:
            known, tag = ", ".join((PUBLIC, *public)), ", ".join(unknown)
            refuse(
                Message(
                    "{tag} is not a tag of public reading. There are {known}.", tag=tag, known=known
                )
            )
        return public if PUBLIC in names else names


class DocumentQuerySchema(RequestSchema):
    """Parameters of the document."""

    tags = PublicTags(description="Only public reading operations with these tags.")


_DOCUMENT_QUERY = DocumentQuerySchema()


@document_routes.route("/doc")
@document_routes.arguments(DocumentQuerySchema, location="query")
@document_routes.response(200, {"type": "object"})
def document(sent: Record) -> Response:
    """Describe the interface as OpenAPI; as a page where the client prefers HTML."""
    current.context().require_languages()
    media_type = request.accept_mimetypes.best_match([JSON, HTML], default=JSON)
    tags = sent.get("tags")
    response = page() if media_type == HTML else _document_response(tags)
    add_vary(response, "Accept")
    return response


@swagger_ui.get("")
def page() -> Response:
    """Show the document with Swagger UI."""
    settings = current.context().settings
    # Relative, since a proxy may have stripped a path prefix.
    root = "../" * (request.path.count("/") - 1)
    texts = {
        "title": settings.site_name,
        "files": f"{root}doc",
        "document": f"{root}{base_path(settings).removeprefix('/')}/doc{_asked_part()}",
    }
    escaped = {name: escape(text) for name, text in texts.items()}
    response = Response(_PAGE.substitute(escaped), mimetype=HTML)
    # A source with a trailing slash matches all paths below it.
    site = f"{settings.site_url.rstrip('/')}/" if settings.site_url else ""
    response.headers["Content-Security-Policy"] = _POLICY.format(site).strip()
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def _asked_part() -> str:
    """Return the query of the part of the document that the page is to show, if any."""
    sent = load_parameters(_DOCUMENT_QUERY, current.context().parameters)
    return f"?{urlencode({'tags': ','.join(sent['tags'])})}" if "tags" in sent else ""


@swagger_ui.get("/<name>")
def file(name: str) -> Response:
    """Serve a file of Swagger UI, or the script that starts it."""
    if name == _SCRIPT:
        script = BytesIO(_SCRIPT_TEXT)
        return send_file(script, download_name=name, max_age=3600, etag=_SCRIPT_TAG)
    return send_from_directory(_SWAGGER_UI, name, max_age=3600)


def _document_response(tags: Collection[str] | None) -> Response:
    servers, whole = [{"url": f"{current.context().addresses.base}/"}], interface().document
    return answer({**(part_of(whole, tags) if tags else whole), "servers": servers})
