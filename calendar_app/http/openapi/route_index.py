"""The route index: all routes with their methods and arguments."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import flask
import marshmallow as ma
from flask import Response

from calendar_app.domain.kind import Record
from calendar_app.domain.moments import default_window
from calendar_app.errors import CalendarError, Message
from calendar_app.http.answers.answering import answer, plain_answer
from calendar_app.http.errors.refusals import Refusal
from calendar_app.http.fields.scalars import Text
from calendar_app.http.openapi.interface import Interface, Route, interface
from calendar_app.http.presentation.shapes import AnswerShape
from calendar_app.http.request import current
from calendar_app.http.views.blueprint import Blueprint, Refused
from calendar_app.http.views.resource_view import load_owned_record
from calendar_app.presentation.records import date_text
from calendar_app.readmodel.addresses import Addresses

blueprint = Blueprint("index", __name__, description="What there is")


class IndexQuerySchema(ma.Schema):
    """Parameters of the index."""

    class Meta:
        unknown = ma.EXCLUDE

    namespace = Text(description="The namespace; there is one.")
    context = ma.fields.Raw(
        metadata={
            "description": "Taken for the reference's sake.",
            "type": "string",
            "default": "view",
        }
    )


class IndexShape(AnswerShape):
    """The routes by raw pattern."""

    namespace = ma.fields.String()
    routes = ma.fields.Dict(keys=ma.fields.String(), values=ma.fields.Dict())
    _links = ma.fields.Dict()


@blueprint.route("")
@blueprint.arguments(IndexQuerySchema, location="query")
@blueprint.response(200, IndexShape)
def index(sent: Record) -> Response:
    """Say which routes there are."""
    current.chain()
    described = interface()
    namespace = described.settings.namespace
    if sent.get("namespace", namespace) != namespace:
        raise Refused(
            Refusal(404, "rest_invalid_namespace", Message("There is no such namespace."))
        )
    up = [{"href": current.addresses().index}]
    return answer({"namespace": namespace, "routes": _routes(described), "_links": {"up": up}})


def site_index(api_prefix: str) -> flask.Blueprint:
    """Return the index of the site, above all namespaces and at the root."""
    site = flask.Blueprint("site", __name__)
    for path in dict.fromkeys((api_prefix or "/", "/")):
        site.add_url_rule(path, view_func=_index_of_site)
    return site


def describe_route() -> Response | None:
    """Answer OPTIONS on any path, before all checks."""
    request = current.request()
    if request.method != "OPTIONS":
        return None
    current.ignore_body()
    # The header Allow depends on the caller and the record, as far as they are known.
    with suppress(CalendarError):
        load_owned_record(current.caller())
    described = interface()
    pattern = described.pattern_of(request.url_rule.rule) if request.url_rule else None
    if pattern is None:
        return plain_answer([])
    return answer(_linked(pattern, described.routes[pattern]))


def _index_of_site() -> Response:
    current.caller()
    current.chain()
    described, addresses = interface(), current.addresses()
    settings = described.settings
    offset = current.site_now().utcoffset()
    return answer(
        {
            "name": settings.site_name,
            "description": "",
            "url": addresses.site,
            "home": addresses.site,
            "gmt_offset": offset.total_seconds() / 3600 if offset else 0,
            "timezone_string": settings.timezone,
            "namespaces": [settings.namespace],
            # Programs look here for a page that makes application passwords; there is none.
            "authentication": [],
            "routes": _routes(described),
            "_links": {"help": [{"href": f"{addresses.base}/doc"}]},
        },
        headers=_discovery(addresses) if current.request().path == "/" else None,
    )


def _discovery(addresses: Addresses) -> dict[str, str]:
    """Return the headers by which importers discover the API of a site."""
    return {
        "X-TEC-API-VERSION": "v1",
        "X-TEC-API-ROOT": f"{addresses.base}/",
        "X-TEC-API-ORIGIN": addresses.site,
    }


def _routes(described: Interface) -> dict[str, Route]:
    return {pattern: _linked(pattern, route) for pattern, route in described.indexed.items()}


def _linked(pattern: str, route: Route) -> Route:
    """Add the parts that depend on the request: addresses and default dates."""
    endpoints = [
        {**endpoint, "args": _with_dates(endpoint["args"])}
        if "GET" in endpoint["methods"]
        else endpoint
        for endpoint in route["endpoints"]
    ]
    linked = {**route, "endpoints": endpoints}
    if "(" in pattern:
        return linked
    address = current.addresses().base + pattern.removeprefix(f"/{route['namespace']}")
    return {**linked, "_links": {"self": [{"href": address}]}}


def _with_dates(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Add the default dates of the event list."""
    window = default_window(current.today(), current.site_zone())
    bounds = dict(zip(("start_date", "end_date"), map(date_text, window), strict=True))
    return {
        name: {**argument, "default": bounds[name]} if name in bounds else argument
        for name, argument in arguments.items()
    }
